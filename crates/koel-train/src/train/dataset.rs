//! The positions of a training, in memory, divided into a training and a validation set.

use std::path::Path;

use anyhow::Result;
use koel_board::Position;
use koel_eval::network::training::SCALE;
use koel_random::Rng;

use super::real::Real;
use super::training_position::TrainingPosition;
use crate::kept_positions::{SeenPositions, is_kept, is_quiet_without_score};
use crate::training_game::{ScoredMove, TrainingGame};
use crate::viriformat::for_each_game;

/// The positions of many games that a filter keeps, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dataset {
    /// The training set.
    pub(crate) training: Vec<TrainingPosition>,
    /// The validation set; no game has positions in both sets.
    pub(crate) validation: Vec<TrainingPosition>,
    /// Games read.
    pub(crate) games: u32,
    /// Positions from which a move was played.
    pub(crate) positions: u64,
}

/// The seed that chooses the games of the validation set.
const VALIDATION_SEED: u64 = 1;

/// The choice of positions and their labels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct DatasetOptions {
    /// The share of games for the validation set, from 0 to 1.
    pub(crate) validation_share: f64,
    /// λ of TD(λ): see [`TrainingPlan`](super::plan::TrainingPlan::td_lambda).
    pub(crate) td_lambda: f64,
    /// The scale of expected scores in centipawns: see
    /// [`TrainingPlan`](super::plan::TrainingPlan::sigmoid_scale).
    pub(crate) sigmoid_scale: f64,
    /// True if quiet positions without a score are taken, which teachers label.
    pub(crate) takes_unscored: bool,
}

impl Default for DatasetOptions {
    fn default() -> DatasetOptions {
        DatasetOptions {
            validation_share: 0.05,
            td_lambda: 0.0,
            sigmoid_scale: f64::from(SCALE),
            takes_unscored: false,
        }
    }
}

impl Dataset {
    /// Adds the games of a file in viriformat, at most `limit`, and returns their number and size
    /// in bytes. An unfinished last game is left out.
    pub(crate) fn read(
        &mut self,
        path: &Path,
        limit: u32,
        options: &DatasetOptions,
        seen: &mut SeenPositions,
    ) -> Result<(u32, u64)> {
        let before = self.games;
        let end = for_each_game(path, limit, |game| self.add(game, options, seen))?;
        Ok((self.games - before, end))
    }

    /// Adds the positions of a game that are not among those seen before.
    pub(crate) fn add(
        &mut self,
        game: &TrainingGame,
        options: &DatasetOptions,
        seen: &mut SeenPositions,
    ) {
        let mut choice = Rng::for_stream(VALIDATION_SEED, u64::from(self.games));
        let is_validation = choice.next_f64() < options.validation_share;
        let samples = if is_validation { &mut self.validation } else { &mut self.training };
        let mut td_labels = td_labels(game, options).into_iter();
        let mut add = |position: &Position, scored: &ScoredMove, td_label: Option<f32>, is_tree| {
            let is_unscored = options.takes_unscored && is_quiet_without_score(position, scored);
            if (is_kept(position, scored) || is_unscored) && seen.insert(position.key()) {
                let sample = TrainingPosition::new(position, scored.white_score, game.result);
                let sample = if is_tree { sample.without_result() } else { sample };
                samples.push(match td_label {
                    Some(expected) => sample.with_white_expected(expected),
                    None => sample,
                });
            }
        };
        game.for_each_position(|position, scored| add(position, scored, td_labels.next(), false));
        // The game did not go on from there: neither later searches nor its result count.
        game.tree_positions.iter().for_each(|(position, scored)| add(position, scored, None, true));
        self.games += 1;
        self.positions += game.moves.len() as u64;
    }
}

