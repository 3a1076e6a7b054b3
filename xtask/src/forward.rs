//! The commands of other programs of the workspace, forwarded with all their arguments.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;
use xshell::{Shell, cmd};

/// The arguments of a forwarded command; `--help` is one of them.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Forwarded {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<OsString>,
}

impl Forwarded {
    /// Runs a command of `koel-lab` that measures the engine itself, in a release build.
    pub(crate) fn measurement(self, shell: &Shell, command: &str) -> Result<()> {
        let command = [OsString::from(command)];
        run(shell, "koel-lab", &["--release"], command.into_iter().chain(self.arguments))
    }

    /// Runs the trainer, in a release build.
    pub(crate) fn trainer(self, shell: &Shell) -> Result<()> {
        run(shell, "koel-train", &["--release"], self.arguments.into_iter())
    }
}

fn run(
    shell: &Shell,
    package: &str,
    profile: &[&str],
    arguments: impl Iterator<Item = OsString>,
) -> Result<()> {
    let cargo = crate::cargo();
    cmd!(shell, "{cargo} run --quiet {profile...} --package {package} -- {arguments...}")
        .quiet()
        .run()?;
    Ok(())
}
