//! What an engine may spend on a move, and the clock that holds it to that.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use koel_uci::{Go, Milliseconds};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// What an engine may spend on its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveLimits {
    /// A clock.
    Clock(TimeControl),
    /// So many nodes a move.
    Nodes(u64),
    /// So many plies a move.
    Depth(u32),
    /// So much time a move.
    MoveTime(Duration),
}

/// A clock: seconds for the game, or for some moves of it, and an increment for each move.
///
/// ```
/// use koel_arena::TimeControl;
///
/// let control: TimeControl = "40/60+0.5".parse()?;
/// assert_eq!(control.to_string(), "40/60+0.5");
/// assert!("1+".parse::<TimeControl>().is_err());
/// # Ok::<(), koel_arena::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// After so many moves `base` is added again; for the whole game when `None`.
    pub moves: Option<u32>,
    /// What the clock begins with.
    pub base: Duration,
    /// What it gains with each move.
    pub increment: Duration,
}

/// The text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a time control is written like 8+0.08 or 40/60+0.5, in seconds, found `{0}`")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        let seconds = |text: &str| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let value = text.parse().ok().filter(|_| is_plain).ok_or_else(error)?;
            Duration::try_from_secs_f64(value).map_err(|_| error())
        };
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves = moves.parse().ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or_else(error)?), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        Ok(TimeControl { moves, base: seconds(base)?, increment: seconds(increment)? })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
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

impl MoveLimits {
    /// Whether the same engine in the same game always plays the same move.
    pub fn are_deterministic(&self) -> bool {
        matches!(self, MoveLimits::Nodes(_) | MoveLimits::Depth(_))
    }
}

/// What one player has left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    limits: MoveLimits,
    left: Duration,
    moves: u32,
}

impl Clock {
    /// The clock before the first move.
    pub(crate) fn new(limits: MoveLimits) -> Clock {
        let left = match limits {
            MoveLimits::Clock(control) => control.base,
            _ => Duration::ZERO,
        };
        Clock { limits, left, moves: 0 }
    }

    /// How long the next move may take; `None` when only the runner's timeout limits it.
    pub(crate) fn allows(&self) -> Option<Duration> {
        match self.limits {
            MoveLimits::Clock(_) => Some(self.left),
            MoveLimits::MoveTime(time) => Some(time),
            MoveLimits::Nodes(_) | MoveLimits::Depth(_) => None,
        }
    }

    /// Takes the time of a move off, and adds what the move earns.
    pub(crate) fn charge(&mut self, elapsed: Duration) {
        let MoveLimits::Clock(control) = self.limits else { return };
        self.moves += 1;
        self.left = self.left.saturating_sub(elapsed) + control.increment;
        if control.moves.is_some_and(|moves| self.moves.is_multiple_of(moves)) {
            self.left += control.base;
        }
    }

    /// What the player to move is told; `other` is the opponent's clock.
    pub(crate) fn go(&self, turn: Color, other: &Clock) -> Go {
        let mut go = Go::default();
        match self.limits {
            MoveLimits::Nodes(nodes) => go.nodes = Some(nodes),
            MoveLimits::Depth(depth) => go.depth = Some(depth),
            MoveLimits::MoveTime(time) => go.movetime = Some(time.into()),
            MoveLimits::Clock(control) => {
                // Against an opponent without a clock, his is said to be the same.
                let (their_left, their_increment) = match other.limits {
                    MoveLimits::Clock(theirs) => (other.left, theirs.increment),
                    _ => (self.left, control.increment),
                };
                let ours = (Milliseconds::from(self.left), Milliseconds::from(control.increment));
                let theirs = (their_left.into(), their_increment.into());
                let (white, black) =
                    if turn == Color::White { (ours, theirs) } else { (theirs, ours) };
                (go.wtime, go.winc) = (Some(white.0), Some(white.1));
                (go.btime, go.binc) = (Some(black.0), Some(black.1));
                go.movestogo = control.moves.map(|moves| moves - self.moves % moves);
            }
        }
        go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(MoveLimits::Clock(text.parse().unwrap()))
    }

    #[test]
    fn a_clock_runs_down_and_gains() {
        let mut ours = clock("1+0.01");
        ours.charge(Duration::from_millis(300));
        assert_eq!(ours.allows(), Some(Duration::from_millis(710)));
        let go = ours.go(Color::Black, &clock("2+0"));
        assert_eq!(go.to_string(), "go wtime 2000 btime 710 winc 0 binc 10");
        ours.charge(Duration::from_secs(5));
        assert_eq!(ours.allows(), Some(Duration::from_millis(10)));
    }

    #[test]
    fn a_control_may_have_periods() {
        let mut ours = clock("2/1+0");
        assert!(ours.go(Color::White, &ours).to_string().ends_with("movestogo 2"));
        ours.charge(Duration::from_millis(400));
        assert!(ours.go(Color::White, &ours).to_string().ends_with("movestogo 1"));
        ours.charge(Duration::from_millis(400));
        assert_eq!(ours.allows(), Some(Duration::from_millis(1200)));
    }

    #[test]
    fn other_limits_are_said_as_they_are() {
        let other = Clock::new(MoveLimits::Depth(3));
        let said = |limits| Clock::new(limits).go(Color::White, &other).to_string();
        assert_eq!(said(MoveLimits::Nodes(500)), "go nodes 500");
        assert_eq!(said(MoveLimits::Depth(3)), "go depth 3");
        assert_eq!(said(MoveLimits::MoveTime(Duration::from_millis(50))), "go movetime 50");
        let control = MoveLimits::Clock("1+0.01".parse().unwrap());
        assert_eq!(said(control), "go wtime 1000 btime 1000 winc 10 binc 10");
    }

    #[test]
    fn nonsense_is_no_time_control() {
        for text in ["", "+", "0/1", "x", "1+0+0", "-1", "1e400", "inf", "1+nan"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
