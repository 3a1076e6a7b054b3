//! A salt for the table keys of games in which positions have occurred twice.

use std::collections::HashMap;

use koel_board::Game;
use koel_random::Rng;

/// Returns a salt for the table keys, to be used until an irreversible move is made: 0 unless a
/// position has occurred twice since the last one. A third occurrence would be a draw, and the
/// table may hold wins that lead through it, from searches before the second.
pub(crate) fn game_salt(game: &Game) -> u64 {
    let mut occurrences: HashMap<u64, u32> = HashMap::new();
    for position in game.positions() {
        if position.halfmove_clock() == 0 {
            occurrences.clear();
        }
        *occurrences.entry(position.key().0).or_default() += 1;
    }
    let twice = occurrences.into_iter().filter(|&(_, times)| times >= 2);
    // The keys are mixed, so that the XOR of several says nothing about them.
    twice.fold(0, |salt, (key, _)| salt ^ Rng::new(key).next_u64())
}

#[cfg(test)]
mod tests {
    use koel_board::Game;

    use super::*;

    fn salt_after(moves: &str) -> u64 {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        game_salt(&game)
    }

    #[test]
    fn only_positions_that_occurred_twice_and_can_recur_count() {
        assert_eq!(salt_after("e2e4 e7e5 g1f3 g8f6"), 0);
        let once_back = "g1f3 g8f6 f3g1 f6g8";
        assert_ne!(salt_after(once_back), 0);
        assert_eq!(salt_after(&format!("{once_back} e2e4")), 0);
        // One more position has occurred twice.
        let further = format!("{once_back} g1f3");
        assert_ne!(salt_after(&further), salt_after(once_back));
        // The same positions have occurred twice, and another is on the board.
        assert_eq!(salt_after(&format!("{once_back} b1c3")), salt_after(once_back));
    }
}
