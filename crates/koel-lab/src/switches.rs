//! The feature switches of a program.

use anyhow::{Result, ensure};
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
}
