//! Random openings, so that games differ.

use koel_board::{Color, Game, Position};

use koel_random::Rng;

/// Random plies of an opening: this many or one more, so that either side makes the first searched
/// move.
pub(crate) const MIN_RANDOM_PLIES: usize = 8;

/// The number of Chess960 starting positions.
const CHESS960_POSITIONS: usize = 960;

/// Plays eight or nine random plies from the start position, or from a Chess960 position in a share
/// of the games. The position reached has a legal move.
pub(crate) fn random_opening(rng: &mut Rng, chess960_share: f64) -> Game {
    loop {
        let is_chess960 = rng.next_f64() < chess960_share;
        let number = rng.below(CHESS960_POSITIONS);
        let start = if is_chess960 { chess960_start(number) } else { Position::start() };
        let plies = MIN_RANDOM_PLIES + rng.below(2);
        if let Some(game) = random_line(rng, start, plies) {
            return game;
        }
    }
}

/// Plays random plies; `None` if the game ends before or with the last of them.
fn random_line(rng: &mut Rng, start: Position, plies: usize) -> Option<Game> {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let played = *moves.get(rng.below(moves.len()))?;
        game.play(played).ok()?;
    }
    game.position().has_legal_moves().then_some(game)
}

/// Returns the Chess960 starting position with this number in Scharnagl's scheme (518 is standard
/// chess). Both sides have the same back rank.
///
/// # Panics
/// The number is 960 or larger.
#[must_use]
pub(crate) fn chess960_start(number: usize) -> Position {
    assert!(number < CHESS960_POSITIONS, "there are 960 starting positions");
    let rank = back_rank(number);
    let rooks = |color: Color| -> String {
        let files = rank.iter().enumerate().filter(|(_, piece)| **piece == 'r');
        let letters = files.map(|(file, _)| char::from(b'a' + file as u8));
        letters.map(|c| if color.is_white() { c.to_ascii_uppercase() } else { c }).collect()
    };
    let black: String = rank.iter().collect();
    let white = black.to_ascii_uppercase();
    let castling = rooks(Color::White) + &rooks(Color::Black);
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling} - 0 1");
    Position::from_fen(&fen).expect("a starting position is legal")
}

/// Returns the pieces of the back rank of a Chess960 position, from the a-file.
fn back_rank(number: usize) -> [char; 8] {
    let mut rank = [' '; 8];
    rank[number % 4 * 2 + 1] = 'b';
    rank[number / 4 % 4 * 2] = 'b';
    place(&mut rank, number / 16 % 6, 'q');
    // The knights take two of the five free squares: ten pairs in lexical order.
    let pair = number / 96;
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.into_iter().nth(pair).unwrap_or_default();
    place(&mut rank, second, 'n');
    place(&mut rank, first, 'n');
    for piece in ['r', 'k', 'r'] {
        place(&mut rank, 0, piece);
    }
    rank
}

/// Puts a piece on the nth free square, counted from 0.
fn place(rank: &mut [char; 8], nth: usize, piece: char) {
    if let Some(square) = rank.iter_mut().filter(|square| **square == ' ').nth(nth) {
        *square = piece;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_960_positions_are_those_of_the_rules() {
        assert_eq!(chess960_start(518), Position::start());
        let mut seen = HashSet::new();
        for number in 0..CHESS960_POSITIONS {
            let rank = back_rank(number);
            let files =
                |piece| -> Vec<usize> { (0..8).filter(|&file| rank[file] == piece).collect() };
            let (rooks, king, bishops) = (files('r'), files('k')[0], files('b'));
            assert!(rooks[0] < king && king < rooks[1], "{rank:?}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank:?}");
            assert_eq!(chess960_start(number).castling_rooks().count(), 4);
            seen.insert(rank);
        }
        assert_eq!(seen.len(), CHESS960_POSITIONS);
        // From the published table.
        assert_eq!(back_rank(0).iter().collect::<String>(), "bbqnnrkr");
        assert_eq!(back_rank(959).iter().collect::<String>(), "rkrnnqbb");
    }

    #[test]
    fn openings_differ_and_go_on() {
        let mut seen = HashSet::new();
        let (mut after_eight, mut chess960) = (0, 0);
        for stream in 0..400 {
            let game = random_opening(&mut Rng::for_stream(1, stream), 0.25);
            assert!(game.position().has_legal_moves());
            after_eight += usize::from(game.moves().len() == MIN_RANDOM_PLIES);
            chess960 += usize::from(game.start() != &Position::start());
            seen.insert(game.position().key().0);
        }
        assert!(seen.len() > 395, "{}", seen.len());
        assert!((150..250).contains(&after_eight), "{after_eight}");
        assert!((60..140).contains(&chess960), "{chess960}");
    }
}
