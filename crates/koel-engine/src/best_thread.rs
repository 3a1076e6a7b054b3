//! Best-thread selection: which thread's move is played after a search with several threads.

use koel_board::Move;
use koel_search::{Bound, Depth, SearchResult};

/// The vote weight of the thread with the lowest score, per ply of depth.
const MIN_VOTE_WEIGHT: i64 = 14;

/// Selects the result to play. The shortest mate found by any thread wins; otherwise each thread
/// votes for its move with a weight of score (relative to the lowest) times depth. (Lazy SMP: best
/// thread selection, as in Stockfish.)
pub(crate) fn select_best_thread(
    main: SearchResult,
    mut others: Vec<SearchResult>,
) -> SearchResult {
    // A helper that has not completed an iteration has no vote.
    others.retain(|result| result.depth > Depth(0) && result.best_move.is_some());
    // Backwards: of equals the last maximum is taken, and ties go to the main thread.
    let all = || std::iter::once(&main).chain(&others).rev();
    let is_mate = |result: &&SearchResult| result.score.is_win() && result.bound != Bound::Upper;
    if let Some(mate) = all().filter(is_mate).max_by_key(|result| result.score) {
        return mate.clone();
    }
    let worst = all().map(|result| result.score).min().unwrap_or(main.score);
    let weight = |result: &SearchResult| {
        (i64::from(result.score - worst) + MIN_VOTE_WEIGHT) * i64::from(result.depth.0)
    };
    let votes =
        |m: Option<Move>| all().filter(|result| result.best_move == m).map(weight).sum::<i64>();
    let best = all().max_by_key(|result| (votes(result.best_move), result.depth, result.score));
    best.unwrap_or(&main).clone()
}

#[cfg(test)]
mod tests {
    use koel_board::Position;
    use koel_search::Score;

    use super::*;

    fn result(text: &str, centipawns: i32, depth: i32) -> SearchResult {
        let m = Position::start().parse_uci(text).unwrap();
        SearchResult {
            best_move: Some(m),
            ponder: None,
            score: Score::from_centipawns(centipawns),
            bound: Bound::Exact,
            depth: Depth(depth),
            selective_depth: 20,
            nodes: 1000,
            move_nodes: 500,
            pv: vec![m],
        }
    }

    fn selected(results: &[SearchResult]) -> SearchResult {
        select_best_thread(results[0].clone(), results[1..].to_vec())
    }

    #[test]
    fn the_main_thread_wins_alone_and_ties() {
        let (one, other) = (result("e2e4", 20, 12), result("d2d4", 20, 12));
        assert_eq!(selected(std::slice::from_ref(&one)), one);
        assert_eq!(selected(&[one.clone(), other.clone()]), one);
        assert_eq!(selected(&[other.clone(), one]), other);
    }

    #[test]
    fn a_majority_wins_and_its_deepest_thread_is_selected() {
        let results = [("e2e4", 24, 12), ("d2d4", 20, 12), ("d2d4", 21, 13), ("d2d4", 22, 12)];
        let results = results.map(|(m, score, depth)| result(m, score, depth));
        assert_eq!(selected(&results), results[2]);
    }

    #[test]
    fn a_high_score_outweighs_a_majority() {
        let results = [result("e2e4", 5, 12), result("e2e4", 6, 12), result("d2d4", 90, 12)];
        assert_eq!(selected(&results), results[2]);
    }

    #[test]
    fn the_shortest_mate_is_played_but_not_an_upper_bound_of_one() {
        let with = |score, bound| SearchResult { score, bound, ..result("d2d4", 0, 5) };
        let slow = with(Score::mate_in(9), Bound::Exact);
        let fast = with(Score::mate_in(5), Bound::Lower);
        let upper_bound = with(Score::mate_in(3), Bound::Upper);
        let main = result("e2e4", 900, 20);
        let results = [main.clone(), slow, fast.clone(), upper_bound.clone()];
        assert_eq!(selected(&results), fast);
        let many = [main.clone(), main.clone()];
        assert_eq!(selected(&many), main);
    }

    #[test]
    fn a_thread_without_a_complete_iteration_has_no_vote() {
        let results = [result("e2e4", 5, 3), result("d2d4", 500, 0)];
        assert_eq!(selected(&results), results[0]);
        let incomplete = SearchResult { depth: Depth(0), ..results[0].clone() };
        assert_eq!(selected(&[incomplete.clone(), results[1].clone()]), incomplete);
        assert_eq!(selected(&[incomplete, results[0].clone()]), results[0]);
    }
}
