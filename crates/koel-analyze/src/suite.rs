//! Test suites: positions of an EPD of which it is known what is best.

use std::fmt;

use koel_board::{Epd, Move, Position};
use koel_pgn::{PgnGame, Token, find_move};
use koel_uci::Score;

use crate::engine::PositionAnalysis;

/// The positions of a suite so far.
#[derive(Default)]
pub(crate) struct Suite {
    solved: u64,
    all: u64,
}

impl Suite {
    /// Adds a position, if it belongs to a suite.
    pub(crate) fn add(&mut self, solved: Option<bool>) {
        self.solved += u64::from(solved == Some(true));
        self.all += u64::from(solved.is_some());
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all {
            0 => Ok(()),
            all => writeln!(f, "solved {}/{all}", self.solved),
        }
    }
}

/// Returns true if the analysis of a position has found what its operations name: one of the best
/// moves (`bm`), none of those to avoid (`am`), or a mate in so many moves (`dm`). `None` if there
/// are no such operations, or one of them cannot be read.
pub(crate) fn is_solved(pgn: &PgnGame, found: &PositionAnalysis) -> Option<bool> {
    let tasks = tasks(pgn).ok()?;
    let solves = |task: &Task| match task {
        Task::Best(moves) => moves.contains(&found.best.first),
        Task::Avoid(moves) => !moves.contains(&found.best.first),
        Task::Mate(longest) => {
            matches!(found.best.score, Score::Mate(moves) if (1..=*longest).contains(&moves))
        }
    };
    (!tasks.is_empty()).then(|| tasks.iter().all(solves))
}

/// Returns the word of the operations of a position that cannot be read, so that the position does
/// not count.
pub(crate) fn unread_operand(pgn: &PgnGame) -> Option<String> {
    tasks(pgn).err()
}

/// A task of a position of a test suite.
enum Task {
    Best(Vec<Move>),
    Avoid(Vec<Move>),
    Mate(i32),
}

/// Returns the tasks of a position, or the word that is no legal move or number.
fn tasks(pgn: &PgnGame) -> Result<Vec<Task>, String> {
    let [Token::Comment(operations)] = &pgn.movetext[..] else { return Ok(Vec::new()) };
    let fen = pgn.game.start().to_string();
    let fields = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let Ok(epd) = format!("{fields} {operations}").parse::<Epd>() else { return Ok(Vec::new()) };
    let tasks = epd.operations.iter().filter_map(|operation| {
        let moves = || moves(pgn.game.start(), &operation.operands);
        match operation.opcode.to_ascii_lowercase().as_str() {
            "bm" => Some(moves().map(Task::Best)),
            "am" => Some(moves().map(Task::Avoid)),
            "dm" => {
                let number = operation.operands.first().map_or("", |operand| operand);
                Some(number.parse().map(Task::Mate).map_err(|_| format!("dm {number}")))
            }
            _ => None,
        }
    });
    tasks.collect()
}

/// Reads moves, between which commas may stand.
fn moves(position: &Position, texts: &[String]) -> Result<Vec<Move>, String> {
    let words = texts.iter().flat_map(|text| text.split(',')).filter(|word| !word.is_empty());
    words.map(|word| find_move(position, word).ok_or_else(|| word.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use koel_board::Game;
    use koel_pgn::Tags;

    use super::*;

    #[test]
    fn what_is_best_is_compared_with_what_is_found() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1").unwrap();
        let solved = |operations: &str, best: &str, score| {
            let found = PositionAnalysis::new(position.parse_uci(best).unwrap(), score, 0.5);
            let game = Game::new(position.clone());
            is_solved(&PgnGame::without_moves(Tags::default(), game, operations), &found)
        };
        let (draw, mate) = (Score::Centipawns(0), Score::Mate(2));
        for (operations, best, score, due) in [
            ("bm Rd8#;", "d1d8", draw, Some(true)),
            ("bm Rd7 Rd8+!;", "d1d8", draw, Some(true)),
            ("bm d1d8; id \"x\";", "d1d7", draw, Some(false)),
            ("am Rd8;", "d1d8", draw, Some(false)),
            ("am Rd8;", "a1a2", draw, Some(true)),
            ("dm 2; bm Rd8;", "d1d8", mate, Some(true)),
            ("dm 1;", "d1d8", mate, Some(false)),
            ("dm 2;", "d1d8", draw, Some(false)),
            ("bm Qd8;", "d1d8", mate, None),
            ("bm Rd8, Qd8;", "d1d8", mate, None),
            ("BM Rd7, Rd1-d8;", "d1d8", draw, Some(true)),
            ("am Rd8,Rd7;", "d1d8", draw, Some(false)),
            ("dm two;", "d1d8", mate, None),
            ("c0 \"bm Rd8;\";", "d1d8", mate, None),
            ("", "d1d8", mate, None),
        ] {
            assert_eq!(solved(operations, best, score), due, "{operations} {best}");
        }
        let mut suite = Suite::default();
        [Some(true), None, Some(false)].into_iter().for_each(|found| suite.add(found));
        assert_eq!(suite.to_string(), "solved 1/2\n");
    }
}
