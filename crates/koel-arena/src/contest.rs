//! A match: many games at once, until there are enough.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use shakmaty::CastlingMode;

use crate::adjudication::Adjudication;
use crate::engine::{Deadlines, EngineSpec, StartError};
use crate::hall::Hall;
use crate::ledger::{Ledger, LedgerError};
use crate::limits::Limits;
use crate::opening::Opening;
use crate::standing::Standing;
use crate::statistics::Sprt;
use crate::tablebases::Tablebases;

/// One of the two engines, and what it may spend.
#[derive(Clone, Debug)]
pub struct Contender {
    /// How it is started.
    pub spec: EngineSpec,
    /// What it may spend on its moves.
    pub limits: Limits,
}

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What the PGN calls it.
    pub event: String,
    /// The engines; results are those of the first.
    pub contenders: [Contender; 2],
    /// Where games begin.
    pub openings: Vec<Opening>,
    /// Gives the order of the openings.
    pub seed: u64,
    /// At most so many pairs.
    pub pairs: u32,
    /// So many games at once.
    pub concurrency: usize,
    /// Whether each game stays on one core, with its engines: no use where they think with many
    /// threads or on the opponent's time. They are started at fixed addresses then. (Linux only;
    /// elsewhere nothing happens.)
    pub is_pinned: bool,
    /// Ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// Ends the match after so many pairs whose games are the same move by move, if all are.
    pub same_pairs: Option<u64>,
    /// When games end early.
    pub adjudication: Adjudication,
    /// What ends games with few pieces.
    pub tablebases: Option<Arc<Tablebases>>,
    /// How far a clock may be overdrawn.
    pub margin: Duration,
    /// What no clock measures.
    pub deadlines: Deadlines,
    /// Standard chess, or Chess960.
    pub mode: CastlingMode,
    /// Whether every line of every search is checked.
    pub is_strict: bool,
    /// Where the state is kept.
    pub state: Option<PathBuf>,
    /// Where the games go.
    pub pgn: Option<PathBuf>,
    /// More that must be the same when a match goes on, such as hashes of the programs.
    pub terms: BTreeMap<String, String>,
}

/// Why a match came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided,
    /// The engines play the same moves.
    NoChange,
    /// It was called off; it can go on later.
    CalledOff,
}

/// A match that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// An engine cannot play.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The files cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An opening cannot be played.
    #[error("an opening cannot be played: {0}")]
    Opening(String),
}

/// What a match is told while it runs: how it stands after each game.
pub type Observer<'o> = &'o (dyn Fn(&Standing) + Sync);

impl Contest {
    /// Plays what is left to play. With `cancel` set, games in progress are dropped.
    ///
    /// # Errors
    /// When an engine cannot be started (three times in a row), or a file cannot be used.
    pub fn run(
        &self,
        cancel: &AtomicBool,
        observer: Observer<'_>,
    ) -> Result<(Conclusion, Standing), ContestError> {
        let ledger = Ledger::open(self.state.as_deref(), self.pgn.as_deref(), self.all_terms())?;
        Hall::new(self, ledger, cancel, observer).hold()
    }

    /// What must be the same for games to be of the same match.
    pub fn all_terms(&self) -> BTreeMap<String, String> {
        let mut terms = self.terms.clone();
        for (name, contender) in ["first", "second"].iter().zip(&self.contenders) {
            let spec = &contender.spec;
            terms.insert(format!("{name} engine"), spec.name.clone());
            terms.insert(format!("{name} arguments"), spec.arguments.join(" "));
            let options = spec.wishes.iter().chain(&spec.options);
            let options: Vec<_> = options.map(|(name, value)| format!("{name}={value}")).collect();
            terms.insert(format!("{name} options"), options.join(" "));
            terms.insert(format!("{name} limits"), contender.limits.to_string());
        }
        terms.insert("openings".into(), self.openings.len().to_string());
        terms.insert("seed".into(), self.seed.to_string());
        terms.insert("adjudication".into(), format!("{:?}", self.adjudication));
        terms.insert("sprt".into(), format!("{:?}", self.sprt));
        terms.insert("mode".into(), format!("{:?}", self.mode));
        if let Some(tables) = &self.tablebases {
            terms.insert("tablebases".into(), format!("{} pieces", tables.most_pieces()));
        }
        terms
    }
}
