//! Complete matches: cancelled, killed and resumed, decided, and with files of another match.

mod support;

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use koel_arena::statistics::Sprt;
use koel_arena::{
    Conclusion, EngineSpec, GameOutcome, JournalError, Match, MatchEngine, MatchError, MatchEvent,
    MoveLimits, TimeControl,
};
use support::{Files, play, read_back, scripted, short_match};

#[test]
fn equal_engines_make_every_pair_even() {
    let files = Files::new("equal");
    let mut config = short_match(&files);
    (config.pairs, config.concurrency) = (20, 2);
    let (conclusion, score) = play(&config);
    assert_eq!(conclusion, Conclusion::Complete);
    assert_eq!(score.pairs.0, [0, 0, 20, 0, 0]);
    assert!(score.all_pairs_identical());
    let report = score.report("Equal", Some(&Sprt::new(0.0, 10.0)));
    assert!(report.contains("Elo: 0.00 +/- 0.00, nElo: 0.00 +/- 0.00"), "{report}");
    assert!(report.contains("LOS: 50.00 %") && !report.contains("NaN"), "{report}");
    files.assert_complete(40);
}

#[test]
fn a_match_without_change_may_end_early() {
    let files = Files::new("no-change");
    let mut config = short_match(&files);
    (config.pairs, config.identical_pairs) = (50, Some(4));
    let (conclusion, score) = play(&config);
    assert_eq!((conclusion, score.pairs.total()), (Conclusion::NoChange, 4));
}

#[test]
fn a_test_ends_when_it_is_decided() {
    let files = Files::new("decided");
    let mut config = short_match(&files);
    config.engines[1].spec = scripted("second", &["illegal@1", "illegal@2", "illegal@3"]);
    config.engines[1].spec.arguments = vec!["illegal".to_owned()];
    (config.pairs, config.sprt) = (500, Some(Sprt::new(0.0, 50.0)));
    let (conclusion, score) = play(&config);
    assert_eq!(conclusion, Conclusion::Decided);
    assert!(score.pairs.total() < 50 && score.games.0[0] == 0, "{score:?}");
    files.assert_complete(score.games.total() as usize);
    // A decided match plays no more games.
    assert_eq!(play(&config).1.games, score.games);
}

#[test]
fn a_cancelled_match_is_resumed() {
    let files = Files::new("cancelled");
    let mut config = short_match(&files);
    (config.pairs, config.concurrency) = (10, 2);
    let cancel = AtomicBool::new(false);
    let observer = |event: MatchEvent<'_>| {
        let MatchEvent::Score([score]) = event else { return };
        cancel.store(score.games.total() >= 5, Ordering::Relaxed);
    };
    let (conclusion, scores) = config.run(&cancel, &observer).unwrap();
    let score = &scores[0];
    assert_eq!(conclusion, Conclusion::Cancelled);
    let before = files.state();
    assert_eq!(before.games.len() as u64, score.games.total());
    assert!((5..=6).contains(&before.games.len()));
    files.assert_complete(before.games.len());

    assert_eq!(play(&config).0, Conclusion::Complete);
    files.assert_complete(20);
    let after = files.state();
    assert!(before.games.iter().all(|(id, record)| after.games.get(id) == Some(record)));
}

const CHILD: &str = "KOEL_ARENA_CHILD";

/// Short games, but long enough to be killed in the middle of one.
fn long_match(files: &Files) -> Match {
    let mut config = short_match(files);
    (config.pairs, config.concurrency) = (40, 2);
    config.engines[1].spec = scripted("second", &["slow@7", "slow@20", "illegal@55"]);
    config
}

/// The process that the next test kills. Does nothing as a test of its own.
#[test]
fn a_runner_to_be_killed() {
    if std::env::var_os(CHILD).is_some() {
        play(&long_match(&Files::kept("killed")));
    }
}

