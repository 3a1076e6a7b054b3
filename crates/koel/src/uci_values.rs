//! Values of the engine as UCI has them.

use std::time::Duration;

use koel_board::{CastlingNotation, Move};
use koel_engine::Line;
use koel_uci::{MoveText, Score};
use shakmaty::Role;

/// Returns the score of a line as UCI has it.
pub(crate) fn uci_score(line: &Line) -> Score {
    line.score.moves_to_mate().map_or(Score::Centipawns(line.centipawns), Score::Mate)
}

/// Returns a legal move in UCI notation.
pub(crate) fn move_text(m: Move, castling: CastlingNotation) -> MoveText {
    let promotion = m.promotion().map(Role::char);
    let text = MoveText::between(m.from().into(), m.uci_to(castling).into(), promotion);
    text.expect("squares are on the board")
}

/// Returns nodes per second, for an elapsed time of at least a microsecond.
pub(crate) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    per_second.try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;

    #[test]
    fn speed_is_never_divided_by_zero() {
        assert_eq!(nodes_per_second(1000, Duration::from_millis(500)), 2000);
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn castling_is_written_as_the_option_says_also_deep_in_a_line() {
        let root = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let first = root.parse_uci("e1g1").unwrap();
        let second = root.after(first).parse_uci("e8c8").unwrap();
        for (castling, expected) in [
            (CastlingNotation::Standard, ["e1g1", "e8c8"]),
            (CastlingNotation::Chess960, ["e1h1", "e8a8"]),
        ] {
            let line = [first, second].map(|m| move_text(m, castling));
            assert_eq!(line.map(|text| text.to_string()), expected);
        }
    }
}
