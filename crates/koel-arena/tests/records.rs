//! The record of a game in the state of a match.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use koel_arena::{Ending, GameOutcome, GameRecord, PgnPlace, Warning, Warnings};

#[test]
fn a_record_is_read_back_from_json() {
    for ending in [Ending::Threefold, Ending::TimeLoss, Ending::Crash] {
        let warnings = [Warnings::from([(Warning::UnknownOutput, 2)]), Warnings::new()];
        let (outcome, plies, moves_hash) = (GameOutcome::Win, 80, u64::MAX);
        let pgn = Some(PgnPlace { start: 3000, bytes: 7, hash: u64::MAX });
        let record = GameRecord { outcome, ending, plies, moves_hash, pgn, warnings };
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.starts_with("{\"outcome\":\"win\""), "{text}");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record);
    }
}

#[test]
fn faults_are_not_results_of_play() {
    assert!(Ending::TimeLoss.is_fault() && Ending::Stall.is_fault());
    assert!(!Ending::Length.is_fault() && !Ending::Checkmate.is_fault());
}
