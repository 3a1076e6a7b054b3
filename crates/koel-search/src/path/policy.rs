//! Which scores that rest on a path are remembered, and believed on another.

use koel_cuckoo::KeyHistory;
use koel_tt::PathDependence;

use super::{Dependence, Head};

/// What the search does with scores that rest on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathPolicy {
    /// They are believed on every path, as most engines do.
    Trust,
    /// They are never believed, nor is anything that rests on them: one bit, which no node clears.
    Refuse,
    /// They are believed where the head of the cycle is on the path.
    Head,
    /// The same; and a score better than a draw is not believed, whatever it rests on, if its first
    /// move lets the other side repeat on this path. When what it has refused takes more than its
    /// share of the nodes, as in endings where everything repeats, it trusts.
    #[default]
    Guard,
    /// They are believed where the same positions, from the head to the parent, are on the path.
    Relative,
    /// The first repetition is no draw. At the third occurrence the second is searched once more,
    /// with a draw for the third: what a draw is then is one on every path, and only that is
    /// remembered. (H. G. Muller, 2007.)
    Muller,
}

impl PathPolicy {
    /// All of them, with the names by which they are chosen.
    pub const ALL: [(&str, PathPolicy); 6] = [
        ("trust", PathPolicy::Trust),
        ("refuse", PathPolicy::Refuse),
        ("head", PathPolicy::Head),
        ("guard", PathPolicy::Guard),
        ("relative", PathPolicy::Relative),
        ("muller", PathPolicy::Muller),
    ];

    /// The name by which it is chosen.
    #[must_use]
    pub fn name(self) -> &'static str {
        PathPolicy::ALL[self as usize].0
    }

    /// What is remembered of what the present position's score rests on.
    pub fn mark(self, history: &KeyHistory, dependence: Dependence) -> PathDependence {
        let (lower, upper) = (dependence.lower().is_some(), dependence.upper().is_some());
        if self == PathPolicy::Refuse {
            // Its heads are never left behind, and never asked for.
            return PathDependence::new(lower, upper, 0, 0);
        }
        let plies = dependence.head().plies_before(history.plies());
        let head = match self {
            PathPolicy::Relative => signature_of_path(history, plies),
            _ => PathDependence::signature(history.key(plies).0),
        };
        // What is too far away for the table to tell is never found again.
        let is_near = plies <= usize::from(PathDependence::MAX_DISTANCE);
        let distance = if is_near { plies as u8 } else { 0 };
        PathDependence::new(lower, upper, head, distance)
    }

    /// What a remembered score that rested on another path rests on here. `None`: it is not to be
    /// believed.
    pub fn find(self, history: &KeyHistory, mark: PathDependence) -> Option<Head> {
        let here = history.plies();
        let plies = match self {
            PathPolicy::Trust => return Some(Head::NONE),
            PathPolicy::Refuse | PathPolicy::Muller => None,
            PathPolicy::Head | PathPolicy::Guard => (1..=history.reach())
                .find(|&plies| PathDependence::signature(history.key(plies).0) == mark.head()),
            PathPolicy::Relative => Some(usize::from(mark.distance())).filter(|&plies| {
                (1..=history.reach()).contains(&plies)
                    && signature_of_path(history, plies) == mark.head()
            }),
        };
        plies.map(|plies| Head::at(here - plies))
    }
}

/// The set of the last so many positions before the present one.
fn signature_of_path(history: &KeyHistory, plies: usize) -> u16 {
    (1..=plies).fold(0, |sum, plies| sum ^ PathDependence::signature(history.key(plies).0))
}

/// Whether positions that are offset by one ply from an earlier one count as draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NoProgress {
    /// They do not.
    #[default]
    Off,
    /// They do.
    On,
    /// They do, and rest on the earlier position.
    Tracked,
}

impl NoProgress {
    /// All of them, with the names by which they are chosen.
    pub const ALL: [(&str, NoProgress); 3] =
        [("off", NoProgress::Off), ("on", NoProgress::On), ("tracked", NoProgress::Tracked)];
}

/// How a search deals with draws that depend on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathRules {
    /// Which remembered scores are believed.
    pub policy: PathPolicy,
    /// An experiment.
    pub no_progress: NoProgress,
    /// Whether the table tells games in which positions have occurred twice from others, as long
    /// as these can occur a third time. It costs nothing in other games.
    pub salt: bool,
}

impl Default for PathRules {
    fn default() -> PathRules {
        let (policy, no_progress) = Default::default();
        PathRules { policy, no_progress, salt: true }
    }
}

#[cfg(test)]
mod tests {
    use koel_cuckoo::ZobristKey;

    use super::*;

    fn on(place: usize) -> Dependence {
        Dependence::on(Head::at(place))
    }

    fn history(keys: &[u64]) -> KeyHistory {
        let mut history = KeyHistory::new(ZobristKey(keys[0]), keys.len());
        for &key in &keys[1..] {
            history.push(ZobristKey(key), true);
        }
        history
    }

    #[test]
    fn a_head_is_found_wherever_it_is_on_the_path() {
        let mark = PathPolicy::Head.mark(&history(&[10, 20, 30, 40]), on(1));
        assert_eq!((mark.distance(), mark.lower(), mark.upper()), (2, true, true));
        let find = |keys: &[u64]| PathPolicy::Head.find(&history(keys), mark);
        assert_eq!(find(&[10, 20, 30, 40]), Some(Head::at(1)));
        assert_eq!(find(&[20, 50, 60, 70, 40]), Some(Head::at(0)));
        assert_eq!(find(&[10, 50, 30, 40]), None);
        // Not the position itself, which is no ancestor.
        assert_eq!(find(&[10, 30, 20]), None);
    }

    #[test]
    fn a_relative_mark_wants_the_same_positions() {
        let mark = PathPolicy::Relative.mark(&history(&[10, 20, 30, 40]), on(1));
        let find = |keys: &[u64]| PathPolicy::Relative.find(&history(keys), mark);
        assert_eq!(find(&[10, 20, 30, 40]), Some(Head::at(1)));
        assert_eq!(find(&[70, 80, 90, 20, 30, 40]), Some(Head::at(3)));
        assert_eq!(find(&[10, 20, 50, 40]), None);
        assert_eq!(find(&[20, 40]), None);
    }

    #[test]
    fn what_is_far_away_is_not_found_again() {
        let keys: Vec<u64> = (0..100).map(|key| key * key + 1).collect();
        let history = history(&keys);
        let mark = PathPolicy::Relative.mark(&history, on(3));
        assert_eq!(PathPolicy::Relative.find(&history, mark), None);
        let mark = PathPolicy::Relative.mark(&history, on(40));
        assert_eq!(PathPolicy::Relative.find(&history, mark), Some(Head::at(40)));
    }

    #[test]
    fn trust_believes_and_refusal_does_not() {
        let history = history(&[10, 20, 30]);
        let mark = PathPolicy::Trust.mark(&history, on(0));
        assert_eq!(PathPolicy::Trust.find(&history, mark), Some(Head::NONE));
        assert_eq!(PathPolicy::Refuse.find(&history, mark), None);
    }

    #[test]
    fn every_policy_has_its_own_name() {
        for (name, policy) in PathPolicy::ALL {
            assert_eq!(policy.name(), name);
        }
    }
}
