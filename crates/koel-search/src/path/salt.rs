//! Positions that have already occurred twice in the game.

use std::collections::HashMap;

use koel_board::Game;

/// A salt for the keys of the table while no irreversible move has been made since the root: 0
/// unless some position has occurred twice. There a third occurrence is a draw for the arbiter,
/// whatever the table has learnt before of a win that leads through it.
pub(crate) fn salt_of(game: &Game) -> u64 {
    let mut occurrences: HashMap<u64, u32> = HashMap::new();
    for position in game.positions() {
        if position.halfmove_clock() == 0 {
            occurrences.clear();
        }
        *occurrences.entry(position.key().0).or_default() += 1;
    }
    let twice = occurrences.into_iter().filter(|&(_, times)| times >= 2);
    twice.fold(0, |salt, (key, _)| salt ^ mixed(key))
}

/// Unlike the key, and unlike the sum of other keys (the finaliser of SplitMix64, Steele, Lea and
/// Flood 2014).
pub(crate) fn mixed(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
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
        salt_of(&game)
    }

    #[test]
    fn only_what_stood_twice_and_can_come_back_counts() {
        assert_eq!(salt_after("e2e4 e7e5 g1f3 g8f6"), 0);
        let once_back = "g1f3 g8f6 f3g1 f6g8";
        assert_ne!(salt_after(once_back), 0);
        assert_eq!(salt_after(&format!("{once_back} e2e4")), 0);
        // Another position more.
        let further = format!("{once_back} g1f3");
        assert_ne!(salt_after(&further), salt_after(once_back));
        // The same positions, another one on the board.
        assert_eq!(salt_after(&format!("{once_back} b1c3")), salt_after(once_back));
    }
}
