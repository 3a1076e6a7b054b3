//! `cargo xtask match`: two engines, a number of games.

use anyhow::Result;
use clap::Args;
use xshell::Shell;

use crate::engines;
use crate::playing;
use crate::terms::Terms;

#[derive(Args)]
pub(crate) struct Duel {
    /// `koel` for this working tree, a program, or a git revision, which is built
    first: String,
    /// The other
    second: String,
    #[command(flatten)]
    terms: Terms,
}

impl Duel {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let first = engines::resolve(shell, &self.first)?;
        let second = engines::resolve(shell, &self.second)?;
        let contest = self.terms.contest(shell, [&first, &second], None)?;
        playing::play(shell, &self.terms, &contest).map(drop)
    }
}
