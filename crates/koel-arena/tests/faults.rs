//! Engines that misbehave on order: each fault is counted as what it is, and the match goes on.

mod support;

use std::time::Duration;

use koel_arena::{Conclusion, Ending, MatchError, MatchScore, MoveLimits, StartError, Warning};
use support::{Files, play, scripted, short_match};

/// Plays two pairs against an engine that follows the orders. Whatever the fault, no game is lost
/// from the files.
fn against(name: &str, orders: &[&str]) -> MatchScore {
    let files = Files::new(name);
    let mut config = short_match(&files);
    config.contenders[1].spec = scripted("faulty", orders);
    // Longer than any answer takes, and shorter than those that are ordered to be late.
    config.contenders[1].limits = MoveLimits::MoveTime(Duration::from_millis(1500));
    config.pairs = 2;
    config.is_strict = true;
    if orders.iter().any(|order| order.starts_with("silent")) {
        // Who never answers need not be waited for.
        config.timeouts.stop = Duration::from_millis(200);
        config.contenders[1].limits = MoveLimits::MoveTime(Duration::from_millis(800));
    }
    let (conclusion, score) = play(&config);
    assert_eq!(conclusion, Conclusion::Complete);
    assert_eq!(score.games.total(), 4);
    files.assert_whole(4);
    score
}

fn assert_lost_by(score: &MatchScore, ending: Ending, games: u64) {
    let count = score.endings.get(&ending).copied().unwrap_or_default();
    assert_eq!((count.games, count.lost_by_second), (games, games), "{score:?}");
    assert_eq!(score.faults(), games, "{score:?}");
}

#[test]
fn a_crash_loses_and_the_engine_is_started_again() {
    // The second search of every process: each of the four games is played by a new one.
    assert_lost_by(&against("crash", &["crash@2"]), Ending::Crash, 4);
}

#[test]
fn an_illegal_move_loses() {
    assert_lost_by(&against("illegal", &["illegal@3"]), Ending::IllegalMove, 1);
}

#[test]
fn an_unreadable_move_loses() {
    assert_lost_by(&against("garbage", &["garbage@3"]), Ending::UnreadableMove, 4);
}

#[test]
fn a_late_answer_loses_on_time() {
    assert_lost_by(&against("late", &["late@3"]), Ending::TimeLoss, 1);
}

#[test]
fn silence_is_a_stall() {
    assert_lost_by(&against("silent", &["silent@2"]), Ending::Stall, 4);
}

#[test]
fn noise_is_counted_and_no_fault() {
    let score = against("noise", &["noise@2"]);
    assert_eq!(score.faults(), 0);
    assert_eq!(score.warnings[1].get(&Warning::UnknownOutput), Some(&2));
    assert!(score.warnings[0].is_empty());
}

#[test]
fn lines_are_checked() {
    let cases = [
        ("past-threefold", Warning::PvPastThreefold),
        ("illegal-pv", Warning::IllegalPvMove),
        ("other-pv", Warning::BestMoveNotPv),
    ];
    for (fault, warning) in cases {
        let score = against(fault, &[&format!("{fault}@2")]);
        assert_eq!(score.faults(), 0, "{fault}");
        assert_eq!(score.warnings[1].get(&warning), Some(&1), "{fault}: {score:?}");
    }
}

#[test]
fn a_second_answer_is_stray() {
    let score = against("stray", &["stray@2"]);
    let strays = score.warnings[1].get(&Warning::StrayBestMove).copied().unwrap_or_default();
    assert_eq!((score.faults(), strays), (0, 1), "{score:?}");
}

#[test]
fn who_does_not_start_ends_the_match() {
    let files = Files::new("slow-start");
    let mut config = short_match(&files);
    config.contenders[0].spec = scripted("sleeper", &["slow-start"]);
    config.timeouts.startup = Duration::from_millis(200);
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Start(StartError::NoAnswer { expected: "uciok", .. })));

    config.contenders[0].spec.command = "no-such-engine".into();
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Start(StartError::Spawn { .. })), "{error}");
}

#[test]
fn an_option_it_lacks_is_an_error_and_a_wish_is_not() {
    let files = Files::new("options");
    let mut config = short_match(&files);
    config.contenders[0].spec.preferred_options = vec![("Contempt".into(), "3".into())];
    config.contenders[0].spec.options = vec![("hash".into(), "32".into())];
    assert_eq!(play(&config).0, Conclusion::Complete);
    config.state = None;
    config.contenders[0].spec.options = vec![("Contempt".into(), "3".into())];
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert!(error.to_string().contains("Contempt"), "{error}");
}
