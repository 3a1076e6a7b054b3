//! Accuracy and centipawn loss as Lichess computes them, from the scores before and after each
//! move.
//!
//! A score becomes the percentage of wins that it promises. The accuracy of a move falls with the
//! percentage that it loses. That of a game is the mean of two means of its moves: one weighted by
//! how much the percentages around a move change, and the harmonic one, which a few bad moves pull
//! down.

use koel_board::{Bitboard, Color, Position, Rank, Role};

/// The score beyond which nothing is won or lost, in centipawns; a mate has it.
pub(crate) const MAX_CENTIPAWNS: f64 = 1000.0;

const FIRST_RANKS: [(Color, Rank); 2] = [(Color::White, Rank::First), (Color::Black, Rank::Eighth)];

/// The stage of a game at a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub(crate) enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub(crate) const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }

    /// Returns the phase of a position: an endgame with at most six pieces beside kings and pawns,
    /// and a middlegame with at most ten, or when a side has fewer than four men on its first rank.
    pub(crate) fn of(position: &Position) -> Phase {
        let count = |role| position.role(role).count();
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(count);
        let is_sparse = |(color, rank)| (position.color(color) & Bitboard::from(rank)).count() < 4;
        match pieces.iter().sum() {
            ..=6_usize => Phase::Endgame,
            7..=10 => Phase::Middlegame,
            _ if FIRST_RANKS.into_iter().any(is_sparse) => Phase::Middlegame,
            _ => Phase::Opening,
        }
    }
}

/// Returns the percentage of wins that a score promises.
pub(crate) fn win_percent(centipawns: f64) -> f64 {
    let chance = 2.0 / (1.0 + (-0.003_682_08 * centipawns).exp()) - 1.0;
    50.0 + 50.0 * chance
}

/// Returns the accuracy of a move by its player's percentages before and after it.
pub(crate) fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let exact = 103.166_810_071_164_9 * (-0.043_544_153_869_539_51 * (before - after)).exp();
    // The added 1 allows for the uncertainty of an analysis.
    (exact - 3.166_924_740_191_411 + 1.0).clamp(0.0, 100.0)
}

/// Returns the weight of each move between these percentages: their standard deviation in a window
/// of a tenth of the moves, which ends with the move or is the first one.
pub(crate) fn weights(percents: &[f64]) -> Vec<f64> {
    let moves = percents.len().saturating_sub(1);
    let size = (moves / 10).clamp(2, 8).min(percents.len());
    let window = |of: usize| {
        let start = (of + 2).saturating_sub(size);
        deviation(&percents[start..start + size]).clamp(0.5, 12.0)
    };
    (0..moves).map(window).collect()
}

/// Returns the standard deviation of a whole population.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// Returns the accuracy of moves, given as accuracy and weight; `None` if there are none.
pub(crate) fn accuracy(moves: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut count, mut weight, mut weighted, mut inverse) = (0.0, 0.0, 0.0, 0.0);
    for (accuracy, of) in moves {
        count += 1.0;
        weight += of;
        weighted += accuracy * of;
        inverse += 1.0 / accuracy.max(1.0);
    }
    (count > 0.0).then(|| f64::midpoint(weighted / weight, count / inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the formulas by Python.
    #[test]
    fn the_formulas_have_their_values() {
        let close = |found: f64, due: f64| assert!((found - due).abs() < 1e-6, "{found} {due}");
        for (score, due) in [
            (0.0, 50.000_000),
            (100.0, 59.102_590),
            (-100.0, 40.897_410),
            (300.0, 75.112_550),
            (1000.0, 97.544_744),
        ] {
            close(win_percent(score), due);
        }
        for (before, after, due) in [
            (50.0, 60.0, 100.000_000),
            (50.0, 49.9, 100.000_000),
            (60.0, 50.0, 64.579_828),
            (80.0, 30.0, 9.527_819),
            (97.5, 2.5, 0.000_000),
        ] {
            close(move_accuracy(before, after), due);
        }
        assert_eq!(accuracy([].into_iter()), None);
        close(accuracy([(100.0, 1.0), (50.0, 3.0)].into_iter()).unwrap(), 64.583_333_333);
    }

    #[test]
    fn a_weight_is_the_change_around_the_move() {
        // Ten moves: windows of two positions.
        let still = [50.0; 11];
        assert_eq!(weights(&still), [0.5; 10]);
        let mut turned = still;
        turned[5..].fill(80.0);
        let found = weights(&turned);
        assert_eq!((found[3], found[4], found[5]), (0.5, 12.0, 0.5));
        assert_eq!(weights(&[50.0, 54.0]), [2.0]);
        assert!(weights(&[50.0]).is_empty() && weights(&[]).is_empty());
    }

    #[test]
    fn phases_are_those_of_the_material() {
        let of = |fen: &str| Phase::of(&Position::from_fen(fen).unwrap());
        assert_eq!(Phase::of(&Position::start()), Phase::Opening);
        assert_eq!(
            of("r3k2r/pppq1ppp/2n2n2/8/8/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1"),
            Phase::Middlegame
        );
        // All pieces, but few on a first rank.
        assert_eq!(
            of("2kr1b1r/pppq1ppp/2n1bn2/8/8/2NB1N2/PPPQ1PPP/1K1R3R w - - 0 1"),
            Phase::Middlegame
        );
        assert_eq!(of("6k1/5ppp/3r1n2/8/8/3R1N2/5PPP/6K1 w - - 0 1"), Phase::Endgame);
    }
}
