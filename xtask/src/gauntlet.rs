//! `cargo xtask gauntlet`: a rating from games against engines whose ratings are known.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use clap::Args;
use koel_arena::statistics::{Performance, performance};
use serde::Deserialize;
use xshell::Shell;

use crate::engines;
use crate::interrupt;
use crate::playing;
use crate::terms::Terms;

#[derive(Args)]
pub(crate) struct Gauntlet {
    /// The opponents, as TOML: see docs/engines.toml
    opponents: String,
    /// Who meets them: `koel` for this working tree, a program, or a git revision
    #[arg(long, default_value = "koel")]
    engine: String,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opponents {
    engine: Vec<Opponent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opponent {
    /// What the tables call it; the program's name if none is given.
    name: Option<String>,
    /// A program, by its path or on the search path.
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
    /// What is known of its strength.
    rating: f64,
    #[serde(default)]
    options: BTreeMap<String, Setting>,
}

/// The value of an option, as TOML writes it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Setting {
    Switch(bool),
    Number(i64),
    Text(String),
}

impl Gauntlet {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let text = shell.read_file(&self.opponents)?;
        let opponents: Opponents = toml::from_str(&text).with_context(|| self.opponents.clone())?;
        let engine = engines::resolve(shell, &self.engine)?;
        let mut performances = Vec::new();
        for opponent in opponents.engine {
            let mut resolved = engines::resolve(shell, &opponent.command)?;
            resolved.name = opponent.name.unwrap_or(resolved.name);
            resolved.arguments = opponent.arguments;
            resolved.options = opponent.options.iter().map(option).collect();
            let contest = self.terms.contest(shell, [&engine, &resolved], None)?;
            let (_, standing) = playing::play(shell, &self.terms, &contest)?;
            println!();
            performances.push((
                resolved.name,
                Performance { rating: opponent.rating, pairs: standing.pairs },
            ));
            if interrupt::is_called_off() {
                break;
            }
        }
        println!("{}", table(&performances));
        Ok(())
    }
}

fn option((name, setting): (&String, &Setting)) -> (String, String) {
    let value = match setting {
        Setting::Switch(is_on) => is_on.to_string(),
        Setting::Number(number) => number.to_string(),
        Setting::Text(text) => text.clone(),
    };
    (name.clone(), value)
}

fn table(performances: &[(String, Performance)]) -> String {
    let mut lines = vec!["| opponent | rating | pairs | score | lead |".to_owned()];
    lines.push("|---|---|---|---|---|".to_owned());
    for (name, Performance { rating, pairs }) in performances {
        let elo = pairs.strength().elo;
        lines.push(format!(
            "| {name} | {rating:.0} | {} | {:.1} % | {:+.0} +/- {:.0} |",
            pairs.total(),
            100.0 * pairs.mean(),
            elo.value,
            elo.error
        ));
    }
    let played: Vec<_> = performances.iter().map(|(_, played)| *played).collect();
    lines.push(match performance(&played) {
        Some(rating) => {
            format!("\nEstimated rating: {:.0} +/- {:.0} (95 %)", rating.value, rating.error)
        }
        None => "\nNo pair was played.".to_owned(),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use koel_arena::statistics::Sample;

    use super::*;

    #[test]
    fn the_example_is_read() {
        let opponents: Opponents = toml::from_str(include_str!("../../docs/engines.toml")).unwrap();
        assert!(opponents.engine.len() >= 3);
        let options: Vec<_> = opponents
            .engine
            .iter()
            .flat_map(|opponent| opponent.options.iter().map(option))
            .collect();
        assert!(options.contains(&("UCI_Elo".to_owned(), "1800".to_owned())), "{options:?}");
        assert!(options.contains(&("UCI_LimitStrength".to_owned(), "true".to_owned())));
        assert!(toml::from_str::<Opponents>("[[engine]]\ncommand = \"a\"\nelo = 3").is_err());
    }

    #[test]
    fn a_table_ends_with_the_rating() {
        let played = Performance { rating: 2000.0, pairs: Sample([1, 4, 10, 4, 1]) };
        let text = table(&[("a".to_owned(), played)]);
        assert!(text.contains("| a | 2000 | 20 | 50.0 % |"), "{text}");
        assert!(text.contains("Estimated rating: 2000 +/-"), "{text}");
        assert!(table(&[]).ends_with("No pair was played."));
    }
}
