//! `cargo xtask net`: the trainer, built for speed.

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;
use xshell::{Shell, cmd};

#[derive(Args)]
pub(crate) struct Net {
    /// What koel-train is to do; `help` lists it
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Net {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let (cargo, arguments) = (crate::cargo(), self.arguments);
        cmd!(shell, "{cargo} run --quiet --release -p koel-train -- {arguments...}")
            .quiet()
            .run()?;
        Ok(())
    }
}
