//! The time budget of a move.

use std::time::Duration;

use koel_board::{Color, Position};
use koel_search::params::time_management;
use koel_uci::{Go, Milliseconds};

/// The time limits of a search, counted from its start. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No iteration begins after this time, scaled by the time-management factors.
    pub(crate) soft: Option<Duration>,
    /// The search is interrupted at this time.
    pub(crate) hard: Option<Duration>,
}

impl TimeBudget {
    /// Computes the budget of the side to move.
    ///
    /// Beside another limit (`depth`, `nodes`, `mate`, `movetime`) the clock only prevents a loss
    /// on time: the soft limit is dropped. `overhead` is the time that a move costs beside the
    /// search; it is taken from the clock and not from `movetime`, which costs nothing when it is
    /// exceeded.
    pub(crate) fn new(go: &Go, position: &Position, overhead: Duration) -> TimeBudget {
        let overhead = Milliseconds::from(overhead).0;
        let mut budget = TimeBudget::default();
        if go.infinite {
            return budget;
        }
        if let Some(reading) = ClockReading::of(go, position.turn()) {
            let clock = Clock {
                left: clamped(reading.left),
                increment: clamped(reading.increment),
                moves_to_go: go.movestogo.filter(|&moves| moves > 0).map(i64::from),
                move_number: i64::from(position.fullmove_number()),
                overhead,
            };
            budget = clock.budget();
        }
        if let Some(time) = go.movetime {
            let hard = milliseconds(clamped(time));
            budget.hard = Some(budget.hard.map_or(hard, |clock| clock.min(hard)));
        }
        if go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.movetime.is_some() {
            budget.soft = None;
        }
        budget
    }
}

/// The clock of the side to move as a `go` command gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockReading {
    /// The remaining time.
    pub(crate) left: Milliseconds,
    /// The increment per move.
    pub(crate) increment: Milliseconds,
}

impl ClockReading {
    /// Returns the clock in a command, `None` without one. A clock that is given for the opponent
    /// alone counts as an empty one.
    pub(crate) fn of(go: &Go, turn: Color) -> Option<ClockReading> {
        let (left, increment) = turn.fold_wb((go.wtime, go.winc), (go.btime, go.binc));
        let [left, increment] = [left, increment].map(|time| time.unwrap_or(Milliseconds(0)));
        (go.wtime.is_some() || go.btime.is_some()).then_some(ClockReading { left, increment })
    }
}

/// The clock of the side to move; all times in milliseconds.
struct Clock {
    left: i64,
    increment: i64,
    moves_to_go: Option<i64>,
    /// The number of the move in the game, from 1.
    move_number: i64,
    overhead: i64,
}

impl Clock {
    fn budget(&self) -> TimeBudget {
        let moves = self.moves_left();
        let total = self.left + self.increment * (moves - 1) - self.overhead * (moves + 2);
        let share = total.max(0) / moves;
        let max_share = match moves {
            1 => time_management::max_for_last_move(),
            _ => time_management::max_of_clock(),
        };
        let max = percent(self.left - self.overhead, max_share);
        TimeBudget {
            soft: Some(milliseconds(percent(share, time_management::soft_limit()).min(max))),
            hard: Some(milliseconds(percent(share, time_management::hard_limit()).min(max))),
        }
    }

    /// The number of moves to share the time among. An estimated number is lowered when the
    /// overhead of each move would exceed its time for thinking.
    fn moves_left(&self) -> i64 {
        match self.moves_to_go {
            Some(moves) => moves.clamp(1, time_management::max_moves_to_go().into()),
            None => {
                let expected = i64::from(time_management::expected_moves()) + 1 - self.move_number;
                let least = match self.increment {
                    0 => time_management::min_expected_moves_sudden_death(),
                    _ => time_management::min_expected_moves(),
                };
                let expected = expected.max(least.into());
                (self.left / (2 * self.overhead).max(20)).clamp(2, expected)
            }
        }
    }
}

fn percent(time: i64, percent: i32) -> i64 {
    time * i64::from(percent) / 100
}

/// Converts milliseconds, at least one: a search without time still has to find a move.
fn milliseconds(time: i64) -> Duration {
    Duration::from_millis(time.max(1).unsigned_abs())
}

