//! The switches of a program, and changes of it.

use anyhow::{Context, Result, bail, ensure};
use koel_arena::EngineSpec;
use koel_search::{CLASSIC, switches};
use xshell::cmd;

use crate::series::Options;
use crate::workspace::Workspace;

/// The prefix of the UCI options that are switches.
const PREFIX: &str = "Switch_";

/// A switch of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    pub(crate) name: String,
    /// True if it is on in normal builds.
    pub(crate) is_on: bool,
}

impl Switch {
    /// Returns the option with a value.
    pub(crate) fn option(&self, is_on: bool) -> (String, String) {
        (format!("{PREFIX}{}", self.name), is_on.to_string())
    }
}

/// Checks the names of the switches of changes, before a program is built that has them.
///
/// # Errors
/// A name is that of no switch.
pub(crate) fn check_names<'c>(changes: impl IntoIterator<Item = &'c String>) -> Result<()> {
    let mut words = changes.into_iter().flat_map(|change| change.split(','));
    let is_known = |word: &str| {
        word.contains('=')
            || CLASSIC.contains(&word)
            || switches().any(|switch| switch.name == word)
    };
    match words.find(|word| !is_known(word)) {
        Some(word) => bail!("there is no switch `{word}`"),
        None => Ok(()),
    }
}

/// Starts a program and reads its switches.
pub(crate) fn read(workspace: &Workspace, engine: &EngineSpec) -> Result<Vec<Switch>> {
    let (shell, program) = (workspace.shell(), &engine.command);
    let output = cmd!(shell, "{program}").stdin("uci\nquit\n").quiet().read()?;
    let found: Vec<_> = output.lines().filter_map(switch).collect();
    ensure!(
        !found.is_empty(),
        "{} has no switches: build it with --features tune,switches",
        program.display()
    );
    Ok(found)
}

/// Parses `option name Switch_x type check default true`.
fn switch(line: &str) -> Option<Switch> {
    let (name, rest) = line.strip_prefix("option name ")?.strip_prefix(PREFIX)?.split_once(' ')?;
    let is_on = rest.rsplit(' ').next()? == "true";
    Some(Switch { name: name.to_owned(), is_on })
}

/// Returns the options of a change: switches, which are turned from their default, and options
/// with their values, separated by commas.
pub(crate) fn options_of(change: &str, switches: &[Switch]) -> Result<Options> {
    let option = |word: &str| {
        if let Some((name, value)) = word.split_once('=') {
            return Ok((name.to_owned(), value.to_owned()));
        }
        let switch = switches.iter().find(|switch| switch.name == word);
        let switch = switch.with_context(|| format!("there is no switch `{word}`"))?;
        Ok(switch.option(!switch.is_on))
    };
    change.split(',').map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_switched_and_options_are_set() {
        let switches =
            [("a", true), ("b", false)].map(|(name, is_on)| Switch { name: name.into(), is_on });
        let options = |text: &str| options_of(text, &switches).ok();
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options("a"), Some(vec![named("Switch_a", "false")]));
        assert_eq!(options("b,x=5"), Some(vec![named("Switch_b", "true"), named("x", "5")]));
        assert_eq!(options("c"), None);
    }

    #[test]
    fn wrong_names_are_found_before_anything_is_built() {
        let check = |text: &str| check_names(&[text.to_owned()]);
        assert!(check("razoring").is_ok() && check("tt_cutoff,aspiration_margin=14").is_ok());
        assert_eq!(check("tt_cutoff,wrong").unwrap_err().to_string(), "there is no switch `wrong`");
    }

    #[test]
    fn only_switches_are_read() {
        let is = |name: &str, is_on| Some(Switch { name: name.to_owned(), is_on });
        assert_eq!(
            switch("option name Switch_razoring type check default true"),
            is("razoring", true)
        );
        assert_eq!(
            switch("option name Switch_mate_in_one type check default false"),
            is("mate_in_one", false)
        );
        assert_eq!(switch("option name Hash type spin default 16 min 1 max 2"), None);
    }
}
