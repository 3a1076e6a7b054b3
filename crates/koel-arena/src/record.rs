//! What is kept of a game.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::referee::RuleEnd;

/// Which game of a match: every pair has two, with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The pair, from 1.
    pub pair: u32,
    /// Whether it is the second of its pair: the first engine has Black.
    pub is_swapped: bool,
}

impl GameId {
    /// Both games of a pair.
    pub fn of_pair(pair: u32) -> [GameId; 2] {
        [false, true].map(|is_swapped| GameId { pair, is_swapped })
    }

    /// The other game of its pair.
    pub fn other(self) -> GameId {
        GameId { is_swapped: !self.is_swapped, ..self }
    }
}

/// `7.1` and `7.2` for the games of pair 7.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair, if self.is_swapped { 2 } else { 1 })
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<GameId, String> {
        let error = || format!("`{text}` is no game of a match");
        let (pair, half) = text.split_once('.').ok_or_else(error)?;
        let is_swapped = match half {
            "1" => false,
            "2" => true,
            _ => return Err(error()),
        };
        Ok(GameId { pair: pair.parse().map_err(|_| error())?, is_swapped })
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The result for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameOutcome {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl GameOutcome {
    /// Its points in halves.
    pub fn halves(self) -> usize {
        self as usize
    }
}

/// How a game came to its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Both engines saw a loss.
    Resignation,
    /// Both engines saw a draw.
    AgreedDraw,
    /// It took too long.
    Length,
    /// The endgame tables know the end.
    TablebaseAdjudicator,
    /// Too late.
    TimeLoss,
    /// Not a legal move.
    IllegalMove,
    /// Not a move at all.
    #[serde(rename = "garbage")]
    UnreadableMove,
    /// The engine ended.
    Crash,
    /// The engine said nothing any more, not even to `stop`.
    Stall,
    /// By the rules.
    #[serde(untagged)]
    Rule(RuleEnd),
}

impl Ending {
    /// Whether the loser is at fault as a program, not as a player.
    pub fn is_fault(self) -> bool {
        use Ending::{Crash, IllegalMove, Stall, TimeLoss, UnreadableMove};
        matches!(self, TimeLoss | IllegalMove | UnreadableMove | Crash | Stall)
    }

    /// In words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Ending::Rule(RuleEnd::Checkmate) => "checkmate",
            Ending::Rule(RuleEnd::Stalemate) => "stalemate",
            Ending::Rule(RuleEnd::InsufficientMaterial) => "insufficient material",
            Ending::Rule(RuleEnd::Threefold) => "threefold repetition",
            Ending::Rule(RuleEnd::FiftyMoves) => "fifty moves",
            Ending::Resignation => "adjudicated: won",
            Ending::AgreedDraw => "adjudicated: drawn",
            Ending::Length => "adjudicated: too long",
            Ending::TablebaseAdjudicator => "adjudicated: tablebases",
            Ending::TimeLoss => "time loss",
            Ending::IllegalMove => "illegal move",
            Ending::UnreadableMove => "unreadable move",
            Ending::Crash => "crash",
            Ending::Stall => "stall",
        }
    }
}

/// What an engine does wrong without losing by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// A move in its line is not legal.
    IllegalPvMove,
    /// Its line goes on after a mate.
    PvPastMate,
    /// Its line goes on after a stalemate.
    PvPastStalemate,
    /// Its line goes on after a threefold repetition.
    PvPastThreefold,
    /// Its line goes on after fifty moves.
    PvPastFiftyMoves,
    /// A line to a mate is too short, too long, or does not mate.
    WrongMatePv,
    /// It plays another move than its last line begins with.
    BestMoveNotPv,
    /// Castling in the notation of the other kind of chess.
    CastlingNotation,
    /// A `bestmove` that nobody had asked for.
    StrayBestMove,
    /// Lines that are none of the protocol.
    #[serde(rename = "noise")]
    UnknownOutput,
}

/// How often each.
pub type Warnings = BTreeMap<Warning, u32>;

/// What is kept of a game: enough for every statistic and to know it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The result for the first engine.
    pub outcome: GameOutcome,
    /// How it came about.
    pub ending: Ending,
    /// Half-moves played, without the opening.
    pub plies: u32,
    /// A hash of the moves: games with the same opening and the same hash are the same.
    #[serde(rename = "moves")]
    pub moves_hash: u64,
    /// How many bytes it has in the PGN, if there is one.
    pub pgn_bytes: u64,
    /// The warnings of the first engine, and of the second.
    #[serde(default, skip_serializing_if = "is_clean")]
    pub warnings: [Warnings; 2],
}

fn is_clean(warnings: &[Warnings; 2]) -> bool {
    warnings.iter().all(Warnings::is_empty)
}

/// A hash that is the same on every machine and in every year (FNV-1a).
pub fn stable_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_json() {
        for ending in [Ending::Rule(RuleEnd::Threefold), Ending::TimeLoss, Ending::Crash] {
            let warnings = [Warnings::from([(Warning::UnknownOutput, 2)]), Warnings::new()];
            let (outcome, plies, moves_hash, pgn_bytes) = (GameOutcome::Win, 80, u64::MAX, 3000);
            let record = GameRecord { outcome, ending, plies, moves_hash, pgn_bytes, warnings };
            let games = BTreeMap::from([(GameId { pair: 7, is_swapped: true }, record)]);
            let text = serde_json::to_string(&games).unwrap();
            assert!(text.starts_with("{\"7.2\":{\"outcome\":\"win\""), "{text}");
            assert_eq!(serde_json::from_str::<BTreeMap<_, _>>(&text).unwrap(), games);
        }
    }

    #[test]
    fn faults_are_told_from_results() {
        assert!(Ending::TimeLoss.is_fault() && Ending::Stall.is_fault());
        assert!(!Ending::Length.is_fault() && !Ending::Rule(RuleEnd::Checkmate).is_fault());
    }
}
