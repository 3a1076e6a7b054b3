//! Games that would only be played again.

use koel_arena::contest::{Contender, Contest};

/// Without a clock and with one thread, an opening gives the same two games every time: to count
/// them again would make errors look smaller than they are.
pub(super) fn leave_out(contest: &mut Contest) {
    let openings = contest.openings.len() as u32;
    if contest.contenders.iter().all(is_exact) && contest.pairs > openings {
        println!(
            "{openings} openings give {} different games, and no more are played; \
             `cargo xtask openings --count N` makes more",
            2 * openings
        );
        contest.pairs = openings;
    }
}

/// Whether it plays the same in the same position, and one core is enough: no clock runs that
/// another program on that core could run down, and the engine has one thread.
pub(super) fn is_exact(contender: &Contender) -> bool {
    let is_threaded = |(name, value): &(String, String)| {
        name.to_ascii_lowercase().contains("threads") && value != "1"
    };
    contender.limits.are_exact() && !contender.spec.options.iter().any(is_threaded)
}

#[cfg(test)]
mod tests {
    use koel_arena::engine::EngineSpec;
    use koel_arena::limits::Limits;

    use super::super::name_and_value;
    use super::*;

    #[test]
    fn only_single_threads_without_a_clock_are_pinned() {
        let clock = "8+0.08".parse().unwrap();
        let contender = |limits, options: &[&str]| Contender {
            spec: EngineSpec {
                options: options.iter().map(|text| name_and_value(text).unwrap()).collect(),
                ..EngineSpec::default()
            },
            limits,
        };
        assert!(is_exact(&contender(Limits::Nodes(1000), &[])));
        assert!(is_exact(&contender(Limits::Depth(3), &["Threads=1", "Hash=32"])));
        assert!(!is_exact(&contender(Limits::Nodes(1000), &["Number of Threads=2"])));
        assert!(!is_exact(&contender(Limits::Clock(clock), &[])));
    }
}
