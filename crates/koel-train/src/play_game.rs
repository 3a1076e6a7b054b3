//! One game of self-play, determined by its seed.

use koel_board::{Color, Game, Outcome, Position};
use koel_random::Rng;
use koel_search::{Score, Searcher};

use crate::node_limits::{NodeLimits, for_white};
use crate::opening::{OpeningGenerator, OpeningKind};
use crate::selfplay_settings::SelfplaySettings;
use crate::training_game::{GameResult, ScoredMove, TrainingGame};

/// The most pieces of an endgame, kings included.
const ENDGAME_PIECES: usize = 12;

/// A side wins when its score is at least that of the settings for this many consecutive plies.
const WIN_PLIES: u32 = 4;
/// The game is drawn when the score of neither side exceeds this many centipawns...
const DRAW_SCORE: i32 = 5;
/// ...for this many consecutive plies...
const DRAW_PLIES: u32 = 12;
/// ...and this many plies of the game were played.
const DRAW_MIN_PLY: usize = 60;
/// A game of this many plies is drawn.
const MAX_PLIES: usize = 400;

/// Plays the game with this number in the run of the settings. It does not depend on earlier
/// searches of the searcher.
///
/// Most moves are chosen by a fast search, whose score only ends games. The others are chosen by a
/// full search, whose score is kept: a game teaches nearly as much by a few of its scores as by all
/// of them, so that more games are played in the same time. (Wu, "Accelerating self-play learning
/// in Go", 2019: playout cap randomization.)
pub(crate) fn play_game(
    searcher: &mut Searcher,
    openings: &mut OpeningGenerator,
    settings: &SelfplaySettings,
    number: u64,
) -> TrainingGame {
    let mut rng = Rng::for_stream(settings.run, number);
    let mut game = balanced_opening(searcher, openings, settings, &mut rng);
    let start = game.position().clone();
    let mut adjudicator = Adjudicator { win_score: settings.win_score, plies: [0; 3] };
    let mut moves = Vec::new();
    let result = loop {
        if let Some(outcome) = game.outcome() {
            break match outcome {
                Outcome::Win(side) => GameResult::Win(side),
                Outcome::Draw(_) => GameResult::Draw,
            };
        }
        // The filter keeps no position in check.
        let share = settings.full_search_share.at(game.position());
        let is_full = rng.next_f64() < share && !game.position().is_check();
        let outcome = settings.limits(game.position(), is_full).search(searcher, &game);
        let white_score = for_white(game.position(), outcome.score);
        if let Some(result) = adjudicator.update(white_score, game.moves().len()) {
            break result;
        }
        let played = outcome.best_move.expect("the game has not ended, so there is a legal move");
        let white_score = if is_full {
            ScoredMove::stored_score(white_score, outcome.depth)
        } else {
            ScoredMove::NO_SCORE
        };
        game.play(played).expect("a search returns legal moves");
        moves.push(ScoredMove { played, white_score });
    };
    TrainingGame { start, moves, result }
}

impl SelfplaySettings {
    /// Returns the limits of a full or a fast search of a position.
    pub(crate) fn limits(&self, position: &Position, is_full: bool) -> NodeLimits {
        let limits = match is_full {
            true => NodeLimits {
                soft_nodes: self.soft_nodes.at(position),
                hard_nodes: self.hard_nodes.at(position),
            },
            false => NodeLimits::with_soft(self.fast_soft_nodes),
        };
        let is_endgame = position.occupied().count() <= ENDGAME_PIECES;
        limits.times(if is_endgame { self.endgame_factor } else { 1 })
    }

    /// Draws the kind of an opening.
    fn opening_kind(&self, rng: &mut Rng) -> OpeningKind {
        let natural = self.natural_opening_share;
        match rng.next_f64() {
            number if number < natural => OpeningKind::Natural,
            number if number < natural + self.short_opening_share => OpeningKind::Short,
            _ => OpeningKind::Long,
        }
    }
}

/// Draws openings of one kind until the score of one is within its bound. The transposition table
/// and the histories keep what the searches of these openings have left: it is determined by the
/// seed of the game.
fn balanced_opening(
    searcher: &mut Searcher,
    openings: &mut OpeningGenerator,
    settings: &SelfplaySettings,
    rng: &mut Rng,
) -> Game {
    let nodes = settings.opening_nodes;
    let limits = NodeLimits { soft_nodes: nodes, hard_nodes: nodes.saturating_mul(8) };
    let is_wide = rng.next_f64() < settings.wide_opening_share;
    let bound =
        if is_wide { settings.wide_opening_score_bound } else { settings.opening_score_bound };
    let kind = settings.opening_kind(rng);
    searcher.new_game();
    loop {
        let game = openings.draw(searcher, rng, kind, settings.chess960_share);
        let score = limits.search(searcher, &game).score;
        if score.centipawns().abs() <= bound {
            return game;
        }
    }
}

/// The state of one game for its early end: decided positions teach the network nothing more.
struct Adjudicator {
    win_score: i32,
    /// Consecutive plies with a winning score for White, for Black, and with a drawish score.
    plies: [u32; 3],
}

