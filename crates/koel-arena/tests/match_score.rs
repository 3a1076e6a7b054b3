//! The score of a match, and its report in the usual layout.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use koel_arena::statistics::{ResultCounts, Sprt};
use koel_arena::{Ending, GameId, GameOutcome, GameRecord, MatchScore};

fn record(outcome: GameOutcome, ending: Ending, moves_hash: u64) -> GameRecord {
    GameRecord { plies: 60, moves_hash, ..GameRecord::new(outcome, ending) }
}

fn score(games: &[(u32, bool, GameRecord)]) -> MatchScore {
    let id = |&(pair, is_swapped, _): &_| GameId { pair, is_swapped };
    MatchScore::of(games.iter().map(|game| (id(game), &game.2)))
}

#[test]
fn only_complete_pairs_count_as_pairs() {
    let win = record(GameOutcome::Win, Ending::TimeLoss, 1);
    let loss = record(GameOutcome::Loss, Ending::Resignation, 1);
    let draw = record(GameOutcome::Draw, Ending::AgreedDraw, 2);
    let total = score(&[(1, false, win), (2, false, draw), (1, true, loss)]);
    assert_eq!(total.games.0, [1, 1, 1]);
    assert_eq!(total.pairs.0, [0, 0, 1, 0, 0]);
    assert_eq!((total.faults(), total.identical_pairs), (1, 1));
    assert!(total.all_pairs_identical());
    assert!(total.report("", None).contains("time loss 1 (0 first, 1 second)"));
}

#[test]
fn an_empty_match_has_a_report() {
    let report = MatchScore::default().report("Nothing", Some(&Sprt::new(0.0, 5.0)));
    assert!(report.contains("PairsRatio: -") && !report.contains("NaN"), "{report}");
    assert!(!MatchScore::default().all_pairs_identical());
}

#[test]
fn the_report_has_the_usual_layout() {
    let pairs = ResultCounts([0, 0, 4, 1, 5]);
    let known = MatchScore { pairs, games: ResultCounts([4, 1, 15]), ..MatchScore::default() };
    let sprt = Sprt { alpha: 0.1, beta: 0.1, ..Sprt::new(0.0, 100.0) };
    let report = known.report("Results of A vs B", Some(&sprt));
    assert_eq!(
        report,
        "Results of A vs B\n\
         Elo: 214.85 +/- 167.75, nElo: 286.46 +/- 152.27\n\
         LOS: 99.99 %, DrawRatio: 40.00 %, PairsRatio: inf\n\
         Games: 20, Wins: 15, Losses: 4, Draws: 1, Points: 15.5 (77.50 %)\n\
         Ptnml(0-2): [0, 0, 4, 1, 5]\n\
         LLR: 2.29 (104.3%) (-2.20, 2.20) [0.00, 100.00] - elo1 is accepted"
    );
}
