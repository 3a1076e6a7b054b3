//! The positions of a training, in memory, divided into a training and a validation set.

use std::path::Path;

use anyhow::Result;
use koel_random::Rng;

use super::plan::TrainingPlan;
use super::real::Real;
use super::training_position::TrainingPosition;
use crate::kept_positions::{SeenPositions, is_kept};
use crate::training_game::{ScoredMove, TrainingGame};
use crate::viriformat::for_each_game;

/// The positions of many games that a filter keeps, each once.
#[derive(Clone, PartialEq, Debug, Default)]
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

/// The share of the validation set and the labels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct DatasetOptions {
    /// The share of games for the validation set, from 0 to 1.
    pub(crate) validation_share: f64,
    /// The weight of the result: see [`TrainingPlan::wdl_blend`].
    pub(crate) wdl_blend: f64,
    /// λ of TD(λ): see [`TrainingPlan::td_lambda`].
    pub(crate) td_lambda: f64,
    /// The scale of expected scores in centipawns: see [`TrainingPlan::sigmoid_scale`].
    pub(crate) sigmoid_scale: f64,
}

impl DatasetOptions {
    /// The options of a training.
    pub(crate) fn of_plan(plan: &TrainingPlan) -> DatasetOptions {
        let &TrainingPlan { wdl_blend, td_lambda, sigmoid_scale, .. } = plan;
        DatasetOptions { validation_share: 0.05, wdl_blend, td_lambda, sigmoid_scale }
    }

    /// Returns the labels of a game, White's expected score at each ply: the result by its weight,
    /// and by TD(λ) the mean of this search and all later ones of the game, each with λ times the
    /// weight of the one before, and of the result, which counts last. (Sutton, "Learning to
    /// predict by the methods of temporal differences", 1988.)
    fn labels(&self, game: &TrainingGame) -> Vec<f32> {
        let [td_lambda, wdl_blend] = [self.td_lambda, self.wdl_blend].map(|share| share as f32);
        let result = game.result.white_points();
        let mut expected = result;
        let label = |scored: &ScoredMove| {
            if scored.white_score != ScoredMove::NO_SCORE {
                let own = self.expected_score(scored);
                expected = td_lambda * expected + (1.0 - td_lambda) * own;
            }
            wdl_blend * result + (1.0 - wdl_blend) * expected
        };
        let mut labels: Vec<f32> = game.moves.iter().rev().map(label).collect();
        labels.reverse();
        labels
    }

    /// Returns White's expected score by a search.
    fn expected_score(&self, scored: &ScoredMove) -> f32 {
        (f32::from(scored.white_score) / self.sigmoid_scale as f32).sigmoid()
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
        let mut labels = options.labels(game).into_iter();
        game.for_each_position(|position, scored| {
            let label = labels.next().expect("each ply has a label");
            if is_kept(position, scored) && seen.insert(position.key()) {
                samples.push(TrainingPosition::new(position, label));
            }
        });
        self.games += 1;
        self.positions += game.moves.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;
    use crate::kept_positions::kept_keys;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::testing::{play_games, write_file};
    use crate::training_game::GameResult;
    use crate::viriformat::write_game;

    const PLAIN: DatasetOptions = DatasetOptions {
        validation_share: 0.0,
        wdl_blend: 0.0,
        td_lambda: 0.0,
        sigmoid_scale: 160.0,
    };

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
        let result = GameResult::Draw;
        let game = TrainingGame { start, moves, result };
        let labels =
            |td_lambda, wdl_blend| DatasetOptions { td_lambda, wdl_blend, ..PLAIN }.labels(&game);
        for (labels, expected) in [
            // From the end: half of a certain win and half of a draw; no score; half of an even
            // score.
            (labels(0.5, 0.0), [0.25 + 0.375, 0.75, 0.75]),
            (labels(0.5, 0.4), [0.2 + 0.6 * 0.625, 0.65, 0.65]),
            (labels(0.0, 0.4), [0.5, 0.8, 0.8]),
            (labels(0.0, 0.0), [0.5, 1.0, 1.0]),
        ] {
            for (label, expected) in labels.iter().zip(expected) {
                assert!((label - expected).abs() < 1e-5, "{labels:?} {expected}");
            }
        }
        let expected = PLAIN.expected_score(&ScoredMove { white_score: -160, ..game.moves[0] });
        assert!((f64::from(expected) - (-1.0_f64).sigmoid()).abs() < 1e-6);
    }

    #[test]
    fn a_position_has_the_label_of_its_ply() {
        let start = Position::from_fen("4k3/pp3ppp/8/8/8/8/PPP3PP/4K3 w - - 0 20").unwrap();
        let mut after = start.clone();
        let first = ScoredMove { played: start.parse_uci("e1d2").unwrap(), white_score: 50 };
        after.play(first.played);
        let second = ScoredMove { played: after.parse_uci("e8d7").unwrap(), white_score: -30 };
        let result = GameResult::Win(koel_board::Color::Black);
        let game = TrainingGame { start, moves: vec![first, second], result };
        let options = DatasetOptions { td_lambda: 0.5, wdl_blend: 0.2, ..PLAIN };
        let mut dataset = Dataset::default();
        dataset.add(&game, &options, &mut SeenPositions::default());
        let labels = options.labels(&game);
        let expected = [
            TrainingPosition::new(&game.start, labels[0]),
            TrainingPosition::new(&after, labels[1]),
        ];
        assert_eq!((dataset.training.as_slice(), dataset.games), (&expected[..], 1));
    }

    #[test]
    fn positions_come_once_and_games_are_not_divided() {
        let games = play_games(&SelfplaySettings::quick(), 0..40);
        let mut bytes = Vec::new();
        for game in games.iter().chain(&games) {
            write_game(game, &mut bytes).unwrap();
        }
        let options = DatasetOptions { validation_share: 0.25, ..PLAIN };
        // The last game is incomplete.
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "games", &bytes[..bytes.len() - 1]);
        let mut dataset = Dataset::default();
        let (count, end) =
            dataset.read(&path, u32::MAX, &options, &mut SeenPositions::default()).unwrap();
        assert!(count == 79 && (end as usize) < bytes.len());
        let mut first = Dataset::default();
        let (count, end) = first.read(&path, 40, &options, &mut SeenPositions::default()).unwrap();
        assert_eq!((count, end as usize), (40, bytes.len() / 2));
        assert_eq!(first.training, dataset.training);

        let mut seen = SeenPositions::default();
        seen.extend(games.iter().flat_map(kept_keys));
        let distinct = seen.len();
        assert_eq!(dataset.games, 79);
        assert_eq!(dataset.training.len() + dataset.validation.len(), distinct);
        let share = dataset.validation.len() as f64 / distinct as f64;
        assert!((0.05..0.5).contains(&share), "{share}");
    }
}
