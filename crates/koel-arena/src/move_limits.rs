//! Limits of moves, and the clock that enforces them.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use koel_uci::{Go, Milliseconds};
use shakmaty::Color;

/// The limit of an engine for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveLimits {
    /// A clock for the game.
    Clock(TimeControl),
    /// Nodes per move.
    Nodes(u64),
    /// Depth of each move in plies.
    Depth(u32),
    /// Time per move.
    MoveTime(Duration),
}

/// A time control: seconds for the game or for a number of moves, and an increment for each move,
/// in up to three periods separated by colons; the last one is repeated if it has a number of
/// moves. With a number of nodes after `@` the clock counts these as a millisecond, so that the
/// load of the machine does not matter.
///
/// ```
/// use koel_arena::TimeControl;
///
/// let control: TimeControl = "40/60+0.5".parse()?;
/// assert_eq!(control.to_string(), "40/60+0.5");
/// assert_eq!("8+0.08@500".parse::<TimeControl>()?.nodes_per_millisecond, 500.try_into().ok());
/// assert!("1+".parse::<TimeControl>().is_err());
/// # Ok::<(), koel_arena::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The first period.
    pub first: Period,
    /// The periods after the first.
    pub later: [Option<Period>; 2],
    /// Nodes that are charged as a millisecond; `None` for real time. The engine needs the option
    /// `nodestime`, and reports its nodes after every search.
    pub nodes_per_millisecond: Option<NonZeroU64>,
}

/// The greatest time of a clock, an increment or a move: a year.
const MAX_TIME: Duration = Duration::from_secs(365 * 86_400);

/// A period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Number of moves; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Time at its start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// Returns a control of real time for the whole game.
    pub const fn new(base: Duration, increment: Duration) -> TimeControl {
        let first = Period { moves: None, base, increment };
        TimeControl { first, later: [None; 2], nodes_per_millisecond: None }
    }

    /// Returns a period by its number from 0. Behind the last one it comes again.
    fn period(&self, number: usize) -> Period {
        self.later[..number.min(2)].iter().rev().find_map(|later| *later).unwrap_or(self.first)
    }

    fn parse(text: &str) -> Option<TimeControl> {
        let (text, nodes_per_millisecond) = match text.split_once('@') {
            Some((text, nodes)) => (text, Some(nodes.parse().ok()?)),
            None => (text, None),
        };
        let periods: Vec<_> = text.split(':').map(Period::parse).collect::<Option<_>>()?;
        let (_, before_last) = periods.split_last()?;
        if before_last.len() > 2 || before_last.iter().any(|period| period.moves.is_none()) {
            return None;
        }
        let later = [1, 2].map(|number| periods.get(number).copied());
        Some(TimeControl { first: periods[0], later, nodes_per_millisecond })
    }
}

impl Period {
    fn parse(text: &str) -> Option<Period> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), time),
            None => (None, text),
        };
        let seconds = |text: &str| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let time = Duration::try_from_secs_f64(text.parse().ok().filter(|_| is_plain)?).ok();
            time.filter(|&time| time <= MAX_TIME)
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (base, increment) = (seconds(base)?, seconds(increment)?);
        (!base.is_zero()).then_some(Period { moves, base, increment })
    }
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a time control: expected seconds above 0, at most a year, like 8+0.08, \
     40/60+0.5 or 40/60:30+1, and @500 behind them for a clock of 500 nodes a millisecond"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        TimeControl::parse(text).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        self.later.iter().flatten().try_for_each(|period| write!(f, ":{period}"))?;
        self.nodes_per_millisecond.map_or(Ok(()), |nodes| write!(f, "@{nodes}"))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.map_or(Ok(()), |moves| write!(f, "{moves}/"))?;
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimits::Clock(control) => control.fmt(f),
            MoveLimits::Nodes(nodes) => write!(f, "{nodes} nodes"),
            MoveLimits::Depth(depth) => write!(f, "depth {depth}"),
            MoveLimits::MoveTime(time) => write!(f, "{} s a move", time.as_secs_f64()),
        }
    }
}

