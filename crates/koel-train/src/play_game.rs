//! One game of self-play, determined by its seed.

use koel_board::{Game, Position};
use koel_search::{Depth, Score};

use crate::adjudication::{Adjudicator, SelfplayAdjudication, result_by_rule};
use crate::opening::{OpeningGenerator, OpeningKind};
use crate::player::{NodeLimits, Player};
use crate::training_game::{ScoredMove, TrainingGame};
use koel_random::Rng;

/// The settings of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GameSettings {
    /// The node limits of a full search.
    pub(crate) full_limits: NodeLimits,
    /// The node limits of a fast search.
    pub(crate) fast_limits: NodeLimits,
    /// The probability of a full search, from 0 to 1.
    pub(crate) full_search_share: f64,
    /// The factor for all these limits with at most [`ENDGAME_PIECES`] on the board.
    pub(crate) endgame_factor: u64,
    /// The shares of games with natural openings and with short ones; the others are long.
    pub(crate) opening_shares: [f64; 2],
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

/// The most pieces of an endgame, kings included.
const ENDGAME_PIECES: usize = 12;

/// Plays the game with this number in a run. It does not depend on earlier searches of the player.
///
/// Most moves are chosen by a fast search, whose score only ends games. The others are chosen by a
/// full search, whose score is kept: a game teaches nearly as much by a few of its scores as by all
/// of them, so that more games are played in the same time. (Wu, "Accelerating self-play learning
/// in Go", 2019: playout cap randomization.)
pub(crate) fn play_game(
    player: &mut Player,
    openings: &mut OpeningGenerator,
    settings: &GameSettings,
    run: u64,
    number: u64,
) -> TrainingGame {
    let mut rng = Rng::for_stream(run, number);
    let mut game = balanced_opening(player, openings, settings, &mut rng);
    let start = game.position().clone();
    let mut adjudicator = Adjudicator::new(settings.adjudication);
    let mut moves = Vec::new();
    loop {
        if let Some(result) = result_by_rule(&game) {
            return TrainingGame { start, moves, result };
        }
        // The filter keeps no position in check.
        let is_full = rng.next_f64() < settings.full_search_share && !game.position().is_check();
        let outcome = player.search(&game, settings.limits(game.position(), is_full));
        let is_white = game.position().turn().is_white();
        let white_score = if is_white { outcome.score } else { -outcome.score };
        if let Some(result) = adjudicator.update(white_score, game.moves().len()) {
            return TrainingGame { start, moves, result };
        }
        let played = outcome.best_move.expect("the game has not ended, so there is a legal move");
        game.play(played).expect("a search returns legal moves");
        let white_score =
            if is_full { stored_score(white_score, outcome.depth) } else { ScoredMove::NO_SCORE };
        moves.push(ScoredMove { played, white_score });
    }
}

impl GameSettings {
    /// Returns the limits of a full or a fast search of a position.
    fn limits(&self, position: &Position, is_full: bool) -> NodeLimits {
        let limits = if is_full { self.full_limits } else { self.fast_limits };
        let is_endgame = position.occupied().count() <= ENDGAME_PIECES;
        limits.times(if is_endgame { self.endgame_factor } else { 1 })
    }

    /// Draws the kind of an opening.
    fn opening_kind(&self, rng: &mut Rng) -> OpeningKind {
        let [natural, short] = self.opening_shares;
        match rng.next_f64() {
            number if number < natural => OpeningKind::Natural,
            number if number < natural + short => OpeningKind::Short,
            _ => OpeningKind::Long,
        }
    }
}

/// Returns the score as it is stored: 16 bits, or no score if no iteration was completed.
fn stored_score(white_score: Score, depth: Depth) -> i16 {
    if depth == Depth(0) {
        return ScoredMove::NO_SCORE;
    }
    i16::try_from(white_score.centipawns()).unwrap_or(ScoredMove::NO_SCORE)
}

/// Draws openings of one kind until the score of one is within its bound. The transposition table
/// and the histories keep what the searches of these openings have left: it is determined by the
/// seed of the game.
fn balanced_opening(
    player: &mut Player,
    openings: &mut OpeningGenerator,
    settings: &GameSettings,
    rng: &mut Rng,
) -> Game {
    let nodes = settings.opening_nodes;
    let limits = NodeLimits { soft_nodes: nodes, hard_nodes: 8 * nodes };
    let is_wide = rng.next_f64() < settings.wide_opening_share;
    let bound =
        if is_wide { settings.wide_opening_score_bound } else { settings.opening_score_bound };
    let kind = settings.opening_kind(rng);
    player.new_game();
    loop {
        let game = openings.draw(player, rng, kind, settings.chess960_share);
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

    fn play(settings: &SelfplaySettings, run: u64, number: u64) -> TrainingGame {
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let openings = &mut OpeningGenerator::default();
        play_game(&mut player, openings, &settings.game_settings(), run, number)
    }

    #[test]
    fn a_game_follows_from_its_seed() {
        let settings = SelfplaySettings {
            soft_nodes: 20,
            fast_soft_nodes: 5,
            natural_opening_share: 0.5,
            ..SelfplaySettings::default()
        };
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let openings = &mut OpeningGenerator::default();
        let game_settings = settings.game_settings();
        let games: Vec<_> = (0..8)
            .map(|number| play_game(&mut player, openings, &game_settings, 5, number))
            .collect();
        assert!(games.iter().all(|game| !game.moves.is_empty()));
        for (number, game) in games.iter().enumerate().rev() {
            assert_eq!(play(&settings, 5, number as u64), *game);
            game.for_each_position(|_, _| ()).unwrap();
        }
        assert_ne!(games[0], games[1]);
        assert_ne!(play_game(&mut player, openings, &game_settings, 6, 0), games[0]);
    }

    #[test]
    fn full_searches_alone_are_scored() {
        let scored_share = |full_search_share| {
            let settings = SelfplaySettings {
                soft_nodes: 20,
                fast_soft_nodes: 5,
                full_search_share,
                ..SelfplaySettings::default()
            };
            let (mut scored, mut unchecked) = (0, 0);
            for number in 0..8 {
                let game = play(&settings, 7, number);
                let count = |position: &Position, ply: &ScoredMove| {
                    let is_scored = ply.white_score != ScoredMove::NO_SCORE;
                    assert!(!(is_scored && position.is_check()));
                    scored += i32::from(is_scored);
                    unchecked += i32::from(!position.is_check());
                };
                game.for_each_position(count).unwrap();
            }
            f64::from(scored) / f64::from(unchecked)
        };
        assert_eq!(scored_share(0.0), 0.0);
        assert!(scored_share(1.0) > 0.99);
        assert!((0.15..0.35).contains(&scored_share(0.25)));
    }

    #[test]
    fn endgames_are_searched_longer() {
        let settings = SelfplaySettings::default().game_settings();
        let nodes = |fen: &str, is_full| {
            settings.limits(&Position::from_fen(fen).unwrap(), is_full).soft_nodes
        };
        let endgame = "4k3/pppp4/8/8/8/8/PPPP2PP/4K3 w - - 0 1";
        let larger = "4k3/ppppp3/8/8/8/8/PPPP2PP/4K3 w - - 0 1";
        assert_eq!([nodes(endgame, true), nodes(larger, true)], [1_200, 600]);
        assert_eq!([nodes(endgame, false), nodes(larger, false)], [120, 60]);
    }
}
