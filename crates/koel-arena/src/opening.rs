//! Openings of games, from EPD or PGN.

use std::io::{self, BufRead};
use std::path::Path;

use koel_board::{CastlingNotation, Epd, Position};
use koel_pgn::{GameReader, PgnEntry, PgnGame, TextLines, open_text};
use koel_random::Rng;
use koel_uci::{MoveText, PositionSetup, StartPosition};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::referee::Referee;

/// The built-in set: 10,000 positions after five to eight good moves, balanced by a search of Koel.
pub static DEFAULT_OPENINGS: &str = include_str!("../openings/natural.epd");

/// An opening: a position, and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position as FEN; `None` for the initial position.
    pub fen: Option<String>,
    /// The moves from that position.
    pub moves: Vec<MoveText>,
    /// The tags of its game that name it: `ECO`, `Opening` and `Variation`.
    pub names: Vec<(&'static str, String)>,
}

/// Openings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The text cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The name of the file ends in none of `.epd`, `.fen` and `.pgn`.
    #[error("a file of openings must end in .epd, .fen or .pgn")]
    Format,
    /// A line or game is not valid, or over.
    #[error("opening {number} (line {line}): {problem}")]
    Invalid {
        /// The number of the opening in the file, from 1.
        number: usize,
        /// The number of the line of the error, from 1.
        line: usize,
        /// The error in it.
        problem: String,
    },
    /// There is no opening.
    #[error("there is no opening")]
    Empty,
}

impl Opening {
    /// Returns the position before the moves.
    ///
    /// # Errors
    /// If the FEN is not one that [`koel_board`] accepts, or the mode does not allow its castling
    /// rights.
    pub fn start(&self, mode: CastlingMode) -> Result<Chess, String> {
        let Some(fen) = &self.fen else { return Ok(Chess::new()) };
        // The engine and its tools accept the same FENs.
        koel_board::Position::from_fen(fen).map_err(|error| error.to_string())?;
        let fen: Fen = fen.parse().map_err(|error| format!("{error}"))?;
        fen.into_position(mode).map_err(|error| format!("{error}"))
    }

    /// Returns the opening if it can be played and is not over by the rules.
    fn checked(self, mode: CastlingMode) -> Result<Opening, String> {
        let mut referee = Referee::new(self.start(mode)?, mode);
        for (index, &m) in self.moves.iter().enumerate() {
            if referee.end().is_some() {
                return Err(format!("the game is over after {index} plies"));
            }
            referee.play_without_san(m).ok_or_else(|| format!("{m} is not a legal move"))?;
        }
        match referee.end() {
            None => Ok(self),
            Some(end) => Err(format!("it is over: {}", end.describe())),
        }
    }

    /// Returns the position and the moves as a `position` command.
    pub fn setup(&self) -> PositionSetup {
        let start = self.fen.clone().map_or(StartPosition::Standard, StartPosition::Fen);
        PositionSetup { start, moves: self.moves.clone() }
    }
}

/// Reads openings from a file: the lines of an EPD or FEN file, or the first `plies` of each game
/// of a PGN.
///
/// # Errors
/// If the file cannot be read, or an opening is not valid or over by the rules.
pub fn read_openings(
    path: &Path,
    plies: usize,
    mode: CastlingMode,
) -> Result<Vec<Opening>, OpeningError> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("epd" | "fen") => parse_epd(open_text(path)?, mode),
        Some("pgn") => parse_pgn(open_text(path)?, plies, mode),
        _ => Err(OpeningError::Format),
    }
}

/// Parses one position from each line that is not empty and does not begin with `#`: four fields,
/// and the two move counters if they follow or are in the operations `hmvc` and `fmvn`. Other EPD
/// operations are ignored.
///
/// # Errors
/// If a line has no legal position or one that is over by the rules, or there is no line.
pub fn parse_epd(source: impl BufRead, mode: CastlingMode) -> Result<Vec<Opening>, OpeningError> {
    let mut lines = TextLines::new(source);
    let (mut openings, mut number) = (Vec::new(), 0);
    let mut text = String::new();
    while lines.append(&mut text)? {
        number += 1;
        let line = text.trim();
        if !line.is_empty() && !line.starts_with('#') {
            add_checked(&mut openings, epd_opening(line, mode), number, mode)?;
        }
        text.clear();
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

fn epd_opening(line: &str, mode: CastlingMode) -> Result<Opening, String> {
    let epd: Epd = line.parse().map_err(|error| format!("{error}"))?;
    let words = line.split(|c: char| c.is_whitespace() || c == ';');
    let fields: Vec<_> = words.filter(|word| !word.is_empty()).take(4).collect();
    let (clock, number) = (epd.position.halfmove_clock(), epd.position.fullmove_number());
    let written = format!("{} {clock} {number}", fields.join(" "));
    let fen = Some(fen_for_engines(&epd.position, &written, mode));
    Ok(Opening { fen, moves: Vec::new(), names: Vec::new() })
}

/// Returns the FEN of a position as it is written, or in chess, where engines know the castling
/// rights as `KQkq` only, in the usual form.
fn fen_for_engines(position: &Position, written: &str, mode: CastlingMode) -> String {
    match mode {
        CastlingMode::Chess960 => written.to_owned(),
        _ => position.to_string(),
    }
}

/// Adds an opening that was read on this line, if it can be played.
fn add_checked(
    openings: &mut Vec<Opening>,
    found: Result<Opening, String>,
    line: usize,
    mode: CastlingMode,
) -> Result<(), OpeningError> {
    let number = openings.len() + 1;
    let checked = found.and_then(|opening| opening.checked(mode));
    openings.push(checked.map_err(|problem| OpeningError::Invalid { number, line, problem })?);
    Ok(())
}

/// Parses the first `plies` of every game.
///
/// # Errors
/// If a game has anything that is not PGN, an illegal position or move or an opening that is over
/// by the rules, or there is no game.
pub fn parse_pgn(
    source: impl BufRead,
    plies: usize,
    mode: CastlingMode,
) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for entry in GameReader::new(source) {
        let (line, opening) = match entry? {
            PgnEntry::Game(pgn) => (pgn.line, pgn_opening(&pgn, plies, mode)),
            PgnEntry::Faulty(faulty) => (faulty.line, Err(faulty.error.to_string())),
            PgnEntry::Text(_) => continue,
        };
        add_checked(&mut openings, opening, line, mode)?;
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

fn pgn_opening(pgn: &PgnGame, plies: usize, mode: CastlingMode) -> Result<Opening, String> {
    if pgn.ends_at_null_move && pgn.game.moves().len() < plies {
        return Err("a null move in the opening".to_owned());
    }
    let notation = match mode {
        CastlingMode::Chess960 => CastlingNotation::Chess960,
        _ => CastlingNotation::Standard,
    };
    let played = pgn.game.positions().zip(pgn.game.moves()).take(plies);
    let moves = played.map(|(position, m)| position.uci(m, notation).parse());
    let moves = moves.collect::<Result<_, _>>().map_err(|error| format!("{error}"))?;
    let names = ["ECO", "Opening", "Variation"];
    let named = |name| Some((name, pgn.tags.value(name)?.to_owned()));
    let names = names.into_iter().filter_map(named).collect();
    let fen = pgn.tags.value("FEN").map(|fen| fen_for_engines(pgn.game.start(), fen, mode));
    Ok(Opening { fen, moves, names })
}

/// Returns the order in which openings are played: a random permutation, given by the seed.
pub fn opening_order(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<_> = (0..count).collect();
    Rng::new(seed).shuffle(&mut order);
    order
}
