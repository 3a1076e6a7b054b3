//! One game of self-play, determined by its seed.

use koel_board::Game;
use koel_search::{Depth, Score};

use crate::adjudication::{Adjudicator, SelfplayAdjudication, result_by_rule};
use crate::opening::random_opening;
use crate::player::{NodeLimits, Player};
use crate::training_game::{ScoredMove, TrainingGame};
use koel_random::Rng;

/// The settings of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GameSettings {
    /// The node limits of each move's search.
    pub(crate) move_limits: NodeLimits,
    /// The share of games that begin from a Chess960 position, from 0 to 1.
    pub(crate) chess960_share: f64,
    /// The largest absolute score of an opening, in centipawns, by a search of its position.
    pub(crate) opening_score_bound: i32,
    /// The soft node limit of that search.
    pub(crate) opening_nodes: u64,
    /// The share of games, from 0 to 1, whose opening bound is
    /// [`wide_opening_score_bound`](Self::wide_opening_score_bound) instead.
    pub(crate) wide_opening_share: f64,
    /// The wider bound, in centipawns.
    pub(crate) wide_opening_score_bound: i32,
    /// The thresholds for ending the game early.
    pub(crate) adjudication: SelfplayAdjudication,
}

/// Plays the game with this number in a run. It does not depend on earlier searches of the player.
pub(crate) fn play_game(
    player: &mut Player,
    settings: &GameSettings,
    run: u64,
    number: u64,
) -> TrainingGame {
    let mut rng = Rng::for_stream(run, number);
    let mut game = balanced_opening(player, settings, &mut rng);
    let start = game.position().clone();
    let mut adjudicator = Adjudicator::new(settings.adjudication);
    let mut moves = Vec::new();
    loop {
        if let Some(result) = result_by_rule(&game) {
            return TrainingGame { start, moves, result };
        }
        let outcome = player.search(&game, settings.move_limits);
        let is_white = game.position().turn().is_white();
        let white_score = if is_white { outcome.score } else { -outcome.score };
        if let Some(result) = adjudicator.update(white_score, game.moves().len()) {
            return TrainingGame { start, moves, result };
        }
        let played = outcome.best_move.expect("the game has not ended, so there is a legal move");
        game.play(played).expect("a search returns legal moves");
        moves.push(ScoredMove { played, white_score: stored_score(white_score, outcome.depth) });
    }
}

/// Returns the score as it is stored: 16 bits, or no score if no iteration was completed.
fn stored_score(white_score: Score, depth: Depth) -> i16 {
    if depth == Depth(0) {
        return ScoredMove::NO_SCORE;
    }
    i16::try_from(white_score.centipawns()).unwrap_or(ScoredMove::NO_SCORE)
}

/// Draws random openings until the score of one is within its bound. The transposition table and
/// the histories keep what the searches of all these openings have left: it is determined by the
/// seed of the game.
fn balanced_opening(player: &mut Player, settings: &GameSettings, rng: &mut Rng) -> Game {
    let nodes = settings.opening_nodes;
    let limits = NodeLimits { soft_nodes: nodes, hard_nodes: 8 * nodes };
    // Without a share no random number is used, so that runs from before this setting existed play
    // the same games.
    let wide_share = settings.wide_opening_share;
    let is_wide = wide_share > 0.0 && rng.next_f64() < wide_share;
    let bound =
        if is_wide { settings.wide_opening_score_bound } else { settings.opening_score_bound };
    player.new_game();
    loop {
        let game = random_opening(rng, settings.chess960_share);
        let score = player.search(&game, limits).score;
        if score.centipawns().abs() <= bound {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_eval::Evaluation;

    use super::*;
    use crate::selfplay::settings::SelfplaySettings;

    #[test]
    fn a_game_follows_from_its_seed() {
        let settings =
            SelfplaySettings { soft_nodes: 20, ..SelfplaySettings::default() }.game_settings();
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let games: Vec<_> =
            (0..4).map(|number| play_game(&mut player, &settings, 5, number)).collect();
        assert!(games.iter().all(|game| !game.moves.is_empty()));
        for (number, game) in games.iter().enumerate().rev() {
            let again = play_game(
                &mut Player::new(1, Evaluation::default()).unwrap(),
                &settings,
                5,
                number as u64,
            );
            assert_eq!(again, *game);
            game.for_each_position(|_, _| ()).unwrap();
        }
        assert_ne!(games[0], games[1]);
        assert_ne!(play_game(&mut player, &settings, 6, 0), games[0]);
    }
}