/// Clamps a time from outside to 0..2^50 ms, so that no computation overflows.
fn clamped(time: Milliseconds) -> i64 {
    time.0.clamp(0, 1 << 50)
}

#[cfg(test)]
mod tests {
    use koel_board::START_FEN;

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn budget(go: &Go) -> TimeBudget {
        budget_at(1, go)
    }

    /// The budget of White's move with that number in a game.
    fn budget_at(move_number: usize, go: &Go) -> TimeBudget {
        let fen = START_FEN.replace(" 1", &format!(" {move_number}"));
        TimeBudget::new(go, &Position::from_fen(&fen).unwrap(), OVERHEAD)
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

    /// Plays moves that each take their hard limit and almost the overhead.
    fn left_after(moves: usize, mut left: i64, increment: i64, moves_to_go: Option<u32>) -> i64 {
        for played in 0..moves {
            let to_go = moves_to_go.map(|to_go| to_go - played as u32);
            let hard = budget_at(played + 1, &clock(left, increment, to_go)).hard.unwrap();
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
        let TimeBudget { soft: Some(soft), hard: Some(hard) } = budget(&clock(60_000, 600, None))
        else {
            panic!()
        };
        assert!(soft >= Duration::from_millis(1000) && soft <= Duration::from_millis(3000));
        assert!(hard >= 3 * soft && hard <= Duration::from_millis(20_000));
        let last = budget(&clock(60_000, 0, Some(1))).soft.unwrap();
        assert!(last >= Duration::from_millis(30_000));
    }

    #[test]
    fn fewer_moves_share_the_time_as_the_game_goes_on() {
        for (increment, last) in [(600, 29), (0, 17)] {
            let clock = clock(60_000, increment, None);
            let soft = |move_number| budget_at(move_number, &clock).soft.unwrap();
            assert!((1..last).all(|number| soft(number) < soft(number + 1)));
            assert!([last + 1, 200, 9_999].iter().all(|&late| soft(late) == soft(last)));
        }
        let go = clock(60_000, 0, Some(20));
        assert_eq!(budget_at(1, &go), budget_at(25, &go), "the GUI knows better");
    }

    #[test]
    fn empty_and_negative_clocks_leave_a_millisecond() {
        let minimum = Duration::from_millis(1);
        for left in [0, -1, -100_000, i64::MIN, 9] {
            let budget = budget(&clock(left, 0, None));
            assert_eq!(budget, TimeBudget { soft: Some(minimum), hard: Some(minimum) });
        }
        let opponents_only = Go { btime: Some(Milliseconds(1000)), ..Go::default() };
        assert_eq!(budget(&opponents_only).hard, Some(minimum));
    }

    #[test]
    fn no_moves_to_go_means_no_time_control_to_come() {
        let sudden_death = budget(&clock(5000, 50, None));
        assert_eq!(budget(&clock(5000, 50, Some(0))), sudden_death);
        assert!(sudden_death.hard < budget(&clock(5000, 50, Some(1))).hard);
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let go = clock(i64::MAX, i64::MAX, Some(u32::MAX));
        assert!(budget(&go).hard.is_some());
        let go = Go { movetime: Some(Milliseconds(i64::MIN)), ..Go::default() };
        assert_eq!(budget(&go).hard, Some(Duration::from_millis(1)));
    }

    #[test]
    fn another_limit_overrides_the_clock() {
        let go = Go { nodes: Some(1000), ..clock(60_000, 0, None) };
        assert_eq!(budget(&go).soft, None);
        assert!(budget(&go).hard.is_some());
        let go = Go { movetime: Some(Milliseconds(500)), ..Go::default() };
        let expected = TimeBudget { soft: None, hard: Some(Duration::from_millis(500)) };
        assert_eq!(budget(&go), expected, "movetime is exact");
        let go = Go { movetime: Some(Milliseconds(500)), ..clock(60_000, 0, None) };
        assert_eq!(budget(&go), expected);
        let go = Go { movetime: Some(Milliseconds(500)), ..clock(100, 0, None) };
        assert!(budget(&go).hard.unwrap() < Duration::from_millis(90), "the clock goes first");
        let go = Go { infinite: true, ..clock(1000, 0, None) };
        assert_eq!(budget(&go), TimeBudget::default());
    }
}
