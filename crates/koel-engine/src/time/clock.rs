//! The time budget of a move.

use std::time::Duration;

use koel_search::declare;

use crate::request::{Clock, Request};

declare! {
    /// Shares are in percent.
    time_management {
        /// The moves that a game lasts, when the GUI does not send `movestogo`: those that are left
        /// share the remaining time. Games are longer, but scores fall most between moves 10 and
        /// 35...
        expected_moves = 40 in 10..=80;
        /// ...and at least as many as this share it...
        min_expected_moves = 12 in 5..=60;
        /// ...or, without an increment to live on in a long game, as this.
        min_expected_moves_sudden_death = 24 in 5..=60;
        /// The moves that share the remaining time when there are more until the time control.
        max_moves_to_go = 40 in 20..=60;
        /// The share of a move's time after which no iteration begins. An iteration takes about as
        /// long as all before it together, so that the time is used on average.
        soft_limit = 75 in 30..=150;
        /// The longest time that a move may take, in shares of the time per move...
        hard_limit = 500 in 150..=1000;
        /// ...and of the remaining time; the rest is a reserve for delays of the system...
        max_of_clock = 40 in 10..=60;
        /// ...or for the last move of a time control.
        max_for_last_move = 80 in 50..=90;
    }
}

/// The time limits of a search, counted from its start. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No iteration begins after this time, scaled by the time-management factors.
    pub(crate) soft: Option<Duration>,
    /// The search is interrupted at this time.
    pub(crate) hard: Option<Duration>,
}

impl TimeBudget {
    /// Computes the budget of a request, with the time that a move costs beside the search.
    ///
    /// Beside another limit (depth, nodes, mate, time) the clock only prevents a loss on time: the
    /// soft limit is dropped. `overhead` is taken from the clock and not from the exact time, which
    /// costs nothing when it is exceeded.
    pub(crate) fn new(request: &Request, overhead: Duration) -> TimeBudget {
        let mut budget = TimeBudget::default();
        if request.infinite {
            return budget;
        }
        if let Some(clock) = &request.clock {
            let move_number = request.game.position().fullmove_number();
            budget = TimeBudget::of_clock(clock, move_number.into(), clamped(overhead));
        }
        if let Some(time) = request.time {
            let hard = milliseconds(clamped(time));
            budget.hard = Some(budget.hard.map_or(hard, |clock| clock.min(hard)));
        }
        let Request { depth, nodes, mate, time, .. } = request;
        if depth.is_some() || nodes.is_some() || mate.is_some() || time.is_some() {
            budget.soft = None;
        }
        budget
    }

    /// Computes the budget of the move with this number in the game, from 1; all times in
    /// milliseconds.
    fn of_clock(clock: &Clock, move_number: i64, overhead: i64) -> TimeBudget {
        let [left, increment] = [clock.left, clock.increment].map(clamped);
        // The moves that share the time.
        let moves = match clock.moves_to_go {
            Some(moves) => {
                i64::from(moves.get()).clamp(1, time_management::max_moves_to_go().into())
            }
            None => {
                let expected = i64::from(time_management::expected_moves()) + 1 - move_number;
                let least = match increment {
                    0 => time_management::min_expected_moves_sudden_death(),
                    _ => time_management::min_expected_moves(),
                };
                // Fewer, when the overhead of each would exceed its time for thinking.
                (left / (2 * overhead).max(20)).clamp(2, expected.max(least.into()))
            }
        };
        let total = left + increment * (moves - 1) - overhead * (moves + 2);
        let share = total.max(0) / moves;
        let max_share = match moves {
            1 => time_management::max_for_last_move(),
            _ => time_management::max_of_clock(),
        };
        let max = percent(left - overhead, max_share);
        TimeBudget {
            soft: Some(milliseconds(percent(share, time_management::soft_limit()).min(max))),
            hard: Some(milliseconds(percent(share, time_management::hard_limit()).min(max))),
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

/// Returns whole milliseconds, at most 2^50, so that no computation overflows.
fn clamped(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).min(1 << 50)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use koel_board::{Game, Position, START_FEN};

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn budget(request: &Request) -> TimeBudget {
        budget_at(1, request)
    }

    /// The budget of White's move with that number in a game.
    fn budget_at(move_number: usize, request: &Request) -> TimeBudget {
        let fen = START_FEN.replace(" 1", &format!(" {move_number}"));
        let game = Game::new(Position::from_fen(&fen).unwrap());
        TimeBudget::new(&Request { game, ..request.clone() }, OVERHEAD)
    }

    fn request() -> Request {
        Request::new(Game::default())
    }

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Request {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        let moves_to_go = moves_to_go.and_then(NonZeroU32::new);
        Request { clock: Some(Clock { left, increment, moves_to_go }), ..request() }
    }

    /// Plays moves that each take their hard limit and almost the overhead.
    fn left_after(moves: usize, mut left: u64, increment: u64, moves_to_go: Option<u32>) -> u64 {
        for played in 0..moves {
            let to_go = moves_to_go.map(|to_go| to_go - played as u32);
            let hard = budget_at(played + 1, &clock(left, increment, to_go)).hard.unwrap();
            let cost = hard.as_millis() as u64 + 9;
            assert!(left > cost, "lost on time at move {played}");
            left -= cost;
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
    fn empty_clocks_leave_a_millisecond() {
        let minimum = Duration::from_millis(1);
        for left in [0, 1, 9] {
            let budget = budget(&clock(left, 0, None));
            assert_eq!(budget, TimeBudget { soft: Some(minimum), hard: Some(minimum) });
        }
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let request = clock(u64::MAX, u64::MAX, Some(u32::MAX));
        assert!(budget(&request).hard.is_some());
        let request = Request { time: Some(Duration::MAX), ..request };
        assert!(budget(&request).hard.is_some());
    }

    #[test]
    fn another_limit_overrides_the_clock() {
        let half_a_second = Some(Duration::from_millis(500));
        let limited = clock(60_000, 0, None).nodes(1000);
        assert_eq!(budget(&limited).soft, None);
        assert!(budget(&limited).hard.is_some());
        let exact = Request { time: half_a_second, ..request() };
        let expected = TimeBudget { soft: None, hard: half_a_second };
        assert_eq!(budget(&exact), expected, "a time is exact");
        let both = Request { time: half_a_second, ..clock(60_000, 0, None) };
        assert_eq!(budget(&both), expected);
        let both = Request { time: half_a_second, ..clock(100, 0, None) };
        assert!(budget(&both).hard.unwrap() < Duration::from_millis(90), "the clock goes first");
        let infinite = Request { infinite: true, ..clock(1000, 0, None) };
        assert_eq!(budget(&infinite), TimeBudget::default());
    }
}
