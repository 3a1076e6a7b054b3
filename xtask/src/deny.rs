//! The licences, sources and known security problems of what is linked, by cargo-deny.

use anyhow::Result;
use xshell::{Shell, cmd};

/// Runs `cargo deny check`. Without the program, or without access to the database of security
/// problems, the part that needs it is skipped with a message.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    let cargo = crate::cargo();
    let quiet = |arguments: &[&str]| {
        cmd!(shell, "{cargo} deny {arguments...}").quiet().ignore_stdout().ignore_stderr().run()
    };
    if quiet(&["--version"]).is_err() {
        println!("skipped: cargo-deny is not installed; `cargo install cargo-deny` gets it");
        return Ok(());
    }
    cmd!(shell, "{cargo} deny check bans licenses sources").quiet().run()?;
    if quiet(&["fetch", "db"]).is_err() {
        println!("skipped: the database of security problems cannot be fetched");
        return Ok(());
    }
    Ok(cmd!(shell, "{cargo} deny check advisories").quiet().run()?)
}
