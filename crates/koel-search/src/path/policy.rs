//! The policies for path-dependent table scores.

use koel_cuckoo::KeyStack;

use super::{CycleHead, PathDependence, PathMark};

/// A policy for path-dependent scores of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum PathPolicy {
    /// They are accepted on every path, as in most engines.
    Trust,
    /// They are never accepted, nor is any score that depends on them: a single bit, which no node
    /// clears.
    Refuse,
    /// They are accepted if the same positions, from the head to the parent, are on the path, and a
    /// return to each is a draw. If the nodes below refused scores exceed their share, as in
    /// endings where everything repeats, all scores are accepted.
    #[default]
    Relative,
    /// The first repetition is not a draw. When a third occurrence is reached, the second is
    /// searched again with the third as a draw: if that is a draw too, it is one on every path, and
    /// only such draws are stored. (H. G. Muller, 2007.)
    Muller,
}

impl PathPolicy {
    /// All policies, with their option names.
    pub const ALL: [(&str, PathPolicy); 4] = [
        ("trust", PathPolicy::Trust),
        ("refuse", PathPolicy::Refuse),
        ("relative", PathPolicy::Relative),
        ("muller", PathPolicy::Muller),
    ];

    /// The option name.
    #[must_use]
    pub fn name(self) -> &'static str {
        PathPolicy::ALL[self as usize].0
    }

    /// Returns the mark that the table keeps of the dependence of the current position's score.
    #[must_use]
    pub fn mark(self, keys: &KeyStack, dependence: PathDependence) -> PathMark {
        let (lower, upper) = (dependence.lower().is_some(), dependence.upper().is_some());
        if self == PathPolicy::Refuse {
            // The bits alone matter: no head is ever looked for.
            return PathMark::new(lower, upper, 0, 0);
        }
        if !dependence.is_some() {
            return PathMark::NONE;
        }
        let plies = dependence.head().plies_before(keys.plies());
        if plies > usize::from(PathMark::MAX_DISTANCE) {
            // A distance of 0 is never found.
            return PathMark::new(lower, upper, 0, 0);
        }
        PathMark::new(lower, upper, signature_of_path(keys, plies), plies as u8)
    }

    /// Returns the head of a path-dependent table score on the current path, `ply` plies after the
    /// root, or `None` if the score is to be refused. A return to a position at or before the root
    /// is a draw only if that position is itself a repetition, whatever it was when the score was
    /// stored: the root moves on from one search to the next.
    #[must_use]
    pub fn find(self, keys: &KeyStack, mark: PathMark, ply: usize) -> Option<CycleHead> {
        let plies = usize::from(mark.distance());
        match self {
            PathPolicy::Trust => Some(CycleHead::NONE),
            PathPolicy::Refuse | PathPolicy::Muller => None,
            PathPolicy::Relative => ((1..=keys.reversible_plies()).contains(&plies)
                && signature_of_path(keys, plies) == mark.signature()
                && (ply..=plies).all(|plies| keys.return_is_draw(plies, ply)))
            .then(|| CycleHead::at(keys.plies() - plies)),
        }
    }
}

/// A 16-bit signature of the set of the last `plies` positions before the current one.
fn signature_of_path(keys: &KeyStack, plies: usize) -> u16 {
    (1..=plies).fold(0, |sum, plies| sum ^ signature(keys.key(plies).0))
}

#[inline]
fn signature(key: u64) -> u16 {
    (key.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48) as u16
}

/// The no-progress rule: a position with the pieces of an earlier one and the other side to move
/// counts as a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum NoProgress {
    /// The rule is off.
    #[default]
    Off,
    /// The rule is on.
    On,
    /// The rule is on, and its draws depend on the earlier position.
    Tracked,
}

impl NoProgress {
    /// All settings, with their option names.
    pub const ALL: [(&str, NoProgress); 3] =
        [("off", NoProgress::Off), ("on", NoProgress::On), ("tracked", NoProgress::Tracked)];
}

