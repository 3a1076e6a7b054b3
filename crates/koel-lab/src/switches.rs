//! The feature switches of a program.

use anyhow::{Result, bail, ensure};
use koel_arena::cli::EngineCommand;
use xshell::cmd;

use crate::workspace::Workspace;

/// The prefix of the UCI options that are feature switches.
const PREFIX: &str = "Feature_";

/// A feature that can be switched on and off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    pub(crate) feature: String,
    /// True if the feature is on in normal builds.
    pub(crate) is_on: bool,
}

type NamedValue = (String, String);

impl Switch {
    /// Returns the option with a value.
    pub(crate) fn option(&self, is_on: bool) -> NamedValue {
        (format!("{PREFIX}{}", self.feature), is_on.to_string())
    }

    /// Returns the options of the side with the feature and of the side without it; `None` if it is
    /// the default.
    pub(crate) fn sides(&self) -> (Option<NamedValue>, Option<NamedValue>) {
        let other = self.option(!self.is_on);
        if self.is_on { (None, Some(other)) } else { (Some(other), None) }
    }
}

/// Starts a program and reads its switches.
pub(crate) fn read(workspace: &Workspace, engine: &EngineCommand) -> Result<Vec<Switch>> {
    let (shell, program) = (workspace.shell(), &engine.command);
    let output = cmd!(shell, "{program}").stdin("uci\nquit\n").quiet().read()?;
    let found: Vec<_> = output.lines().filter_map(switch).collect();
    ensure!(
        !found.is_empty(),
        "{} has no switches: build it with --features tune,ablate",
        program.display()
    );
    Ok(found)
}

/// Parses `option name Feature_x type check default true`.
fn switch(line: &str) -> Option<Switch> {
    let (feature, rest) =
        line.strip_prefix("option name ")?.strip_prefix(PREFIX)?.split_once(' ')?;
    let is_on = rest.rsplit(' ').next()? == "true";
    Some(Switch { feature: feature.to_owned(), is_on })
}

/// Returns the switches of these names, or all but `but` if no name is given.
pub(crate) fn choose(all: &[Switch], names: &[String], but: &str) -> Result<Vec<Switch>> {
    if names.is_empty() {
        return Ok(all.iter().filter(|switch| switch.feature != but).cloned().collect());
    }
    let mut chosen = Vec::new();
    for name in names {
        match all.iter().find(|switch| switch.feature == *name) {
            Some(switch) => chosen.push(switch.clone()),
            None => {
                let known: Vec<_> = all.iter().map(|switch| switch.feature.as_str()).collect();
                bail!("there is no feature `{name}`, but {}", known.join(", "));
            }
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_switches_are_read() {
        let is = |feature: &str, is_on| Some(Switch { feature: feature.to_owned(), is_on });
        assert_eq!(
            switch("option name Feature_razoring type check default true"),
            is("razoring", true)
        );
        assert_eq!(
            switch("option name Feature_mate_in_one type check default false"),
            is("mate_in_one", false)
        );
        assert_eq!(switch("option name Hash type spin default 16 min 1 max 2"), None);
    }

    #[test]
    fn the_side_with_the_feature_is_the_first() {
        let on = Switch { feature: "a".into(), is_on: true };
        let off = Switch { feature: "b".into(), is_on: false };
        let option = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        assert_eq!(on.sides(), (None, option("Feature_a", "false")));
        assert_eq!(off.sides(), (option("Feature_b", "true"), None));
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_all() {
        let all = ["a", "b", "c"].map(|name| Switch { feature: name.into(), is_on: true });
        let chosen = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            choose(&all, &names, "b")
        };
        assert_eq!(chosen(&[]).unwrap(), [all[0].clone(), all[2].clone()]);
        assert_eq!(chosen(&["b"]).unwrap(), [all[1].clone()]);
        assert!(chosen(&["d"]).unwrap_err().to_string().contains("a, b, c"));
    }
}
