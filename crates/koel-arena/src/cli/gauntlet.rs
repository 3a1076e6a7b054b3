//! The command `gauntlet`: a rating from games against opponents of known ratings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use koel_files::SETTINGS;
use serde::Deserialize;
use toml::Value;

use super::context::CommandContext;
use super::interrupt::is_interrupted;
use super::match_args::MatchArgs;
use super::play::play_match;
use crate::statistics::{Performance, performance};

/// The arguments of a gauntlet.
#[derive(Args, Clone)]
pub struct GauntletArgs {
    /// TOML file of the opponents: name, command, arguments, rating and options of each
    opponents: PathBuf,
    #[command(flatten)]
    match_args: MatchArgs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opponents {
    engine: Vec<Opponent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opponent {
    /// The name in the table; the name of the program if there is none.
    name: Option<String>,
    /// The program, by its path or on the search path.
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
    /// The known rating.
    rating: f64,
    #[serde(default)]
    options: BTreeMap<String, Value>,
}

impl GauntletArgs {
    /// Plays a match between `engine`, a name in the context, and each opponent, and prints the
    /// estimated rating.
    ///
    /// # Errors
    /// If the file of opponents is wrong, an engine is not found, or a match cannot be played.
    pub fn run(&self, context: &dyn CommandContext, engine: &str) -> Result<()> {
        let path = || self.opponents.display().to_string();
        let text = koel_files::read_to_string(&self.opponents, SETTINGS).with_context(path)?;
        let opponents: Opponents = toml::from_str(&text).with_context(path)?;
        context.check(engine)?;
        opponents.engine.iter().try_for_each(|opponent| context.check(&opponent.command))?;
        let engine = context.resolve(engine)?;
        let mut performances = Vec::new();
        for opponent in opponents.engine {
            let mut command = context.resolve(&opponent.command)?;
            command.name = opponent.name.unwrap_or(command.name);
            command.arguments = opponent.arguments;
            command.options = opponent.options.iter().map(option).collect();
            let args = self.match_args.with_input(&self.opponents);
            let config = args.configure(context, [&engine, &command], None)?;
            let (_, score) = play_match(&config)?;
            println!();
            performances
                .push((command.name, Performance { rating: opponent.rating, pairs: score.pairs }));
            if is_interrupted() {
                break;
            }
        }
        println!("{}", table(&performances));
        Ok(())
    }
}

/// Returns a UCI option with its value as text.
fn option((name, value): (&String, &Value)) -> (String, String) {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    (name.clone(), text)
}

fn table(performances: &[(String, Performance)]) -> String {
    let mut lines = vec!["| opponent | rating | pairs | score | Elo difference |".to_owned()];
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
        Some(rating) if rating.value.is_infinite() => {
            let all = if rating.value > 0.0 { "won" } else { "lost" };
            format!("\nNo estimate of the rating: every game was {all}.")
        }
        Some(rating) => {
            format!("\nEstimated rating: {:.0} +/- {:.0} (95 %)", rating.value, rating.error)
        }
        None => "\nNo pair was played.".to_owned(),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ResultCounts;

    const EXAMPLE: &str = r#"
[[engine]]
name = "stockfish at 1800"
command = "stockfish"
rating = 1800
options = { UCI_LimitStrength = true, UCI_Elo = 1800, Ponder = "false" }

[[engine]]
command = "glaurung"
rating = 2850
"#;

    #[test]
    fn the_example_is_read() {
        let opponents: Opponents = toml::from_str(EXAMPLE).unwrap();
        assert_eq!(opponents.engine.len(), 2);
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
        let played = Performance { rating: 2000.0, pairs: ResultCounts([1, 4, 10, 4, 1]) };
        let text = table(&[("a".to_owned(), played)]);
        assert!(text.contains("| a | 2000 | 20 | 50.0 % |"), "{text}");
        assert!(text.contains("Estimated rating: 2000 +/-"), "{text}");
        assert!(table(&[]).ends_with("No pair was played."));
        for (counts, word) in [([0, 0, 0, 0, 3], "won."), ([2, 0, 0, 0, 0], "lost.")] {
            let played = Performance { rating: 2000.0, pairs: ResultCounts(counts) };
            let text = table(&[("a".to_owned(), played)]);
            assert!(text.ends_with(word) && !text.contains("Estimated"), "{text}");
        }
    }
}
