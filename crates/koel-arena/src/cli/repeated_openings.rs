//! Matches in which a repeated opening would only repeat its games.

use crate::match_config::{Contender, Match};

/// Limits a deterministic match to one pair for each opening. Without a clock and with one thread
/// an opening always gives the same two games: counting them again would make the error bars too
/// small.
pub(super) fn limit_pairs(config: &mut Match) {
    let openings = u32::try_from(config.openings.len()).unwrap_or(u32::MAX);
    if config.contenders.iter().all(is_deterministic) && config.pairs > openings {
        println!(
            "without a clock {openings} openings give {} different games, so no more are played; \
             the command `openings` generates more openings",
            2 * u64::from(openings)
        );
        config.pairs = openings;
    }
}

/// Returns true if the contender always plays the same move in the same position, so that one core
/// is enough for its game: there is no clock, and the engine has one thread.
pub(super) fn is_deterministic(contender: &Contender) -> bool {
    let has_threads = |(name, value): &(String, String)| {
        name.to_ascii_lowercase().contains("threads") && value != "1"
    };
    contender.limits.are_deterministic() && !contender.spec.options.iter().any(has_threads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineSpec;
    use crate::move_limits::MoveLimits;

    #[test]
    fn only_single_threads_without_a_clock_are_deterministic() {
        let clock = "8+0.08".parse().unwrap();
        let contender = |limits, options: &[(&str, &str)]| {
            let spec = EngineSpec::new("any", "any");
            let spec =
                options.iter().fold(spec, |spec, &(name, value)| spec.with_option(name, value));
            Contender { spec, limits }
        };
        let nodes = MoveLimits::Nodes(1000);
        assert!(is_deterministic(&contender(nodes, &[])));
        let options = [("Threads", "1"), ("Hash", "32")];
        assert!(is_deterministic(&contender(MoveLimits::Depth(3), &options)));
        assert!(!is_deterministic(&contender(nodes, &[("Number of Threads", "2")])));
        assert!(!is_deterministic(&contender(MoveLimits::Clock(clock), &[])));
    }
}