impl Adjudicator {
    /// Takes the score of the next search, from White's view, and the ply of the game, and returns
    /// the result if the game ends there. A mate score ends the game at once.
    fn update(&mut self, white_score: Score, ply: usize) -> Option<GameResult> {
        let score = white_score.centipawns();
        let holds = [score >= self.win_score, score <= -self.win_score, score.abs() <= DRAW_SCORE];
        for (plies, holds) in self.plies.iter_mut().zip(holds) {
            *plies = if holds { *plies + 1 } else { 0 };
        }
        let [white_winning, black_winning, drawish] = self.plies;
        if white_score.is_win() || white_winning >= WIN_PLIES {
            return Some(GameResult::Win(Color::White));
        }
        if white_score.is_loss() || black_winning >= WIN_PLIES {
            return Some(GameResult::Win(Color::Black));
        }
        let is_drawish = drawish >= DRAW_PLIES && ply >= DRAW_MIN_PLY;
        (is_drawish || ply >= MAX_PLIES).then_some(GameResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase_values::PhaseValues;
    use crate::testing::play_games;

    fn quick(run: u64) -> SelfplaySettings {
        SelfplaySettings { run, fast_soft_nodes: 5, ..SelfplaySettings::quick() }
    }

    #[test]
    fn a_game_follows_from_its_seed() {
        let settings = SelfplaySettings { natural_opening_share: 0.5, ..quick(5) };
        let games = play_games(&settings, 0..8);
        assert!(games.iter().all(|game| !game.moves.is_empty()));
        for (number, game) in games.iter().enumerate().rev() {
            assert_eq!(play_games(&settings, [number as u64]), std::slice::from_ref(game));
            game.for_each_position(|position, ply| assert!(position.is_legal(ply.played)));
        }
        assert_ne!(games[0], games[1]);
        assert_ne!(play_games(&SelfplaySettings { run: 6, ..settings }, [0])[0], games[0]);
    }

    #[test]
    fn full_searches_alone_have_a_score() {
        let scored_share = |full_search_share| {
            let full_search_share = PhaseValues::Uniform(full_search_share);
            let settings = SelfplaySettings { full_search_share, ..quick(7) };
            let (mut scored, mut unchecked) = (0, 0);
            for game in play_games(&settings, 0..8) {
                let count = |position: &Position, ply: &ScoredMove| {
                    let is_scored = ply.white_score != ScoredMove::NO_SCORE;
                    assert!(!(is_scored && position.is_check()));
                    scored += i32::from(is_scored);
                    unchecked += i32::from(!position.is_check());
                };
                game.for_each_position(count);
            }
            f64::from(scored) / f64::from(unchecked)
        };
        assert_eq!(scored_share(0.0), 0.0);
        assert!(scored_share(1.0) > 0.99);
        assert!((0.15..0.35).contains(&scored_share(0.25)));
    }

    #[test]
    fn endgames_are_searched_longer() {
        let settings = SelfplaySettings::default();
        let nodes = |fen: &str, is_full| {
            settings.limits(&Position::from_fen(fen).unwrap(), is_full).soft_nodes
        };
        let endgame = "4k3/pppp4/8/8/8/8/PPPP2PP/4K3 w - - 0 1";
        let larger = "4k3/ppppp3/8/8/8/8/PPPP2PP/4K3 w - - 0 1";
        assert_eq!(settings.hard_nodes, settings.soft_nodes.map(|nodes| 20 * nodes));
        assert_eq!([nodes(endgame, true), nodes(larger, true)], [500, 250]);
        assert_eq!([nodes(endgame, false), nodes(larger, false)], [120, 60]);
    }

    #[test]
    fn full_searches_are_those_of_the_phase() {
        let full_search_share = "1,0,0".parse().unwrap();
        let settings = SelfplaySettings { full_search_share, ..quick(8) };
        for game in play_games(&settings, 0..8) {
            game.for_each_position(|position, ply| {
                let is_opening = position.occupied().count() > 24;
                let is_scored = ply.white_score != ScoredMove::NO_SCORE;
                assert!(!is_scored || is_opening, "{position}");
            });
        }
    }

    #[test]
    fn decided_games_end() {
        let mut adjudicator = Adjudicator { win_score: 2_000, plies: [0; 3] };
        let mut update = |score, ply| adjudicator.update(Score::from_centipawns(score), ply);
        for (ply, score) in [2_000, 2_100, 1_999, 2_000, 2_000, 2_000].into_iter().enumerate() {
            assert_eq!(update(score, ply), None);
        }
        assert_eq!(update(2_000, 6), Some(GameResult::Win(Color::White)));
        assert!((0..3).all(|ply| update(-3_000, ply).is_none()));
        assert_eq!(update(-3_000, 3), Some(GameResult::Win(Color::Black)));
        assert!((49..60).all(|ply| update(-5, ply).is_none()));
        assert_eq!(update(5, 60), Some(GameResult::Draw));
        assert_eq!(update(100, 400), Some(GameResult::Draw));
        assert_eq!(adjudicator.update(Score::mated_in(3), 1), Some(GameResult::Win(Color::Black)));
    }
}
