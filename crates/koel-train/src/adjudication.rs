//! When a game of self-play ends before its last move: what is decided teaches nothing more.

use koel_board::{Color, Game};
use koel_search::Score;

use crate::record::Winner;

/// When to end games early. Scores are centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjudication {
    /// A side wins that is ahead by so much...
    pub win_score: i32,
    /// ...for so many plies in a row.
    pub win_plies: u32,
    /// The game is drawn when neither is ahead by more than so much...
    pub draw_score: i32,
    /// ...for so many plies in a row...
    pub draw_plies: u32,
    /// ...after so many plies of the game.
    pub draw_after: usize,
    /// A game so long is a draw.
    pub most_plies: usize,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            win_score: 2_000,
            win_plies: 4,
            draw_score: 5,
            draw_plies: 12,
            draw_after: 60,
            most_plies: 400,
        }
    }
}

/// Watches the scores of one game.
#[derive(Debug)]
pub struct Adjudicator {
    terms: Adjudication,
    white_ahead: u32,
    black_ahead: u32,
    level: u32,
}

impl Adjudicator {
    /// No score yet.
    #[must_use]
    pub fn new(terms: Adjudication) -> Adjudicator {
        Adjudicator { terms, white_ahead: 0, black_ahead: 0, level: 0 }
    }

    /// Hears the score of the next search, from White's view, at this ply of the game. A mate that
    /// was found is as good as played.
    pub fn hear(&mut self, white_score: Score, ply: usize) -> Option<Winner> {
        let terms = self.terms;
        let score = white_score.centipawns();
        count(&mut self.white_ahead, score >= terms.win_score);
        count(&mut self.black_ahead, score <= -terms.win_score);
        count(&mut self.level, score.abs() <= terms.draw_score);
        if white_score.is_win() || self.white_ahead >= terms.win_plies {
            return Some(Winner::Side(Color::White));
        }
        if white_score.is_loss() || self.black_ahead >= terms.win_plies {
            return Some(Winner::Side(Color::Black));
        }
        let is_level = self.level >= terms.draw_plies && ply >= terms.draw_after;
        (is_level || ply >= terms.most_plies).then_some(Winner::Nobody)
    }
}

/// One more in a row, or none.
fn count(row: &mut u32, is_so: bool) {
    *row = if is_so { *row + 1 } else { 0 };
}

/// How the rules of chess end a game in its present position, if they do. A threefold repetition
/// and fifty moves need no claim.
#[must_use]
pub fn end_by_rule(game: &Game) -> Option<Winner> {
    let position = game.position();
    if !position.has_legal_moves() {
        let mated = position.is_check().then_some(Winner::Side(!position.turn()));
        return Some(mated.unwrap_or(Winner::Nobody));
    }
    let reversible = usize::from(position.halfmove_clock());
    let repetitions =
        game.keys().rev().take(reversible + 1).filter(|&key| key == position.key()).count();
    let is_drawn = reversible >= 100 || repetitions >= 3 || position.is_insufficient_material();
    is_drawn.then_some(Winner::Nobody)
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;

    #[test]
    fn decided_games_end() {
        let mut adjudicator = Adjudicator::new(Adjudication::default());
        let mut hear = |score, ply| adjudicator.hear(Score::from_centipawns(score), ply);
        for (ply, score) in [2_000, 2_100, 1_999, 2_000, 2_000, 2_000].into_iter().enumerate() {
            assert_eq!(hear(score, ply), None);
        }
        assert_eq!(hear(2_000, 6), Some(Winner::Side(Color::White)));
        assert!((0..3).all(|ply| hear(-3_000, ply).is_none()));
        assert_eq!(hear(-3_000, 3), Some(Winner::Side(Color::Black)));
        assert!((49..60).all(|ply| hear(-5, ply).is_none()));
        assert_eq!(hear(5, 60), Some(Winner::Nobody));
        assert_eq!(hear(100, 400), Some(Winner::Nobody));
        assert_eq!(adjudicator.hear(Score::mated_in(3), 1), Some(Winner::Side(Color::Black)));
    }

    #[test]
    fn the_rules_end_games() {
        let end = |fen: &str, moves: &str| {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            for text in moves.split_whitespace() {
                game.play(game.position().parse_uci(text).unwrap()).unwrap();
            }
            end_by_rule(&game)
        };
        let start = koel_board::START_FEN;
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        assert_eq!(end(start, shuffle), None);
        assert_eq!(end(start, &format!("{shuffle} f6g8")), Some(Winner::Nobody));
        assert_eq!(end(start, "f2f3 e7e5 g2g4 d8h4"), Some(Winner::Side(Color::Black)));
        assert_eq!(end("8/8/8/8/8/5k2/8/5K1R w - - 99 80", "h1h2"), Some(Winner::Nobody));
        assert_eq!(end("8/8/8/8/8/5k2/8/5K1N w - - 0 80", ""), Some(Winner::Nobody));
        assert_eq!(end("8/8/8/8/8/5kq1/8/7K w - - 0 80", ""), Some(Winner::Nobody));
    }
}