/// The names of limits on the command line and in files of engines.
#[cfg(feature = "cli")]
pub(crate) const LIMIT_NAMES: [&str; 4] = ["tc", "nodes", "depth", "movetime"];

/// Parses a limit by its name.
#[cfg(feature = "cli")]
pub(crate) fn parse_limit(name: &str, value: &str) -> Result<MoveLimits, String> {
    if name == "tc" {
        return value.parse().map(MoveLimits::Clock).map_err(|e: TimeControlError| e.to_string());
    }
    let number = value.parse::<u64>().ok().filter(|&number| number > 0);
    let number = number.ok_or_else(|| format!("`{value}` is no number above 0"))?;
    Ok(match name {
        "nodes" => MoveLimits::Nodes(number),
        "movetime" => {
            let time = Some(Duration::from_millis(number)).filter(|&time| time <= MAX_TIME);
            MoveLimits::MoveTime(time.ok_or_else(|| format!("`{value}` is more than a year"))?)
        }
        _ => MoveLimits::Depth(number.try_into().map_err(|_| format!("`{value}` is too deep"))?),
    })
}

impl MoveLimits {
    /// Returns true if an engine with one thread always plays the same move in the same game.
    pub fn are_deterministic(&self) -> bool {
        match self {
            MoveLimits::Nodes(_) | MoveLimits::Depth(_) => true,
            MoveLimits::Clock(_) => self.nodes_per_millisecond().is_some(),
            MoveLimits::MoveTime(_) => false,
        }
    }

    /// Returns the nodes that are charged as a millisecond; `None` for real time or no clock.
    pub fn nodes_per_millisecond(&self) -> Option<NonZeroU64> {
        match self {
            MoveLimits::Clock(control) => control.nodes_per_millisecond,
            _ => None,
        }
    }
}

/// The clock of one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    limits: MoveLimits,
    left: Duration,
    /// The number of the period, and of the moves in it.
    period: usize,
    moves: u32,
}

impl Clock {
    /// Returns the clock before the first move.
    pub(crate) fn new(limits: MoveLimits) -> Clock {
        let left = match limits {
            MoveLimits::Clock(control) => control.first.base,
            _ => Duration::ZERO,
        };
        Clock { limits, left, period: 0, moves: 0 }
    }

    /// Returns the time for the next move; `None` without a limit of time.
    pub(crate) fn time_for_move(&self) -> Option<Duration> {
        match self.limits {
            MoveLimits::Clock(_) => Some(self.left),
            MoveLimits::MoveTime(time) => Some(time),
            MoveLimits::Nodes(_) | MoveLimits::Depth(_) => None,
        }
    }

    /// Returns true if the clock counts nodes as time.
    pub(crate) fn counts_nodes(&self) -> bool {
        self.limits.nodes_per_millisecond().is_some()
    }

    /// Returns the time to charge for a search of `nodes` nodes that took `elapsed`.
    pub(crate) fn cost(&self, elapsed: Duration, nodes: u64) -> Duration {
        match self.limits.nodes_per_millisecond() {
            None => elapsed,
            Some(rate) => Duration::from_micros(nodes.saturating_mul(1000) / rate.get()),
        }
    }

    /// Subtracts the time of a move, and adds the increment and the time of a new period.
    pub(crate) fn charge(&mut self, elapsed: Duration) {
        let MoveLimits::Clock(control) = self.limits else { return };
        let period = control.period(self.period);
        self.moves += 1;
        self.left = self.left.saturating_sub(elapsed) + period.increment;
        if period.moves == Some(self.moves) {
            (self.period, self.moves) = (self.period + 1, 0);
            self.left += control.period(self.period).base;
        }
    }

