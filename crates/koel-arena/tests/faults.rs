//! Engines with faults: each fault has its own ending or warning, and the match continues.

mod support;

use std::sync::Mutex;
use std::time::Duration;

use koel_arena::{
    Conclusion, Ending, MatchError, MatchEvent, MatchScore, MoveLimits, StartError, Warning,
    parse_epd,
};
use shakmaty::CastlingMode;
use support::{Files, play, scripted, short_match};

/// Plays two pairs against an engine with these faults. Whatever the fault, the files are complete.
fn against(name: &str, faults: &[&str]) -> MatchScore {
    let files = Files::new(name);
    let mut config = short_match(&files);
    config.engines[1].spec = scripted("faulty", faults);
    config.pairs = 2;
    config.is_strict = true;
    if faults.iter().any(|fault| fault.starts_with("late") || fault.starts_with("silent")) {
        // Longer than a usual answer takes on a busy machine. The faulty ones come never, or at
        // `stop`.
        config.engines[1].limits = MoveLimits::MoveTime(Duration::from_secs(3));
    }
    if faults.iter().any(|fault| fault.starts_with("silent")) {
        config.timeouts.stop = Duration::from_millis(200);
    }
    let (conclusion, score) = play(&config);
    assert_eq!(conclusion, Conclusion::Complete);
    assert_eq!(score.games.total(), 4);
    files.assert_complete(4);
    score
}

fn assert_losses(score: &MatchScore, ending: Ending, games: u64) {
    let count = score.endings.get(&ending).copied().unwrap_or_default();
    assert_eq!((count.games, count.lost_by_second), (games, games), "{score:?}");
    assert_eq!(score.faults(), games, "{score:?}");
}

#[test]
fn a_crash_loses_and_the_engine_is_started_again() {
    // In the second search of every process: each of the four games is played by a new process.
    assert_losses(&against("crash", &["crash@2"]), Ending::Crash, 4);
}

#[test]
fn an_illegal_move_loses() {
    assert_losses(&against("illegal", &["illegal@3"]), Ending::IllegalMove, 1);
}

#[test]
fn an_unreadable_move_loses() {
    assert_losses(&against("garbage", &["garbage@3"]), Ending::UnreadableMove, 4);
}

#[test]
fn a_late_answer_loses_on_time() {
    assert_losses(&against("late", &["late@3"]), Ending::TimeLoss, 1);
}

#[test]
fn a_clock_that_counts_nodes_charges_no_time() {
    // The scripted engine reports 20 nodes a move: 20 ms of this clock, whatever it really took.
    let score = |name: &str, clock: &str| {
        let mut config = short_match(&Files::new(name));
        config.engines[1].spec = scripted("slow", &["slow"]);
        config.engines[1].limits = MoveLimits::Clock(clock.parse().unwrap());
        config.pairs = 2;
        play(&config).1
    };
    assert_losses(&score("few-nodes", "0.05+0.001@1"), Ending::TimeLoss, 4);
    assert_eq!(score("enough-nodes", "0.05+0.02@1").faults(), 0);
}

#[test]
fn a_loss_on_time_against_a_bare_king_is_a_draw() {
    let mut config = short_match(&Files::new("bare-king"));
    config.openings =
        parse_epd("7k/8/8/8/8/8/8/RK6 w - - 0 1".as_bytes(), CastlingMode::Standard).unwrap();
    config.engines[1].spec = scripted("slow", &["slow"]);
    config.engines[1].limits = MoveLimits::Clock("0.05+0.001@1".parse().unwrap());
    config.pairs = 1;
    let score = play(&config).1;
    let time_losses = score.endings[&Ending::TimeLoss];
    assert_eq!((time_losses.games, time_losses.lost_by_second), (2, 1), "{score:?}");
    assert_eq!(score.games.0, [0, 1, 1], "{score:?}");
}

#[test]
fn an_engine_that_does_not_answer_has_stalled() {
    assert_losses(&against("silent", &["silent@2"]), Ending::Stall, 4);
}

#[test]
fn an_ignored_limit_is_a_fault_that_is_named_at_once() {
    let mut config = short_match(&Files::new("ignored-limit"));
    config.engines[1].spec = scripted("faulty", &["endless@2"]);
    config.engines[1].limits = MoveLimits::Nodes(1000);
    config.pairs = 1;
    let faults = Mutex::new(Vec::new());
    let observer = |event: MatchEvent<'_>| {
        if let MatchEvent::Fault(fault) = event {
            faults.lock().unwrap().push(fault.to_owned());
        }
    };
    let (_, scores) = config.run(&false.into(), &observer).unwrap();
    let score = scores[0].clone();
    assert_losses(&score, Ending::IgnoredLimit, 2);
    let faults = faults.into_inner().unwrap();
    let expected = "faulty: ignored limit: 5000000 nodes of 1000";
    assert_eq!(faults, ["1.1", "1.2"].map(|game| format!("game {game}: {expected}")));
}

#[test]
fn a_search_without_a_clock_that_never_ends_is_no_loss_on_time() {
    let mut config = short_match(&Files::new("no-clock"));
    config.engines[1].spec = scripted("faulty", &["late@2"]);
    config.timeouts.search = Duration::from_secs(3);
    config.pairs = 1;
    let score = play(&config).1;
    assert_losses(&score, Ending::IgnoredLimit, 2);
}

#[test]
fn unknown_output_is_a_warning_and_not_a_fault() {
    let score = against("noise", &["noise@2"]);
    assert_eq!(score.faults(), 0);
    assert_eq!(score.warnings[1].get(&Warning::UnknownOutput), Some(&2));
    assert!(score.warnings[0].is_empty());
}

#[test]
fn pvs_are_checked() {
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
fn a_second_best_move_is_a_warning() {
    let score = against("stray", &["stray@2"]);
    let strays = score.warnings[1].get(&Warning::StrayBestMove).copied().unwrap_or_default();
    assert_eq!((score.faults(), strays), (0, 1), "{score:?}");
}

#[test]
fn an_engine_that_does_not_start_ends_the_match() {
    let files = Files::new("slow-start");
    let mut config = short_match(&files);
    config.engines[0].spec = scripted("sleeper", &["slow-start"]);
    config.timeouts.startup = Duration::from_millis(200);
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Start(StartError::NoAnswer { expected: "uciok", .. })));

    config.engines[0].spec.command = "no-such-engine".into();
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Start(StartError::Spawn(..))), "{error}");
}

#[test]
fn a_missing_option_is_an_error_unless_it_is_only_preferred() {
    let files = Files::new("options");
    let mut config = short_match(&files);
    config.engines[0].spec.preferred_options = vec![("Contempt".into(), "3".into())];
    config.engines[0].spec.options = vec![("hash".into(), "32".into())];
    assert_eq!(play(&config).0, Conclusion::Complete);
    config.state = None;
    config.engines[0].spec.options = vec![("Contempt".into(), "3".into())];
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert!(error.to_string().contains("Contempt"), "{error}");
}

#[test]
fn an_option_that_the_engine_refuses_ends_the_match() {
    let mut config = short_match(&Files::new("refused-option"));
    config.engines[1].spec = scripted("refuser", &["refuse-options"]);
    assert_eq!(play(&config).0, Conclusion::Complete);
    config.state = None;
    config.engines[1].spec.options = vec![("Hash".into(), "32".into())];
    let error = config.run(&false.into(), &|_| {}).unwrap_err();
    assert_eq!(error.to_string(), "refuser: ERROR: Hash: no memory");
}
