//! A set of natural openings for matches.

use std::collections::BTreeSet;

use koel_board::Position;
use koel_eval::Evaluation;
use koel_random::Rng;
use koel_search::OutOfMemory;

use crate::opening::OpeningGenerator;
use crate::player::{NodeLimits, Player};

/// The least number of plies; up to three more follow.
const MIN_PLIES: usize = 5;
/// The largest absolute score of an opening, in centipawns...
const MAX_SCORE: i32 = 100;
/// ...by a search with this soft node limit.
const NODES: u64 = 5_000;

/// Returns openings of five to eight good moves from the start position: their final positions as
/// sorted lines of EPD, none twice. The moves are drawn like those of natural openings of self-play.
/// The count, the seed and the evaluation determine the set. `report` receives the number found so
/// far.
///
/// # Errors
/// The memory of a search cannot be allocated.
pub(crate) fn match_openings(
    evaluation: &Evaluation,
    count: usize,
    seed: u64,
    report: &mut dyn FnMut(usize),
) -> Result<Vec<String>, OutOfMemory> {
    let mut player = Player::new(1, evaluation.clone())?;
    let mut generator = OpeningGenerator::default();
    let mut rng = Rng::new(seed);
    let mut lines = BTreeSet::new();
    while lines.len() < count {
        let plies = MIN_PLIES + rng.below(4);
        let start = Position::start();
        let Some(game) = generator.natural_line(&mut player, &mut rng, start, plies) else {
            continue;
        };
        let score = player.search(&game, NodeLimits::with_soft(NODES)).score;
        if score.centipawns().abs() <= MAX_SCORE && !game.position().is_check() {
            lines.insert(epd(game.position()));
            report(lines.len());
        }
    }
    Ok(lines.into_iter().collect())
}

/// Returns the first four fields of the FEN.
fn epd(position: &Position) -> String {
    let fen = position.to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_positions_of_five_to_eight_plies_and_repeat() {
        let openings =
            |count, seed| match_openings(&Evaluation::default(), count, seed, &mut |_| ()).unwrap();
        let lines = openings(6, 1);
        assert_eq!(lines, openings(6, 1));
        assert_ne!(lines, openings(6, 2));
        assert_eq!(lines.len(), 6);
        for line in &lines {
            assert_eq!(line.split(' ').count(), 4);
            let position = Position::from_fen(&format!("{line} 0 1")).unwrap();
            assert!(position.has_legal_moves() && position.occupied().count() >= 26, "{line}");
        }
    }
}
