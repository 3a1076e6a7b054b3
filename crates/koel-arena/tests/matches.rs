//! Whole matches: called off, killed and resumed, decided, at odds with their files.

mod support;

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use koel_arena::contest::{Conclusion, Contest, ContestError};
use koel_arena::ledger::LedgerError;
use koel_arena::record::Outcome;
use koel_arena::statistics::Sprt;
use support::{Files, contest, play, read_back, scripted};

#[test]
fn equal_engines_make_every_pair_even() {
    let files = Files::new("equal");
    let mut contest = contest(&files);
    (contest.pairs, contest.concurrency) = (20, 2);
    let (conclusion, standing) = play(&contest);
    assert_eq!(conclusion, Conclusion::Complete);
    assert_eq!(standing.pairs.0, [0, 0, 20, 0, 0]);
    assert!(standing.is_without_change());
    let report = standing.report("Equal", Some(&Sprt::new(0.0, 10.0)));
    assert!(report.contains("Elo: 0.00 +/- 0.00, nElo: 0.00 +/- 0.00"), "{report}");
    assert!(report.contains("LOS: 50.00 %") && !report.contains("NaN"), "{report}");
    files.assert_whole(40);
}

#[test]
fn a_match_without_change_may_end_early() {
    let files = Files::new("no-change");
    let contest = Contest { pairs: 50, same_pairs: Some(4), ..contest(&files) };
    let (conclusion, standing) = play(&contest);
    assert_eq!((conclusion, standing.pairs.total()), (Conclusion::NoChange, 4));
}

#[test]
fn a_test_ends_when_it_is_decided() {
    let files = Files::new("decided");
    let mut contest = contest(&files);
    contest.contenders[1].spec = scripted("second", &["illegal@1", "illegal@2", "illegal@3"]);
    contest.contenders[1].spec.arguments = vec!["illegal".to_owned()];
    (contest.pairs, contest.sprt) = (500, Some(Sprt::new(0.0, 50.0)));
    let (conclusion, standing) = play(&contest);
    assert_eq!(conclusion, Conclusion::Decided);
    assert!(standing.pairs.total() < 50 && standing.games.0[0] == 0, "{standing:?}");
    files.assert_whole(standing.games.total() as usize);
    // Nothing is left to play.
    assert_eq!(play(&contest).1.games, standing.games);
}

#[test]
fn a_match_called_off_goes_on_later() {
    let files = Files::new("called-off");
    let mut contest = contest(&files);
    (contest.pairs, contest.concurrency) = (10, 2);
    let cancel = AtomicBool::new(false);
    let observer = |standing: &koel_arena::standing::Standing| {
        cancel.store(standing.games.total() >= 5, Ordering::Relaxed);
    };
    let (conclusion, standing) = contest.run(&cancel, &observer).unwrap();
    assert_eq!(conclusion, Conclusion::CalledOff);
    let before = files.state();
    assert_eq!(before.games.len() as u64, standing.games.total());
    assert!((5..=6).contains(&before.games.len()));
    files.assert_whole(before.games.len());

    assert_eq!(play(&contest).0, Conclusion::Complete);
    files.assert_whole(20);
    let after = files.state();
    assert!(before.games.iter().all(|(id, record)| after.games.get(id) == Some(record)));
}

const CHILD: &str = "KOEL_ARENA_CHILD";

/// Quick games, but not so quick that no kill falls into one.
fn long_contest(files: &Files) -> Contest {
    let mut contest = contest(files);
    (contest.pairs, contest.concurrency) = (40, 2);
    contest.contenders[1].spec = scripted("second", &["slow@7", "slow@20", "illegal@55"]);
    contest
}

/// Does nothing as a test of its own: it is the process that the next test kills.
#[test]
fn a_runner_to_be_killed() {
    if std::env::var_os(CHILD).is_some() {
        play(&long_contest(&Files::kept("killed")));
    }
}

#[test]
fn a_killed_match_loses_no_game_and_counts_none_twice() {
    let files = Files::new("killed");
    let contest = long_contest(&files);
    let mut earlier = files.state();
    for kill in 1..=4 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_runner_to_be_killed"])
            .env(CHILD, "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
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
    // As if it had been killed between the two files.
    let pgn = fs::read_to_string(&files.pgn).unwrap();
    fs::write(&files.pgn, pgn + "[Event \"half a game").unwrap();
    let (conclusion, standing) = play(&contest);
    assert_eq!((conclusion, standing.games.total()), (Conclusion::Complete, 80));
    files.assert_whole(80);
}

#[test]
fn another_match_does_not_go_on_with_these_files() {
    let files = Files::new("other-terms");
    let first = contest(&files);
    play(&first);
    let other = Contest { seed: 2, ..first.clone() };
    let error = other.run(&false.into(), &|_| {}).unwrap_err();
    let ContestError::Ledger(LedgerError::OtherTerms { term, was, is, .. }) = error else {
        panic!("{error}")
    };
    assert_eq!((term.as_str(), was.as_str(), is.as_str()), ("seed", "1", "2"));
    // More games are the same match.
    let longer = Contest { pairs: 4, ..first };
    assert_eq!(play(&longer).1.games.total(), 8);

    fs::write(&files.pgn, "").unwrap();
    let error = longer.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, ContestError::Ledger(LedgerError::ShortPgn { .. })), "{error}");
    fs::write(&files.state, "{").unwrap();
    let error = longer.run(&false.into(), &|_| {}).unwrap_err();
    assert!(matches!(error, ContestError::Ledger(LedgerError::Format { .. })), "{error}");
}

/// `KOEL_PGN` names the games of real matches; without it there is nothing to read, which is said.
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
        play(&Contest { seed, ..contest(&files) });
        let records: Vec<_> = files.state().games.into_values().collect();
        assert!(records.iter().all(|record| record.outcome == Outcome::Draw));
        records.iter().map(|record| record.moves).collect::<Vec<_>>()
    };
    assert_eq!(moves("seed-a", 1), moves("seed-b", 1));
}
