//! `genfens`: random opening positions for data generation, in the format of OpenBench.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use koel_board::{Epd, FIFTY_MOVE_PLIES, Game, Position};
use koel_eval::Evaluation;
use koel_pgn::{TextLines, open_text};
use koel_random::Rng;
use koel_search::{Limits, OutOfMemory, Searcher};
use koel_uci::Reply;

use thiserror::Error;

/// The number of random plies from the starting position or a book position: eight or nine, so that
/// either side may be to move.
const PLIES: usize = 8;

/// The largest absolute score of a generated position, in centipawns...
const MAX_SCORE: i32 = 300;

/// ...by a search of this depth, whose best move is no capture or promotion.
const DEPTH: i32 = 4;

const MAX_ATTEMPTS: u32 = 10_000;

/// The arguments of `genfens COUNT seed SEED book FILE|None ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Genfens {
    count: u64,
    seed: u64,
    book: Option<PathBuf>,
}

#[derive(Debug, Error)]
pub(crate) enum GenfensError {
    #[error("expected `COUNT seed SEED book FILE`, with the file `None` for no book")]
    Syntax,
    #[error("{}: {error}", .path.display())]
    Book { path: PathBuf, error: io::Error },
    #[error("{}: the book holds no position", .0.display())]
    EmptyBook(PathBuf),
    #[error("no balanced position was found")]
    NoneFound,
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl Genfens {
    /// Parses the arguments. Whatever follows the book is ignored.
    pub(crate) fn parse(arguments: &str) -> Result<Genfens, GenfensError> {
        let words = arguments.split_whitespace().collect::<Vec<_>>();
        let [count, "seed", seed, "book", book, ..] = words[..] else {
            return Err(GenfensError::Syntax);
        };
        let number = |text: &str| text.parse().map_err(|_| GenfensError::Syntax);
        let book = (!book.eq_ignore_ascii_case("none")).then(|| book.into());
        Ok(Genfens { count: number(count)?, seed: number(seed)?, book })
    }

    /// Reads the book, or returns the starting position.
    pub(crate) fn start_positions(&self) -> Result<Vec<Position>, GenfensError> {
        let Some(path) = &self.book else { return Ok(vec![Position::start()]) };
        let book = open_text(path).and_then(|source| TextLines::new(source).collect());
        let book: Vec<String> =
            book.map_err(|error| GenfensError::Book { path: path.clone(), error })?;
        let starts = book.iter().filter_map(|line| parse_book_line(line)).collect::<Vec<_>>();
        if starts.is_empty() { Err(GenfensError::EmptyBook(path.clone())) } else { Ok(starts) }
    }

    /// Sends the positions, one per line.
    pub(crate) fn run(
        &self,
        starts: &[Position],
        send: &dyn Fn(Reply),
        stop: &AtomicBool,
    ) -> Result<(), GenfensError> {
        let mut random = Rng::new(self.seed);
        let mut filter = QuietFilter::new()?;
        for _ in 0..self.count {
            let mut attempts = 0..MAX_ATTEMPTS;
            let position = loop {
                if stop.load(Relaxed) {
                    return Err(GenfensError::Stopped);
                }
                let start = &starts[random.below(starts.len())];
                let found = random_walk(start, &mut random).filter(|found| filter.keeps(found));
                match (found, attempts.next()) {
                    (Some(position), _) => break position,
                    (None, Some(_)) => {}
                    (None, None) => return Err(GenfensError::NoneFound),
                }
            };
            send(Reply::text(format_args!("genfens {position}")));
        }
        Ok(())
    }
}

/// Parses a line of a book: a FEN or an EPD.
fn parse_book_line(line: &str) -> Option<Position> {
    line.parse::<Epd>().ok().map(|epd| epd.position)
}

/// A small search that keeps positions that are balanced and quiet.
struct QuietFilter(Searcher);

impl QuietFilter {
    fn new() -> Result<QuietFilter, OutOfMemory> {
        Ok(QuietFilter(Searcher::new(1, Evaluation::default())?))
    }

    fn keeps(&mut self, position: &Position) -> bool {
        let result = self.0.search(&Game::new(position.clone()), &Limits::to_depth(DEPTH));
        result.score.centipawns().abs() <= MAX_SCORE
            && result.best_move.is_some_and(|m| !m.is_noisy())
    }
}

/// Plays random moves and returns the position unless it is over by the rules or in check.
fn random_walk(start: &Position, random: &mut Rng) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..PLIES + random.below(2) {
        let moves = position.legal_moves();
        let index = random.below(moves.len());
        position.play(*moves.get(index)?);
    }
    let is_over = position.outcome().is_some() || position.halfmove_clock() >= FIFTY_MOVE_PLIES;
    (!is_over && !position.is_check()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parsed() {
        let read = |text| Genfens::parse(text).ok();
        let without = Genfens { count: 10, seed: 42, book: None };
        assert_eq!(read("10 seed 42 book None"), Some(without.clone()));
        let with = Genfens { book: Some("a.epd".into()), ..without };
        assert_eq!(read("10 seed 42 book a.epd extra words"), Some(with));
        for wrong in ["", "10", "x seed 1 book None", "10 seed -1 book None", "10 seed 1"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn book_lines_are_fens_or_epds() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9";
        assert_eq!(parse_book_line(fen).unwrap().to_string(), fen);
        let epd = parse_book_line("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";").unwrap();
        assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let clocks = parse_book_line("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 9;").unwrap();
        assert_eq!(clocks.to_string(), fen);
        assert!(parse_book_line("# a comment").is_none());
    }

    #[test]
    fn unbalanced_and_noisy_positions_are_left_out() {
        let mut filter = QuietFilter::new().unwrap();
        let mut keeps = |fen: &str| filter.keeps(&Position::from_fen(fen).unwrap());
        assert!(keeps(koel_board::START_FEN));
        // White is a queen up; White can take a queen, which makes the material even.
        assert!(!keeps("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(!keeps("rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1"));
    }

    #[test]
    fn no_position_is_over_by_the_rules() {
        let mut random = Rng::new(1);
        let mut positions = |fen: &str| {
            let start = Position::from_fen(fen).unwrap();
            (0..200).filter_map(|_| random_walk(&start, &mut random)).collect::<Vec<_>>()
        };
        assert!(positions("8/8/4k3/8/8/4K3/8/8 w - - 0 1").is_empty());
        let late = positions("rn2k3/8/8/8/8/8/8/RN2K3 w - - 95 80");
        assert!(late.iter().all(|position| position.halfmove_clock() < 100));
        assert!(!positions("rn2k3/8/8/8/8/8/8/RN2K3 w - - 80 80").is_empty());
    }
}