/// The rules for path-dependent draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathRules {
    /// The policy for path-dependent table scores.
    pub policy: PathPolicy,
    /// The no-progress rule, an experiment.
    pub no_progress: NoProgress,
    /// True if the table keys are salted while a position that has occurred twice can occur a third
    /// time. It costs nothing in other games.
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

    fn on(index: usize) -> PathDependence {
        PathDependence::on(CycleHead::at(index))
    }

    fn stack(keys: &[u64]) -> KeyStack {
        let mut stack = KeyStack::new(ZobristKey(keys[0]), keys.len());
        for &key in &keys[1..] {
            stack.push(ZobristKey(key), true);
        }
        stack
    }

    #[test]
    fn a_score_of_the_position_alone_has_no_mark() {
        for (name, policy) in PathPolicy::ALL {
            let mark = policy.mark(&stack(&[10, 20, 30]), PathDependence::NONE);
            assert_eq!(mark, PathMark::NONE, "{name}");
        }
    }

    #[test]
    fn a_relative_mark_requires_the_same_positions() {
        let mark = PathPolicy::Relative.mark(&stack(&[10, 20, 30, 40]), on(1));
        let find = |keys: &[u64]| PathPolicy::Relative.find(&stack(keys), mark, keys.len());
        assert_eq!(find(&[10, 20, 30, 40]), Some(CycleHead::at(1)));
        assert_eq!(find(&[70, 80, 90, 20, 30, 40]), Some(CycleHead::at(3)));
        assert_eq!(find(&[10, 20, 50, 40]), None);
        assert_eq!(find(&[20, 40]), None);
    }

    #[test]
    fn a_position_at_or_before_the_root_must_have_occurred_before() {
        // The root is the position 40, 30 or 20; the mark depends on 20 and 30.
        let line = [20, 30, 40, 50];
        let mark = PathPolicy::Relative.mark(&stack(&line), on(0));
        let find = |keys: &[u64], ply| {
            let found = PathPolicy::Relative.find(&stack(keys), mark, ply);
            found.map(|head| head.plies_before(keys.len() - 1))
        };
        let all_in_the_tree = [10, 20, 30, 40, 50];
        assert_eq!(find(&all_in_the_tree, 4), Some(3));
        for ply in 1..=3 {
            assert_eq!(find(&all_in_the_tree, ply), None);
        }
        let once_repeated = [20, 31, 41, 51, 20, 30, 40, 50];
        assert_eq!(find(&once_repeated, 3), Some(3));
        assert_eq!(find(&once_repeated, 2), None);
        let both_repeated = [20, 30, 41, 51, 20, 30, 40, 50];
        assert_eq!(find(&both_repeated, 2), Some(3));
        assert_eq!(find(&both_repeated, 1), None);
    }

    #[test]
    fn a_head_too_far_away_is_not_found_again() {
        let keys: Vec<u64> = (0..100).map(|key| key * key + 1).collect();
        let stack = stack(&keys);
        let mark = PathPolicy::Relative.mark(&stack, on(3));
        assert_eq!(PathPolicy::Relative.find(&stack, mark, 100), None);
        let mark = PathPolicy::Relative.mark(&stack, on(40));
        assert_eq!(PathPolicy::Relative.find(&stack, mark, 100), Some(CycleHead::at(40)));
    }

    #[test]
    fn trust_accepts_and_refuse_does_not() {
        let stack = stack(&[10, 20, 30]);
        let mark = PathPolicy::Trust.mark(&stack, on(0));
        assert_eq!(PathPolicy::Trust.find(&stack, mark, 3), Some(CycleHead::NONE));
        assert_eq!(PathPolicy::Refuse.find(&stack, mark, 3), None);
    }

    #[test]
    fn every_policy_has_its_own_name() {
        for (name, policy) in PathPolicy::ALL {
            assert_eq!(policy.name(), name);
        }
    }
}
