//! One game of self-play, from its seed alone.

use koel_board::Game;
use koel_search::{Depth, Score};

use crate::adjudication::{Adjudication, Adjudicator, end_by_rule};
use crate::opening::random_opening;
use crate::player::{Budget, Player};
use crate::record::{GameRecord, Ply};
use koel_random::Rng;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// The search of each move.
    pub budget: Budget,
    /// The share of games that begin as Chess960, from 0 to 1.
    pub chess960_share: f64,
    /// An opening is fit to play if a search says that neither side is ahead by more than so many
    /// centipawns.
    pub sane_score: i32,
    /// The nodes of that search, as its soft limit.
    pub sane_nodes: u64,
    /// The share of games, from 0 to 1, for which that bound is [`wide_score`](Self::wide_score).
    pub wide_share: f64,
    /// The wider bound in centipawns.
    pub wide_score: i32,
    /// When a game ends early.
    pub adjudication: Adjudication,
}

/// Plays the game with this number in a run. Nothing that the player saw before matters.
///
/// # Panics
/// Never: a search gives a legal move where there is one.
pub fn play_game(player: &mut Player, terms: &Terms, run: u64, number: u64) -> GameRecord {
    let mut seed = Rng::for_stream(run, number);
    let mut game = sane_opening(player, terms, &mut seed);
    let start = game.position().clone();
    let mut adjudicator = Adjudicator::new(terms.adjudication);
    let mut plies = Vec::new();
    loop {
        if let Some(winner) = end_by_rule(&game) {
            return GameRecord { start, plies, winner };
        }
        let outcome = player.search(&game, terms.budget);
        let is_white = game.position().turn().is_white();
        let white_score = if is_white { outcome.score } else { -outcome.score };
        if let Some(winner) = adjudicator.hear(white_score, game.moves().len()) {
            return GameRecord { start, plies, winner };
        }
        let played = outcome.best_move.expect("there is a legal move: the game has not ended");
        game.play(played).expect("a search gives legal moves");
        plies.push(Ply { played, white_score: stored(white_score, outcome.depth) });
    }
}

fn stored(white_score: Score, depth: Depth) -> i16 {
    if depth == Depth(0) {
        return Ply::NO_SCORE;
    }
    i16::try_from(white_score.centipawns()).unwrap_or(Ply::NO_SCORE)
}

/// Random openings until one is not decided already. What the player learnt of it may stay: it
/// follows from the opening.
fn sane_opening(player: &mut Player, terms: &Terms, seed: &mut Rng) -> Game {
    let budget = Budget { soft_nodes: terms.sane_nodes, hard_nodes: 8 * terms.sane_nodes };
    // No number is drawn where no share is set: runs made before it existed play the same games.
    let is_wide = terms.wide_share > 0.0 && seed.next_f64() < terms.wide_share;
    let most = if is_wide { terms.wide_score } else { terms.sane_score };
    loop {
        let game = random_opening(seed, terms.chess960_share);
        player.forget();
        let score = player.search(&game, budget).score;
        if score.centipawns().abs() <= most {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_eval::Evaluation;

    use super::*;
    use crate::selfplay::Settings;

    #[test]
    fn a_game_follows_from_its_seed() {
        let terms = Settings { soft_nodes: 20, ..Settings::default() }.terms();
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let games: Vec<_> =
            (0..4).map(|number| play_game(&mut player, &terms, 5, number)).collect();
        assert!(games.iter().all(|game| !game.plies.is_empty()));
        for (number, game) in games.iter().enumerate().rev() {
            let again = play_game(
                &mut Player::new(1, Evaluation::default()).unwrap(),
                &terms,
                5,
                number as u64,
            );
            assert_eq!(again, *game);
            game.visit(|_, _| ()).unwrap();
        }
        assert_ne!(games[0], games[1]);
        assert_ne!(play_game(&mut player, &terms, 6, 0), games[0]);
    }
}
