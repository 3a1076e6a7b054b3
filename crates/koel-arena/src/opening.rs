//! Openings of games, from EPD or PGN.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use koel_files::IN_MEMORY;
use koel_uci::{MoveText, PositionSetup, StartPosition};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use koel_random::Rng;

/// The built-in set: 10,000 positions after five to eight good moves, balanced by a search of Koel.
pub static DEFAULT_OPENINGS: &str = include_str!("../openings/natural.epd");

/// An opening: a position, and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position as FEN; `None` for the initial position.
    pub fen: Option<String>,
    /// The moves from that position.
    pub moves: Vec<MoveText>,
}

/// Openings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The name of the file ends in none of `.epd`, `.fen` and `.pgn`.
    #[error("{path}: a file of openings must end in .epd, .fen or .pgn", path = .0.display())]
    Format(PathBuf),
    /// A line or game is not valid.
    #[error("opening {number}: {problem}")]
    Invalid {
        /// The number of the line (EPD) or game (PGN), from 1.
        number: usize,
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

    /// Returns the position and the moves as a `position` command.
    ///
    /// # Errors
    /// If the FEN is not valid.
    pub fn setup(&self) -> Result<PositionSetup, String> {
        let start = match &self.fen {
            Some(fen) => StartPosition::Fen(fen.parse().map_err(|error| format!("{error}"))?),
            None => StartPosition::Standard,
        };
        Ok(PositionSetup { start, moves: self.moves.clone() })
    }
}

/// Reads openings from a file: the lines of an EPD or FEN file, or the first `plies` of each game of
/// a PGN.
///
/// # Errors
/// If the file cannot be read, or an opening is not valid.
pub fn read_openings(
    path: &Path,
    plies: usize,
    mode: CastlingMode,
) -> Result<Vec<Opening>, OpeningError> {
    let load = || {
        koel_files::read_to_string(path, IN_MEMORY)
            .map_err(|source| OpeningError::Read { path: path.to_owned(), source })
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("epd" | "fen") => parse_epd(&load()?, mode),
        Some("pgn") => parse_pgn(&load()?, plies, mode),
        _ => Err(OpeningError::Format(path.to_owned())),
    }
}

/// Parses one position from each line that is not empty: four fields, and the two move counters if
/// they follow. EPD operations are ignored.
///
/// # Errors
/// If a line has no legal position, or there is no line.
pub fn parse_epd(text: &str, mode: CastlingMode) -> Result<Vec<Opening>, OpeningError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let openings: Result<Vec<_>, _> = lines
        .map(|(index, line)| {
            let fields: Vec<_> = line.split_whitespace().collect();
            let are_counters = fields.len() >= 6
                && fields[4..6].iter().all(|field| field.bytes().all(|byte| byte.is_ascii_digit()));
            let taken = fields.len().min(if are_counters { 6 } else { 4 });
            let counters = if are_counters { "" } else { " 0 1" };
            let fen = fields[..taken].join(" ") + counters;
            let opening = Opening { fen: Some(fen), moves: Vec::new() };
            let problem = |problem| OpeningError::Invalid { number: index + 1, problem };
            opening.start(mode).map_err(problem)?;
            Ok(opening)
        })
        .collect();
    not_empty(openings?)
}

