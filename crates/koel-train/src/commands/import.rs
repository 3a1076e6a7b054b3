use std::path::PathBuf;

use clap::Args;
use koel_files::ANY_SIZE;
use koel_train::import_pgn;

use super::Failure;

/// The arguments of `import`.
#[derive(Args)]
pub(crate) struct Import {
    /// PGN files with a score in the comment of each move, as OpenBench's workers write them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder for the games, which `train` reads like that of `selfplay`
    #[arg(long)]
    out: PathBuf,
    /// The commit that played the games, for the manifest
    #[arg(long, default_value = "unknown")]
    commit: String,
}

impl Import {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let open = |path: &PathBuf| {
            koel_files::open(path, ANY_SIZE).map_err(|e| format!("{}: {e}", path.display()))
        };
        let inputs = self.files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let totals = import_pgn(inputs, &self.out, &self.commit)?;
        println!(
            "{} games, {} positions; {} left out",
            totals.games, totals.positions, totals.left_out
        );
        Ok(())
    }
}
