//! The truth about repetitions at the end of a line, by brute force over the legal moves.

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move};

use crate::oracle::{Line, draws, parse};
use crate::record::Record;

/// The truth about one position of a search, `ply` plies after the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Truth {
    /// The number of occurrences of the position since the last null move, this one included.
    pub(crate) occurrences: usize,
    /// True if the position occurs for the third time: the arbiter's draw.
    pub(crate) threefold: bool,
    /// True if a search scores the position as a draw: an earlier occurrence strictly after the
    /// root, or the third occurrence.
    pub(crate) draw: bool,
    /// The legal moves into an earlier position, the nearest first.
    pub(crate) returns: Vec<Return>,
    /// The first of them whose return is a draw for the search: the upcoming repetition.
    pub(crate) upcoming: Option<Upcoming>,
    /// The nearest earlier position strictly after the root from which one reversible move leads
    /// here.
    pub(crate) no_progress: Option<NoProgress>,
}

/// A legal move into an earlier position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Return {
    #[serde(rename = "move")]
    pub(crate) played: String,
    /// The distances of the occurrences of that position from the current one, in plies, ascending.
    pub(crate) plies: Vec<usize>,
    /// True if a search scores the position after the move as a draw by repetition.
    pub(crate) draw: bool,
}

/// The move of an upcoming repetition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upcoming {
    #[serde(rename = "move")]
    pub(crate) played: String,
    /// The distance of the nearest occurrence that makes it a draw.
    pub(crate) plies: usize,
}

/// The origin of a line without progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoProgress {
    /// The number of moves played before the earlier position.
    pub(crate) origin: usize,
    /// The move from there into the current position.
    #[serde(rename = "move")]
    pub(crate) played: String,
}

impl Truth {
    /// Finds the truth at the end of a line of which `root` moves were played before the search.
    pub(crate) fn find(line: &Line, root: usize, mode: CastlingMode) -> Self {
        let ply = line.plies() - root;
        let uci = |played: Move| played.to_uci(mode).to_string();
        let repetitions = line.repetitions();
        let mut found = line.returns();
        found.sort_by_key(|found| found.plies[0]);
        let nearest = found.iter().filter_map(|found| Some((found.nearest(ply)?, found)));
        let upcoming = nearest
            .min_by_key(|&(plies, _)| plies)
            .map(|(plies, found)| Upcoming { played: uci(found.played), plies });
        let no_progress = line.shortcuts().into_iter().find(|&(plies, _)| plies < ply);
        let returns = found.iter().map(|found| Return {
            played: uci(found.played),
            plies: found.plies.clone(),
            draw: found.is_draw(ply),
        });
        Self {
            occurrences: 1 + repetitions.len(),
            threefold: repetitions.len() >= 2,
            draw: draws(&repetitions, ply),
            returns: returns.collect(),
            upcoming,
            no_progress: no_progress.map(|(plies, played)| NoProgress {
                origin: line.plies() - plies,
                played: uci(played),
            }),
        }
    }
}

/// Returns the castling mode of a record.
pub(crate) fn mode(record: &Record) -> CastlingMode {
    if record.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// Plays the moves of a record.
///
/// # Errors
///
/// If a move is not legal, or the root lies behind the end.
pub(crate) fn play(record: &Record) -> Result<Line, String> {
    let mut line = Line::new(parse(&record.fen, mode(record)));
    for text in record.moves.split_whitespace() {
        let illegal = || format!("{}: the move {text} is not legal", record.id);
        match text.parse::<UciMove>().map_err(|_| illegal())? {
            UciMove::Null => {
                line.push_null().then_some(()).ok_or_else(illegal)?;
            }
            uci => line.push(uci.to_move(&line.now().position).map_err(|_| illegal())?),
        }
    }
    match record.root <= line.plies() {
        true => Ok(line),
        false => Err(format!("{}: the root lies behind the last move", record.id)),
    }
}

/// Compares a record with brute force.
///
/// # Errors
///
/// If the record is wrong: the truth that was found.
pub(crate) fn check(record: &Record) -> Result<(), String> {
    let truth = Truth::find(&play(record)?, record.root, mode(record));
    match truth == record.truth {
        true => Ok(()),
        false => Err(format!("{}: brute force finds {truth:?}", record.id)),
    }
}