fn not_empty(openings: Vec<Opening>) -> Result<Vec<Opening>, OpeningError> {
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

/// Parses the first `plies` of every game.
///
/// # Errors
/// If a game has an illegal position or move, or there is no game.
pub fn parse_pgn(
    text: &str,
    plies: usize,
    mode: CastlingMode,
) -> Result<Vec<Opening>, OpeningError> {
    let mut reader = Reader::new(Cursor::new(text));
    let mut visitor = OpeningVisitor { plies, mode };
    let openings: Result<Vec<_>, _> = reader
        .read_games(&mut visitor)
        .enumerate()
        .map(|(index, game)| {
            let problem = |problem| OpeningError::Invalid { number: index + 1, problem };
            game.map_err(|error| problem(error.to_string()))?.map_err(problem)
        })
        .collect();
    not_empty(openings?)
}

struct OpeningVisitor {
    plies: usize,
    mode: CastlingMode,
}

struct Line {
    opening: Opening,
    position: Chess,
}

impl Visitor for OpeningVisitor {
    type Tags = Option<String>;
    type Movetext = Line;
    type Output = Result<Opening, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            *fen = Some(value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> ControlFlow<Self::Output, Line> {
        let opening = Opening { fen, moves: Vec::new() };
        match opening.start(self.mode) {
            Ok(position) => ControlFlow::Continue(Line { opening, position }),
            Err(problem) => ControlFlow::Break(Err(problem)),
        }
    }

    fn san(&mut self, line: &mut Line, san_plus: SanPlus) -> ControlFlow<Self::Output> {
        if line.opening.moves.len() == self.plies {
            return ControlFlow::Continue(());
        }
        let m = match san_plus.san.to_move(&line.position) {
            Ok(m) => m,
            Err(error) => return ControlFlow::Break(Err(format!("{san_plus}: {error}"))),
        };
        let text = UciMove::from_move(m, self.mode).to_string();
        line.position.play_unchecked(m);
        match text.parse() {
            Ok(m) => {
                line.opening.moves.push(m);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("{error}"))),
        }
    }

    fn begin_variation(&mut self, _: &mut Line) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, line: Line) -> Self::Output {
        Ok(line.opening)
    }
}

/// Returns the order in which openings are played: a random permutation, given by the seed.
pub fn opening_order(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<_> = (0..count).collect();
    Rng::new(seed).shuffle(&mut order);
    order
}

/// Formats a position as one line of EPD.
pub(crate) fn epd(position: &Chess) -> String {
    shakmaty::fen::Epd::from_position(position, EnPassantMode::Legal).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: CastlingMode = CastlingMode::Standard;

    #[test]
    fn epd_lines_are_positions() {
        let text =
            "4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; id \"one\";\n\n4k3/8/8/8/8/8/8/4K2R b K - 3 9\n";
        let openings = parse_epd(text, STANDARD).unwrap();
        let fens: Vec<_> = openings.iter().map(|o| o.fen.clone().unwrap()).collect();
        assert_eq!(fens, ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R b K - 3 9"]);
        let digits = parse_epd("4k3/44/8/8/8/8/8/4K3 w - -", STANDARD).unwrap_err();
        assert!(digits.to_string().contains("two digits side by side"), "{digits}");
        let error = parse_epd("4k3/8/8/8/8/8/8/4K2R w K -\nnonsense\n", STANDARD).unwrap_err();
        assert!(error.to_string().starts_with("opening 2:"), "{error}");
        assert!(matches!(parse_epd("\n", STANDARD), Err(OpeningError::Empty)));
    }

    #[test]
    fn pgn_games_are_cut_to_openings() {
        let text = "[Event \"a\"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 {good} Nc6 3. Bb5 *\n\n\
                    [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n";
        let openings = parse_pgn(text, 3, STANDARD).unwrap();
        let commands: Vec<_> = openings.iter().map(|o| o.setup().unwrap().to_string()).collect();
        assert_eq!(
            commands,
            [
                "position startpos moves e2e4 e7e5 g1f3",
                "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8d7"
            ]
        );
        let error = parse_pgn("1. e4 e4 *", 8, STANDARD).unwrap_err();
        assert!(error.to_string().starts_with("opening 1: e4"), "{error}");
    }

    #[test]
    fn the_built_in_set_is_valid() {
        let openings = parse_epd(DEFAULT_OPENINGS, STANDARD).unwrap();
        let distinct: std::collections::HashSet<_> =
            openings.iter().map(|opening| epd(&opening.start(STANDARD).unwrap())).collect();
        assert_eq!(distinct.len(), openings.len());
        assert_eq!(openings.len(), 10_000);
        for opening in &openings {
            let position = opening.start(STANDARD).unwrap();
            assert!(
                position.board().occupied().count() >= 24 && !position.legal_moves().is_empty()
            );
        }
    }

    #[test]
    fn the_seed_gives_the_order() {
        assert_eq!(opening_order(50, 3), opening_order(50, 3));
        assert_ne!(opening_order(50, 3), opening_order(50, 4));
    }
}
