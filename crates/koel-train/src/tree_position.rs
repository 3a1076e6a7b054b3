//! Positions of search trees as training positions.
//!
//! A search evaluates mostly positions that games do not reach, after moves that one side would not
//! play. For a labelled search of a game, a quiet position of its tree is labelled too, by a search
//! of its own. (Veness, Silver, Uther and Blair, "Bootstrapping from game tree search", 2009, train
//! with all positions of a tree; nodchip's fork of Stockfish with one for each search.)

use koel_board::{Game, Position};
use koel_random::Rng;
use koel_search::Searcher;

use crate::kept_positions::is_kept;
use crate::node_limits::for_white;
use crate::opening::pick;
use crate::selfplay_settings::SelfplaySettings;
use crate::training_game::ScoredMove;

/// The greatest difference from the score of the root, in centipawns.
const WINDOW: i32 = 200;
/// The number of positions that are tried: two of three searches find one then, so that nearly half
/// of the labels are those of trees. (With two tries one of two does, for 4 % fewer nodes each.)
const TRIES: usize = 4;

/// Returns a position a few plies after that of a game, with the result of its own full search;
/// `None` if none of those tried is kept with a score near that of the game's position.
pub(crate) fn tree_position(
    searcher: &mut Searcher,
    rng: &mut Rng,
    settings: &SelfplaySettings,
    game: &Game,
    root_white_score: i16,
) -> Option<(Position, ScoredMove)> {
    (0..TRIES).find_map(|_| {
        let line = tree_line(searcher, rng, settings, game)?;
        let position = line.position();
        // The fast search rejects most of what the full one would.
        let mut search = |is_full| {
            let result = settings.limits(position, is_full).search(searcher, &line);
            let white_score =
                ScoredMove::stored_score(for_white(position, result.score), result.depth);
            let scored = ScoredMove { played: result.best_move?, white_score };
            let difference = i32::from(white_score) - i32::from(root_white_score);
            (difference.abs() <= WINDOW && is_kept(position, &scored)).then_some(scored)
        };
        search(false).and_then(|_| search(true)).map(|scored| (position.clone(), scored))
    })
}

/// Plays one to four plies as the branches of an alpha-beta tree go: one side, drawn at random,
/// plays any move, at least once, and the other replies with the move of the transposition table,
/// or of a fast search where there is none. `None` if the line ends in a check or a game that is
/// over.
fn tree_line(
    searcher: &mut Searcher,
    rng: &mut Rng,
    settings: &SelfplaySettings,
    game: &Game,
) -> Option<Game> {
    let mut line = game.clone();
    let first_random = rng.below(2);
    let plies = first_random + 1 + rng.below(3);
    for ply in 0..plies {
        let position = line.position();
        let played = if ply % 2 == first_random {
            pick(rng, &position.legal_moves())
        } else {
            let limits = settings.limits(position, false);
            searcher.table_move(position).or_else(|| limits.search(searcher, &line).best_move)
        };
        line.play(played?).ok()?;
    }
    (line.outcome().is_none() && !line.position().is_check()).then_some(line)
}

#[cfg(test)]
mod tests {
    use koel_eval::Evaluation;

    use super::*;
    use crate::opening::{OpeningGenerator, OpeningKind};
    use crate::phase_values::PhaseValues;

    #[test]
    fn positions_of_a_tree_are_quiet_and_near_its_root() {
        let soft_nodes = PhaseValues::Uniform(60);
        let settings =
            SelfplaySettings { soft_nodes, fast_soft_nodes: 20, ..SelfplaySettings::default() };
        let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
        let mut draw = |seed| {
            let rng = &mut Rng::new(seed);
            let mut openings = OpeningGenerator::default();
            let root = openings.draw(&mut searcher, rng, OpeningKind::Long, 0.1);
            searcher.new_game();
            let result = settings.limits(root.position(), true).search(&mut searcher, &root);
            let root_score = for_white(root.position(), result.score).centipawns() as i16;
            let found = tree_position(&mut searcher, rng, &settings, &root, root_score);
            (root, root_score, found)
        };
        let ply = |position: &Position| {
            2 * position.fullmove_number() + u32::from(position.turn().is_black())
        };
        let mut distances = [0; 5];
        for seed in 0..40 {
            let (root, root_score, found) = draw(seed);
            assert_eq!(draw(seed).2, found);
            let Some((position, scored)) = found else { continue };
            assert!(position.is_legal(scored.played) && is_kept(&position, &scored));
            assert!(scored.white_score.abs_diff(root_score) <= 200);
            distances[(ply(&position) - ply(root.position())) as usize] += 1;
        }
        assert!(distances[0] == 0 && distances[1..].iter().all(|&count| count > 0));
        assert!(distances.iter().sum::<i32>() > 10, "{distances:?}");
    }
}