#[test]
fn a_killed_match_loses_no_finished_game_and_counts_none_twice() {
    let files = Files::new("killed");
    let config = long_match(&files);
    let mut earlier = files.state();
    for kill in 1..=4 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_runner_to_be_killed"])
            .env(CHILD, "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(120);
        while files.state().games.len() < kill * 12 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let state = files.state();
        assert!(state.games.len() >= kill * 12);
        assert!(earlier.games.iter().all(|(id, record)| state.games.get(id) == Some(record)));
        earlier = state;
    }
    let (conclusion, score) = play(&config);
    assert_eq!((conclusion, score.games.total()), (Conclusion::Complete, 80));
    files.assert_complete(80);
    // Tools that read the games of match runners expect `{+0.31/12 0.045s}` behind a move.
    let pgn = fs::read_to_string(&files.pgn).unwrap();
    let comments = pgn.split('{').skip(1).filter_map(|text| Some(text.split_once('}')?.0));
    let of_moves = comments.filter(|text| text.starts_with(['+', '-']) && text.ends_with('s'));
    assert!(of_moves.count() > 80, "{pgn}");
}

#[test]
fn a_match_with_other_settings_is_not_resumed() {
    let files = Files::new("other-terms");
    let first = short_match(&files);
    play(&first);
    let mut other = first.clone();
    other.seed = 2;
    let error = other.run(&false.into(), &|_| {}).unwrap_err();
    let MatchError::Journal(JournalError::OtherSettings { setting, was, is, .. }) = error else {
        panic!("{error}")
    };
    assert_eq!((setting.as_str(), was.as_str(), is.as_str()), ("seed", "1", "2"));
    // The number of games may differ.
    let mut longer = first;
    longer.pairs = 4;
    assert_eq!(play(&longer).1.games.total(), 8);

    fs::write(&files.pgn, "").unwrap();
    let error = longer.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Journal(JournalError::ShortPgn(_))), "{error}");
    let advice =
        "lacks games that the state has: a crash or an editor cut it. Restore it, or start";
    assert!(error.to_string().contains(advice) && error.to_string().contains("--fresh"), "{error}");
    fs::write(&files.state, "{").unwrap();
    let error = longer.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, MatchError::Journal(JournalError::Format(..))), "{error}");
}

/// Reads the PGN files of real matches, named by `KOEL_PGN`; skipped without it.
#[test]
fn games_of_real_matches_are_read_back() {
    let Some(paths) = std::env::var_os("KOEL_PGN") else {
        println!("skipped: KOEL_PGN is not set");
        return;
    };
    for path in std::env::split_paths(&paths) {
        let rounds = read_back(&fs::read_to_string(&path).unwrap());
        assert!(!rounds.is_empty() && rounds.iter().all(|round| !round.is_empty()));
        println!("{}: {} games", path.display(), rounds.len());
    }
}

#[test]
fn the_seed_gives_the_order_of_the_openings() {
    let moves = |name, seed| {
        let files = Files::new(name);
        let mut config = short_match(&files);
        config.seed = seed;
        play(&config);
        let records: Vec<_> = files.state().games.into_values().collect();
        assert!(records.iter().all(|record| record.outcome == GameOutcome::Draw));
        records.iter().map(|record| record.moves_hash).collect::<Vec<_>>()
    };
    assert_eq!(moves("seed-a", 1), moves("seed-b", 1));
}

#[test]
fn only_single_threads_without_a_clock_are_deterministic() {
    let clock = "8+0.08".parse().unwrap();
    let is_deterministic = |limits, options: &[(&str, &str)]| {
        let spec = EngineSpec::new("any", "any");
        let spec = options.iter().fold(spec, |spec, &(name, value)| spec.with_option(name, value));
        MatchEngine { spec, limits }.is_deterministic()
    };
    let nodes = MoveLimits::Nodes(1000);
    assert!(is_deterministic(nodes, &[]));
    assert!(is_deterministic(MoveLimits::Depth(3), &[("Threads", "1"), ("Hash", "32")]));
    assert!(!is_deterministic(nodes, &[("Number of Threads", "2")]));
    assert!(!is_deterministic(MoveLimits::Clock(clock), &[]));
}

#[test]
fn invalid_time_controls_are_errors() {
    for text in [
        "", "+", "0/1", "x", "1+0+0", "-1", "1e400", "inf", "1+nan", "1@0", "0+0", "0+1", "1:2",
        "2/1:",
    ] {
        assert!(text.parse::<TimeControl>().is_err(), "{text}");
    }
}
