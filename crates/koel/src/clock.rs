//! How much time a move may take.

use std::time::Duration;

use koel_board::Color;
use koel_uci::{Go, Milliseconds};

/// Moves that a game is expected to go on for when the GUI does not say.
const EXPECTED_MOVES: i64 = 40;

/// An iteration takes longer than all before it. So none begins when this much of a move's share
/// is gone, in percent, and on average the share is used.
const PERCENT_BEFORE_LAST_ITERATION: i64 = 65;

/// The longest that a move may take, in shares, and in percent of all that is left: before other
/// moves, and when it is the last of its period. The rest has to absorb what the system takes away.
const MOST_SHARES: i64 = 5;
const MOST_PERCENT: i64 = 40;
const MOST_PERCENT_FOR_LAST_MOVE: i64 = 80;

/// The times that end a search, counted from its start. `None` never ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// No iteration begins after this. It may be stretched by how the search is going.
    pub(crate) soft: Option<Duration>,
    /// The search is broken off at this.
    pub(crate) hard: Option<Duration>,
}

impl Budget {
    /// What `go` allows the side to move.
    ///
    /// A clock beside another limit (`depth`, `nodes`, `mate`, `movetime`) only prevents a loss on
    /// time: the other limit is what is wanted. A clock that is given for the opponent alone is
    /// taken for an empty one.
    pub(crate) fn new(go: &Go, turn: Color, move_overhead: Duration) -> Budget {
        let overhead = Milliseconds::from(move_overhead).0;
        let mut budget = Budget::default();
        if go.infinite {
            return budget;
        }
        if go.wtime.is_some() || go.btime.is_some() {
            let (time, increment) = turn.fold_wb((go.wtime, go.winc), (go.btime, go.binc));
            let clock = Clock {
                left: time.map_or(0, bounded),
                increment: increment.map_or(0, bounded),
                moves_to_go: go.movestogo.map(i64::from),
                overhead,
            };
            budget = clock.budget();
        }
        if let Some(time) = go.movetime {
            let hard = milliseconds(bounded(time) - overhead);
            budget.hard = Some(budget.hard.map_or(hard, |clock| clock.min(hard)));
        }
        if go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.movetime.is_some() {
            budget.soft = None;
        }
        budget
    }
}

/// A clock as the rules of a tournament see it; all times in milliseconds.
struct Clock {
    left: i64,
    increment: i64,
    moves_to_go: Option<i64>,
    overhead: i64,
}

impl Clock {
    fn budget(&self) -> Budget {
        let moves = self.moves_left();
        let total = self.left + self.increment * (moves - 1) - self.overhead * (moves + 2);
        let share = total.max(0) / moves;
        let percent = if moves == 1 { MOST_PERCENT_FOR_LAST_MOVE } else { MOST_PERCENT };
        let most = (self.left - self.overhead) * percent / 100;
        Budget {
            soft: Some(milliseconds((share * PERCENT_BEFORE_LAST_ITERATION / 100).min(most))),
            hard: Some(milliseconds((share * MOST_SHARES).min(most))),
        }
    }

    /// The moves to share the time among. Where their number is only a guess, it is lower when each
    /// would lose more to the overhead than it has left for thinking.
    fn moves_left(&self) -> i64 {
        match self.moves_to_go {
            Some(moves) => moves.clamp(1, EXPECTED_MOVES),
            None => (self.left / (2 * self.overhead).max(20)).clamp(2, EXPECTED_MOVES),
        }
    }
}

/// At least one: a search that has no time still has to find a move.
fn milliseconds(time: i64) -> Duration {
    Duration::from_millis(time.max(1).unsigned_abs())
}

/// A time from outside, at most some thirty thousand years and never negative: nothing overflows.
fn bounded(time: Milliseconds) -> i64 {
    time.0.clamp(0, 1 << 50)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn budget(go: &Go) -> Budget {
        Budget::new(go, Color::White, OVERHEAD)
    }

    fn clock(left: i64, increment: i64, moves_to_go: Option<u32>) -> Go {
        let (left, increment) = (Some(Milliseconds(left)), Some(Milliseconds(increment)));
        Go {
            wtime: left,
            btime: left,
            winc: increment,
            binc: increment,
            movestogo: moves_to_go,
            ..Go::default()
        }
    }

    /// Plays moves that take as long as they may at most, and the overhead.
    fn left_after(moves: usize, mut left: i64, increment: i64, moves_to_go: Option<u32>) -> i64 {
        for played in 0..moves {
            let to_go = moves_to_go.map(|to_go| to_go - played as u32);
            let hard = budget(&clock(left, increment, to_go)).hard.unwrap();
            left -= hard.as_millis() as i64 + 9;
            assert!(left > 0, "lost on time at move {played}");
            left += increment;
        }
        left
    }

    #[test]
    fn no_game_is_lost_on_time() {
        left_after(300, 1000, 10, None);
        left_after(300, 60_000, 600, None);
        left_after(40, 60_000, 0, Some(40));
        left_after(1, 1000, 0, Some(1));
        left_after(10, 100, 11, None);
    }

    #[test]
    fn time_is_used() {
        let Budget { soft: Some(soft), hard: Some(hard) } = budget(&clock(60_000, 600, None))
        else {
            panic!()
        };
        assert!(soft >= Duration::from_millis(1000) && soft <= Duration::from_millis(3000));
        assert!(hard >= 3 * soft && hard <= Duration::from_millis(20_000));
        let last = budget(&clock(60_000, 0, Some(1))).soft.unwrap();
        assert!(last >= Duration::from_millis(30_000));
    }

    #[test]
    fn empty_and_negative_clocks_leave_a_millisecond() {
        let least = Duration::from_millis(1);
        for left in [0, -1, -100_000, i64::MIN, 9] {
            let budget = budget(&clock(left, 0, None));
            assert_eq!(budget, Budget { soft: Some(least), hard: Some(least) });
        }
        let opponents_only = Go { btime: Some(Milliseconds(1000)), ..Go::default() };
        assert_eq!(budget(&opponents_only).hard, Some(least));
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let go = clock(i64::MAX, i64::MAX, Some(u32::MAX));
        assert!(budget(&go).hard.is_some());
        let go = Go { movetime: Some(Milliseconds(i64::MIN)), ..Go::default() };
        assert_eq!(budget(&go).hard, Some(Duration::from_millis(1)));
    }

    #[test]
    fn another_limit_overrules_the_clock() {
        let go = Go { nodes: Some(1000), ..clock(60_000, 0, None) };
        assert_eq!(budget(&go).soft, None);
        assert!(budget(&go).hard.is_some());
        let go = Go { movetime: Some(Milliseconds(500)), ..Go::default() };
        let expected = Budget { soft: None, hard: Some(Duration::from_millis(490)) };
        assert_eq!(budget(&go), expected);
        let go = Go { infinite: true, ..clock(1000, 0, None) };
        assert_eq!(budget(&go), Budget::default());
    }
}
