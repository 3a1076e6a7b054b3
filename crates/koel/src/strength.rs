//! A weaker Koel, for people who want a game: it sees less, and does not always play what it sees.
//!
//! Two things are taken from it. It searches fewer nodes, so that it overlooks what lies deep, as
//! people do. And of its best few lines it takes one by lot: the worse a line, the less likely, so
//! that it errs a little where moves are nearly equal and hardly ever where one stands out. A mate
//! that it has seen is played. Nothing waits and nothing is thrown away on purpose.
//!
//! The lot depends on the position, the rating and the number of the game in this session, and on
//! nothing else: the same dialogue brings the same moves.

use koel_board::Key;
use koel_random::Rng;
use koel_uci::{Info, UciScore};

/// The strengths to choose from, in Elo as engines rate themselves.
pub(crate) const WEAKEST: i32 = 1320;
pub(crate) const STRONGEST: i32 = 2850;

/// Out of so many lines one is taken.
const LINES: usize = 5;

/// What the weakest may search, and by how many Elo that doubles.
const FEWEST_NODES: f64 = 400.0;
const DOUBLING: f64 = 320.0;

/// How far apart two lines are, in centipawns, of which the weakest takes the worse one a third as
/// often.
const WARMTH: f64 = 70.0;

/// What a mate counts for, less its moves; far beyond all that can be chosen instead.
const MATE: f64 = 100_000.0;

/// How strong to play, and in which game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strength {
    /// From [`WEAKEST`] to [`STRONGEST`].
    pub(crate) elo: i32,
    /// The number of the game in this session.
    pub(crate) game: u64,
}

impl Strength {
    /// The most nodes to search for a move.
    pub(crate) fn nodes(self) -> u64 {
        (FEWEST_NODES * (f64::from(self.elo - WEAKEST) / DOUBLING).exp2()) as u64
    }

    /// How many lines to search.
    pub(crate) fn lines(self) -> usize {
        LINES
    }

    /// The line to play, of lines in order, the best first: the best of the sums of its worth and
    /// a random number of Gumbel's distribution, which takes each as often as a softmax would.
    pub(crate) fn choose(self, lines: &[Info], root: Key) -> Option<&Info> {
        let reach = f64::from(STRONGEST - self.elo) / f64::from(STRONGEST - WEAKEST);
        let mut random = Rng::new(root.0 ^ (self.game << 16) ^ self.elo as u64);
        let mut best = None::<(f64, &Info)>;
        for line in lines {
            let luck = -(-inner_fraction(&mut random).ln()).ln() * WARMTH * reach;
            let worth = worth(line) + luck;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, line));
            }
        }
        best.map(|(_, line)| line)
    }
}

/// In centipawns.
fn worth(line: &Info) -> f64 {
    match line.score.map(|report| report.score) {
        Some(UciScore::Centipawns(centipawns)) => centipawns.into(),
        Some(UciScore::Mate(moves)) if moves > 0 => MATE * f64::from(1000 - moves.min(999)),
        Some(UciScore::Mate(moves)) => -MATE - f64::from(moves) * WARMTH,
        None => 0.0,
    }
}

/// Between 0 and 1, neither included.
fn inner_fraction(random: &mut Rng) -> f64 {
    ((random.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(scores: &[UciScore]) -> Vec<Info> {
        let line = |&score: &UciScore| Info { score: Some(score.into()), ..Info::default() };
        scores.iter().map(line).collect()
    }

    /// How often each line is taken in a thousand positions.
    fn counts(elo: i32, scores: &[UciScore]) -> Vec<usize> {
        let lines = lines(scores);
        let mut counts = vec![0; lines.len()];
        for key in 0..1000_u64 {
            let strength = Strength { elo, game: 1 };
            let key = Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let taken = strength.choose(&lines, key).unwrap();
            counts[lines.iter().position(|line| line == taken).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn the_weaker_the_more_it_errs_and_never_by_much() {
        let scores = [40, 15, -60, -700].map(UciScore::Centipawns);
        let firsts = [1320, 1800, 2300, 2850].map(|elo| counts(elo, &scores)[0]);
        assert!(firsts.is_sorted() && firsts[0] > 400 && firsts[0] < 700, "{firsts:?}");
        assert_eq!(firsts[3], 1000, "the strongest takes the best");
        assert_eq!(counts(1320, &scores)[3], 0, "a queen is not given away knowingly");
    }

    #[test]
    fn mates_are_played() {
        let scores = [UciScore::Mate(2), UciScore::Mate(4), UciScore::Centipawns(900)];
        assert_eq!(counts(1320, &scores), [1000, 0, 0]);
        let scores = [UciScore::Centipawns(-900), UciScore::Mate(-3)];
        assert_eq!(counts(1320, &scores), [1000, 0]);
    }

    #[test]
    fn only_the_position_the_rating_and_the_game_matter() {
        let lines = lines(&[10, 8, 6, 4, 2].map(UciScore::Centipawns));
        let choice = |elo, game, key| {
            let taken = Strength { elo, game }.choose(&lines, Key(key)).unwrap();
            lines.iter().position(|line| line == taken)
        };
        let by = |choose: &dyn Fn(u64) -> Option<usize>| (0..40).map(choose).collect::<Vec<_>>();
        assert_eq!(by(&|key| choice(1500, 1, key)), by(&|key| choice(1500, 1, key)));
        assert_ne!(by(&|key| choice(1500, 1, key)), by(&|key| choice(1500, 2, key)));
        assert_ne!(by(&|key| choice(1500, 1, key)), by(&|key| choice(1400, 1, key)));
        assert_eq!(Strength { elo: 1500, game: 0 }.choose(&[], Key(1)), None);
    }

    #[test]
    fn nodes_grow_with_the_rating() {
        let nodes = [1320, 1800, 2200, 2850].map(|elo| Strength { elo, game: 0 }.nodes());
        assert!(nodes.is_sorted() && nodes[0] == 400 && nodes[3] > 10_000, "{nodes:?}");
    }
}