/// Returns White's expected score at each ply by TD(λ): the weighted mean of this search and all
/// later ones of the game, each with λ times the weight of the one before, and of the result, which
/// counts last. Without λ there are no such labels. (Sutton, "Learning to predict by the methods of
/// temporal differences", 1988.)
pub(crate) fn td_labels(game: &TrainingGame, options: &DatasetOptions) -> Vec<f32> {
    if options.td_lambda == 0.0 {
        return Vec::new();
    }
    let td_lambda = options.td_lambda as f32;
    let sigmoid_scale = options.sigmoid_scale as f32;
    let mut expected = game.result.white_points();
    let mut labels: Vec<f32> = game
        .moves
        .iter()
        .rev()
        .map(|scored| {
            if scored.white_score != ScoredMove::NO_SCORE {
                let own = (f32::from(scored.white_score) / sigmoid_scale).sigmoid();
                expected = td_lambda * expected + (1.0 - td_lambda) * own;
            }
            expected
        })
        .collect();
    labels.reverse();
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kept_positions::kept_keys;
    use crate::phase_values::PhaseValues;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::testing::{Scratch, play_games};
    use crate::train::loss::Loss;
    use crate::viriformat::write_game;

    #[test]
    fn later_searches_and_the_result_enter_the_label() {
        let start = Position::start();
        let mut position = start.clone();
        let mut ply = |uci: &str, white_score| {
            let played = position.parse_uci(uci).unwrap();
            position.play(played);
            ScoredMove { played, white_score }
        };
        let moves = vec![ply("e2e4", 0), ply("e7e5", ScoredMove::NO_SCORE), ply("g1f3", 9_000)];
        let result = crate::training_game::GameResult::Draw;
        let game = TrainingGame { start, moves, result, tree_positions: Vec::new() };
        let options = |td_lambda| DatasetOptions { td_lambda, ..DatasetOptions::default() };
        // From the end: half of a certain win and half of a draw; no score; half of an even score.
        let expected = [0.25 + 0.375, 0.75, 0.75];
        for (label, expected) in td_labels(&game, &options(0.5)).into_iter().zip(expected) {
            assert!((label - expected).abs() < 1e-5, "{label} {expected}");
        }
        assert!(td_labels(&game, &options(0.0)).is_empty());
        let sample = TrainingPosition::new(&game.start, -100, result);
        let label = |sample: TrainingPosition| sample.label(Loss::<f64>::new(0.0, 400.0));
        assert!((label(sample.with_white_expected(0.75)) - 0.75).abs() < 1e-4);
        assert!((label(sample) - (-0.25_f64).sigmoid()).abs() < 1e-6);
    }

    #[test]
    fn the_label_of_a_position_of_a_tree_is_its_own_score() {
        let start = Position::from_fen("4k3/pp3ppp/8/8/8/8/PPP3PP/4K3 w - - 0 20").unwrap();
        let after = Position::from_fen("4k3/pp3ppp/8/8/8/7P/PPP3P1/4K3 b - - 0 20").unwrap();
        let scored = |position: &Position, uci, white_score| ScoredMove {
            played: position.parse_uci(uci).unwrap(),
            white_score,
        };
        let result = crate::training_game::GameResult::Win(koel_board::Color::Black);
        let game = TrainingGame {
            moves: vec![scored(&start, "e1d2", 50)],
            tree_positions: vec![(after.clone(), scored(&after, "e8d7", -30))],
            start,
            result,
        };
        let options =
            DatasetOptions { validation_share: 0.0, td_lambda: 0.5, ..DatasetOptions::default() };
        let mut dataset = Dataset::default();
        dataset.add(&game, &options, &mut SeenPositions::default());
        let label = td_labels(&game, &options)[0];
        let expected = [
            TrainingPosition::new(&game.start, 50, result).with_white_expected(label),
            TrainingPosition::new(&after, -30, result).without_result(),
        ];
        assert_eq!((dataset.training.as_slice(), dataset.games), (&expected[..], 1));
    }

    #[test]
    fn teachers_have_quiet_positions_without_a_score_as_well() {
        let start = Position::from_fen("4k3/pp3ppp/8/3p4/4P3/8/PPP3PP/4K3 w - - 0 20").unwrap();
        let mut position = start.clone();
        let mut ply = |uci: &str, white_score| {
            let played = position.parse_uci(uci).unwrap();
            position.play(played);
            ScoredMove { played, white_score }
        };
        let unscored = ScoredMove::NO_SCORE;
        // The second position is the only quiet one without a score: the third is followed by a
        // capture.
        let moves = vec![ply("e1d2", 30), ply("e8d7", unscored), ply("e4d5", unscored)];
        let result = crate::training_game::GameResult::Draw;
        let game = TrainingGame { start, moves, result, tree_positions: Vec::new() };
        for (takes_unscored, count) in [(false, 1), (true, 2)] {
            let options = DatasetOptions {
                validation_share: 0.0,
                takes_unscored,
                ..DatasetOptions::default()
            };
            let mut dataset = Dataset::default();
            dataset.add(&game, &options, &mut SeenPositions::default());
            assert_eq!(dataset.training.len(), count);
        }
    }

    #[test]
    fn positions_come_once_and_games_are_not_divided() {
        let settings = SelfplaySettings {
            run: 3,
            soft_nodes: PhaseValues::uniform(10),
            opening_nodes: 50,
            tree_position_share: 0.5,
            ..SelfplaySettings::default()
        };
        let games = play_games(&settings, 0..40);
        let mut bytes = Vec::new();
        for game in games.iter().chain(&games) {
            write_game(game, &mut bytes).unwrap();
        }
        let options = DatasetOptions { validation_share: 0.25, ..DatasetOptions::default() };
        // The last game is incomplete.
        let scratch = Scratch::new("data");
        let path = scratch.file("games", &bytes[..bytes.len() - 1]);
        let mut dataset = Dataset::default();
        let (count, end) =
            dataset.read(&path, u32::MAX, &options, &mut SeenPositions::default()).unwrap();
        assert!(count == 79 && (end as usize) < bytes.len());
        let mut first = Dataset::default();
        let (count, end) = first.read(&path, 40, &options, &mut SeenPositions::default()).unwrap();
        assert_eq!((count, end as usize), (40, bytes.len() / 2));
        assert_eq!(first.training, dataset.training);

        let mut seen = SeenPositions::default();
        let count = |game| seen.insert_all(&kept_keys(game));
        let distinct: usize = games.iter().map(count).sum();
        assert_eq!(dataset.games, 79);
        assert_eq!(dataset.training.len() + dataset.validation.len(), distinct);
        let share = dataset.validation.len() as f64 / distinct as f64;
        assert!((0.05..0.5).contains(&share), "{share}");
    }
}