    /// Returns the `go` command of the side to move; `other` is the opponent's clock.
    pub(crate) fn go(&self, turn: Color, other: &Clock) -> Go {
        let go = Go::default();
        match self.limits {
            MoveLimits::Nodes(nodes) => go.with_nodes(nodes),
            MoveLimits::Depth(depth) => go.with_depth(depth),
            MoveLimits::MoveTime(time) => go.with_movetime(time.into()),
            MoveLimits::Clock(control) => {
                let period = control.period(self.period);
                // An opponent without a clock is given the same time.
                let (their_left, their_increment) = match other.limits {
                    MoveLimits::Clock(theirs) => {
                        (other.left, theirs.period(other.period).increment)
                    }
                    _ => (self.left, period.increment),
                };
                let mut left = [self.left, their_left].map(Milliseconds::from);
                let mut increment = [period.increment, their_increment].map(Milliseconds::from);
                if turn == Color::Black {
                    left.reverse();
                    increment.reverse();
                }
                let movestogo = period.moves.map(|moves| moves - self.moves);
                Go { movestogo, ..go.with_clocks(left, increment) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(MoveLimits::Clock(text.parse().unwrap()))
    }

    #[test]
    fn a_clock_is_charged_and_gains_the_increment() {
        let mut ours = clock("1+0.01");
        ours.charge(Duration::from_millis(300));
        assert_eq!(ours.time_for_move(), Some(Duration::from_millis(710)));
        let go = ours.go(Color::Black, &clock("2+0"));
        assert_eq!(go.to_string(), "go wtime 2000 btime 710 winc 0 binc 10");
        ours.charge(Duration::from_secs(5));
        assert_eq!(ours.time_for_move(), Some(Duration::from_millis(10)));
    }

    #[test]
    fn a_time_control_may_have_periods() {
        let mut ours = clock("2/1+0");
        assert!(ours.go(Color::White, &ours).to_string().ends_with("movestogo 2"));
        ours.charge(Duration::from_millis(400));
        assert!(ours.go(Color::White, &ours).to_string().ends_with("movestogo 1"));
        ours.charge(Duration::from_millis(400));
        assert_eq!(ours.time_for_move(), Some(Duration::from_millis(1200)));
        let mut ours = clock("2/1+0:1/2+1:3+0.5");
        let gos = (0..5).map(|_| {
            let go = ours.go(Color::White, &clock("9+0")).to_string();
            ours.charge(Duration::ZERO);
            go
        });
        let gos: Vec<_> = gos.collect();
        assert!(gos[1].ends_with("winc 0 binc 0 movestogo 1"), "{gos:?}");
        assert!(gos[2].ends_with("wtime 3000 btime 9000 winc 1000 binc 0 movestogo 1"), "{gos:?}");
        assert!(gos[3].ends_with("wtime 7000 btime 9000 winc 500 binc 0"), "{gos:?}");
        assert!(gos[4].contains("wtime 7500"), "{gos:?}");
        assert_eq!(ours.limits.to_string(), "2/1+0:1/2+1:3+0.5");
    }

    #[test]
    fn a_clock_may_count_nodes() {
        let ours = clock("40/60+0.6@500");
        assert_eq!(ours.limits.to_string(), "40/60+0.6@500");
        assert_eq!(ours.cost(Duration::from_secs(9), 1250), Duration::from_micros(2500));
        assert_eq!(clock("60+0.6").cost(Duration::from_secs(9), 1250), Duration::from_secs(9));
        assert!(ours.limits.are_deterministic() && !clock("60+0.6").limits.are_deterministic());
    }

    #[test]
    fn other_limits_have_their_own_go_commands() {
        let other = Clock::new(MoveLimits::Depth(3));
        let go = |limits| Clock::new(limits).go(Color::White, &other).to_string();
        assert_eq!(go(MoveLimits::Nodes(500)), "go nodes 500");
        assert_eq!(go(MoveLimits::Depth(3)), "go depth 3");
        assert_eq!(go(MoveLimits::MoveTime(Duration::from_millis(50))), "go movetime 50");
        let control = MoveLimits::Clock("1+0.01".parse().unwrap());
        assert_eq!(go(control), "go wtime 1000 btime 1000 winc 10 binc 10");
    }
}
