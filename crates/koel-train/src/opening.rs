//! Where games begin: after a few random moves, so that no two are alike.

use koel_board::{Color, Game, Position};

use koel_random::Rng;

/// The random plies of an opening: this many, or one more, so that either side moves first.
pub const LEAST_RANDOM_PLIES: usize = 8;

/// Starting positions of Chess960.
const CHESS960_POSITIONS: usize = 960;

/// A position after eight or nine random plies from the start, with a share of games that begin as
/// Chess960. It has a legal move.
pub fn random_opening(seed: &mut Rng, chess960_share: f64) -> Game {
    loop {
        let is_chess960 = seed.next_f64() < chess960_share;
        let number = seed.below(CHESS960_POSITIONS);
        let start = if is_chess960 { chess960_start(number) } else { Position::start() };
        let plies = LEAST_RANDOM_PLIES + seed.below(2);
        if let Some(game) = random_line(seed, start, plies) {
            return game;
        }
    }
}

/// So many random plies, unless the game ends before or with the last of them.
fn random_line(seed: &mut Rng, start: Position, plies: usize) -> Option<Game> {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let played = *moves.get(seed.below(moves.len()))?;
        game.play(played).ok()?;
    }
    game.position().has_legal_moves().then_some(game)
}

/// The starting position of Chess960 with this number, by Scharnagl's scheme (518 is standard
/// chess); both sides have the same.
///
/// # Panics
/// The number is not below 960.
#[must_use]
pub fn chess960_start(number: usize) -> Position {
    assert!(number < CHESS960_POSITIONS, "there are 960 positions");
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

fn back_rank(number: usize) -> [char; 8] {
    let mut rank = [' '; 8];
    rank[number % 4 * 2 + 1] = 'b';
    rank[number / 4 % 4 * 2] = 'b';
    place(&mut rank, number / 16 % 6, 'q');
    // The knights take two of the five squares left: ten pairs in order.
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

/// Puts a piece on the nth free square.
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
        for part in 0..400 {
            let game = random_opening(&mut Rng::for_stream(1, part), 0.25);
            assert!(game.position().has_legal_moves());
            after_eight += usize::from(game.moves().len() == LEAST_RANDOM_PLIES);
            chess960 += usize::from(game.start() != &Position::start());
            seen.insert(game.position().key().0);
        }
        assert!(seen.len() > 395, "{}", seen.len());
        assert!((150..250).contains(&after_eight), "{after_eight}");
        assert!((60..140).contains(&chess960), "{chess960}");
    }
}
