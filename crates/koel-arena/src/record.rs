//! The record of a finished game.

use std::collections::BTreeMap;
use std::fmt;

use koel_random::fnv1a;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// The number of a game in a match: a pair, and one of its two games with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The number of the pair, from 1.
    pub pair: u32,
    /// True for the second game of the pair, in which the first engine has Black.
    pub is_swapped: bool,
}

impl GameId {
    /// Returns both games of a pair.
    pub fn of_pair(pair: u32) -> [GameId; 2] {
        [false, true].map(|is_swapped| GameId { pair, is_swapped })
    }

    /// Returns the other game of the pair.
    pub fn other(self) -> GameId {
        GameId { is_swapped: !self.is_swapped, ..self }
    }
}

/// Writes `7.1` and `7.2` for the games of pair 7.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair, if self.is_swapped { 2 } else { 1 })
    }
}

/// The result of a game for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameOutcome {
    /// The first engine lost.
    Loss,
    /// A draw.
    Draw,
    /// The first engine won.
    Win,
}

impl GameOutcome {
    /// The score in half points: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        self as usize
    }
}

/// The ending of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// Adjudicated as a loss by score.
    Resignation,
    /// Adjudicated as a draw by score.
    AgreedDraw,
    /// Adjudicated as a draw by length.
    Length,
    /// Adjudicated by tablebases.
    Tablebases,
    /// A loss on time; a draw if the opponent cannot mate.
    TimeLoss,
    /// A search beyond its limit of nodes or depth, or without an end.
    IgnoredLimit,
    /// An illegal move.
    IllegalMove,
    /// A `bestmove` line without a move.
    UnreadableMove,
    /// The program of the engine ended.
    Crash,
    /// The engine did not answer, not even to `stop`.
    Stall,
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The position occurred for the third time.
    Threefold,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
}

impl Ending {
    /// Returns true if the loser failed as a program: time loss, ignored limit, illegal move, crash
    /// or stall.
    pub fn is_fault(self) -> bool {
        use Ending::{Crash, IgnoredLimit, IllegalMove, Stall, TimeLoss, UnreadableMove};
        matches!(self, TimeLoss | IgnoredLimit | IllegalMove | UnreadableMove | Crash | Stall)
    }

    /// The ending in words.
    pub fn describe(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::InsufficientMaterial => "insufficient material",
            Ending::Threefold => "threefold repetition",
            Ending::FiftyMoves => "fifty moves",
            Ending::Resignation => "adjudicated: won",
            Ending::AgreedDraw => "adjudicated: drawn",
            Ending::Length => "adjudicated: too long",
            Ending::Tablebases => "adjudicated: tablebases",
            Ending::TimeLoss => "time loss",
            Ending::IgnoredLimit => "ignored limit",
            Ending::IllegalMove => "illegal move",
            Ending::UnreadableMove => "unreadable move",
            Ending::Crash => "crash",
            Ending::Stall => "stall",
        }
    }
}

/// The winner of a game, none for a draw, and its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finish {
    pub(crate) winner: Option<Color>,
    pub(crate) ending: Ending,
}

/// A fault of an engine that does not lose the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// An illegal move in the PV.
    IllegalPvMove,
    /// The PV continues after checkmate.
    PvPastMate,
    /// The PV continues after stalemate.
    PvPastStalemate,
    /// The PV continues after a threefold repetition.
    PvPastThreefold,
    /// The PV continues after a draw by the fifty-move rule.
    PvPastFiftyMoves,
    /// The PV of a mate score is too short, too long, or does not mate.
    WrongMatePv,
    /// The move played is not the first move of the last PV.
    BestMoveNotPv,
    /// Castling in the notation of the other variant (standard chess or Chess960).
    CastlingNotation,
    /// A `bestmove` without a search.
    StrayBestMove,
    /// Output that does not belong to the protocol.
    UnknownOutput,
}

/// The number of warnings of each kind.
pub type Warnings = BTreeMap<Warning, u32>;

/// The record of a finished game in the state of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The result for the first engine.
    pub outcome: GameOutcome,
    /// The ending of the game.
    pub ending: Ending,
    /// Number of plies without the opening.
    pub plies: u32,
    /// A hash of the moves: games with equal openings and hashes are identical.
    pub moves_hash: u64,
    /// The place of the game in the PGN; `None` without a PGN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PgnPlace>,
    /// The warnings of the first engine, and of the second.
    #[serde(default, skip_serializing_if = "has_no_warnings")]
    pub warnings: [Warnings; 2],
}

/// The place of a game in the PGN, by which the match knows what it wrote there itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PgnPlace {
    /// The number of bytes before the game.
    pub start: u64,
    /// The length of the game in bytes.
    pub bytes: u64,
    /// A hash of the text.
    pub hash: u64,
}

impl PgnPlace {
    /// Returns the place of this text behind `start` bytes.
    pub(crate) fn new(start: u64, text: &[u8]) -> PgnPlace {
        PgnPlace { start, bytes: text.len() as u64, hash: fnv1a(text) }
    }

    /// The number of bytes up to the end of the game.
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes)
    }
}

fn has_no_warnings(warnings: &[Warnings; 2]) -> bool {
    warnings.iter().all(Warnings::is_empty)
}

impl GameRecord {
    /// Returns the record of a game without moves, warnings and PGN.
    pub fn new(outcome: GameOutcome, ending: Ending) -> GameRecord {
        GameRecord {
            outcome,
            ending,
            plies: 0,
            moves_hash: 0,
            pgn: None,
            warnings: <[Warnings; 2]>::default(),
        }
    }
}
