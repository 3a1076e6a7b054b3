//! `genfens`: positions to start games from, as OpenBench asks an engine for them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use koel_board::Position;
use koel_eval::Evaluation;
use koel_random::Rng;
use koel_uci::Reply;
use thiserror::Error;

/// Random plies from the start or from a position of the book: eight or nine, so that either side
/// may be to move.
const PLIES: usize = 8;

/// Beyond this many centipawns nobody wants to play a position.
const MOST_WORTH: i32 = 300;

/// So often in a row a position may turn out not to be worth playing.
const TRIALS: u32 = 10_000;

/// `genfens COUNT seed SEED book FILE|None ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Genfens {
    count: u64,
    seed: u64,
    book: Option<PathBuf>,
}

/// Why no positions were made.
#[derive(Debug, Error)]
pub(crate) enum GenfensError {
    #[error("genfens: wants `COUNT seed SEED book FILE`, the file `None` without a book")]
    Syntax,
    #[error("genfens: {0}: {1}")]
    Book(String, std::io::Error),
    #[error("genfens: {0}: no position to begin from")]
    EmptyBook(String),
    #[error("genfens: the book leads to nothing worth playing")]
    NoneFound,
    #[error("genfens was stopped")]
    Stopped,
}

impl Genfens {
    /// Reads what stands behind the word. What follows the book is for other engines.
    pub(crate) fn read(arguments: &str) -> Result<Genfens, GenfensError> {
        let words = arguments.split_whitespace().collect::<Vec<_>>();
        let [count, "seed", seed, "book", book, ..] = words[..] else {
            return Err(GenfensError::Syntax);
        };
        let number = |text: &str| text.parse().map_err(|_| GenfensError::Syntax);
        let book = (!book.eq_ignore_ascii_case("none")).then(|| book.into());
        Ok(Genfens { count: number(count)?, seed: number(seed)?, book })
    }

    /// The positions to begin from.
    pub(crate) fn starts(&self) -> Result<Vec<Position>, GenfensError> {
        let Some(path) = &self.book else { return Ok(vec![Position::start()]) };
        let name = || path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|error| GenfensError::Book(name(), error))?;
        let starts = text.lines().filter_map(start_of_line).collect::<Vec<_>>();
        if starts.is_empty() { Err(GenfensError::EmptyBook(name())) } else { Ok(starts) }
    }

    /// Tells the positions, one a line.
    pub(crate) fn run(
        &self,
        starts: &[Position],
        tell: &dyn Fn(Reply),
        stop: &AtomicBool,
    ) -> Result<(), GenfensError> {
        let mut random = Rng::new(self.seed);
        for _ in 0..self.count {
            let mut trials = 0..TRIALS;
            let position = loop {
                if stop.load(Relaxed) {
                    return Err(GenfensError::Stopped);
                }
                let start = &starts[random.below(starts.len())];
                match (wander(start, &mut random), trials.next()) {
                    (Some(position), _) => break position,
                    (None, Some(_)) => {}
                    (None, None) => return Err(GenfensError::NoneFound),
                }
            };
            tell(Reply::text(format_args!("genfens {position}")));
        }
        Ok(())
    }
}

/// A line of a book: a FEN or, without the clocks, an EPD with operations behind.
fn start_of_line(line: &str) -> Option<Position> {
    let fields = |count| line.split_whitespace().take(count).collect::<Vec<_>>().join(" ");
    let six = Position::from_fen(&fields(6));
    six.or_else(|_| Position::from_fen(&format!("{} 0 1", fields(4)))).ok()
}

/// A position some random moves away, if it is worth playing.
fn wander(start: &Position, random: &mut Rng) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..PLIES + random.below(2) {
        let moves = position.legal_moves();
        let drawn = random.below(moves.len());
        position.play(*moves.get(drawn)?);
    }
    let worth = Evaluation::default().evaluate(&position).0.abs();
    (position.has_legal_moves() && !position.is_check() && worth <= MOST_WORTH).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read() {
        let read = |text| Genfens::read(text).ok();
        let without = Genfens { count: 10, seed: 42, book: None };
        assert_eq!(read("10 seed 42 book None"), Some(without.clone()));
        let with = Genfens { book: Some("a.epd".into()), ..without };
        assert_eq!(read("10 seed 42 book a.epd extra words"), Some(with));
        for wrong in ["", "10", "x seed 1 book None", "10 seed -1 book None", "10 seed 1"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn lines_of_books() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9";
        assert_eq!(start_of_line(fen).unwrap().to_string(), fen);
        let epd = start_of_line("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";").unwrap();
        assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert!(start_of_line("# a comment").is_none());
    }
}
