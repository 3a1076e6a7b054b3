//! Whose move is played, when several threads have searched.

use std::cmp::Reverse;

use koel_board::Move;
use koel_search::{Bound, Depth, SearchResult};

/// What the worst of the threads still has to say.
const LEAST: i64 = 14;

/// The outcome to play, of the leader's and those of the other threads. A thread that has found a
/// mate decides; else each speaks for its move, the more so the better it thinks of it and the
/// deeper it has looked. (Lazy SMP: best thread selection.)
pub(crate) fn elect(leader: SearchResult, mut others: Vec<SearchResult>) -> SearchResult {
    // A thread that has completed nothing knows nothing.
    others.retain(|outcome| outcome.depth > Depth(0) && outcome.best_move.is_some());
    let all = || std::iter::once(&leader).chain(&others);
    let is_mate = |outcome: &&SearchResult| outcome.score.is_win() && outcome.bound != Bound::Upper;
    if let Some(mate) = first_best(all().filter(is_mate), |outcome| outcome.score) {
        return mate.clone();
    }
    let worst = all().map(|outcome| outcome.score).min().unwrap_or(leader.score);
    let weight = |outcome: &SearchResult| {
        (i64::from(outcome.score - worst) + LEAST) * i64::from(outcome.depth.0)
    };
    let votes =
        |m: Option<Move>| all().filter(|outcome| outcome.best_move == m).map(weight).sum::<i64>();
    let best =
        first_best(all(), |outcome| (votes(outcome.best_move), outcome.depth, outcome.score));
    best.unwrap_or(&leader).clone()
}

/// The first of the best: the leader, if others are no better.
fn first_best<'a, K: Ord>(
    outcomes: impl Iterator<Item = &'a SearchResult>,
    worth: impl Fn(&SearchResult) -> K,
) -> Option<&'a SearchResult> {
    outcomes.min_by_key(|outcome| Reverse(worth(outcome)))
}

#[cfg(test)]
mod tests {
    use koel_board::Position;
    use koel_search::Score;

    use super::*;

    fn outcome(text: &str, centipawns: i32, depth: i32) -> SearchResult {
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

    fn elected(outcomes: &[SearchResult]) -> SearchResult {
        elect(outcomes[0].clone(), outcomes[1..].to_vec())
    }

    #[test]
    fn the_leader_decides_alone_and_among_equals() {
        let (one, other) = (outcome("e2e4", 20, 12), outcome("d2d4", 20, 12));
        assert_eq!(elected(std::slice::from_ref(&one)), one);
        assert_eq!(elected(&[one.clone(), other.clone()]), one);
        assert_eq!(elected(&[other.clone(), one]), other);
    }

    #[test]
    fn the_many_outvote_the_one_and_the_deepest_of_them_speaks() {
        let outcomes = [("e2e4", 24, 12), ("d2d4", 20, 12), ("d2d4", 21, 13), ("d2d4", 22, 12)];
        let outcomes = outcomes.map(|(m, score, depth)| outcome(m, score, depth));
        assert_eq!(elected(&outcomes), outcomes[2]);
    }

    #[test]
    fn who_thinks_much_of_a_move_has_more_to_say() {
        let outcomes = [outcome("e2e4", 5, 12), outcome("e2e4", 6, 12), outcome("d2d4", 90, 12)];
        assert_eq!(elected(&outcomes), outcomes[2]);
    }

    #[test]
    fn the_shortest_mate_is_played_but_not_a_rumour_of_one() {
        let with = |score, bound| SearchResult { score, bound, ..outcome("d2d4", 0, 5) };
        let slow = with(Score::mate_in(9), Bound::Exact);
        let fast = with(Score::mate_in(5), Bound::Lower);
        let rumour = with(Score::mate_in(3), Bound::Upper);
        let leader = outcome("e2e4", 900, 20);
        let outcomes = [leader.clone(), slow, fast.clone(), rumour.clone()];
        assert_eq!(elected(&outcomes), fast);
        let many = [leader.clone(), leader.clone()];
        assert_eq!(elected(&many), leader);
    }

    #[test]
    fn who_has_completed_nothing_has_no_say() {
        let outcomes = [outcome("e2e4", 5, 3), outcome("d2d4", 500, 0)];
        assert_eq!(elected(&outcomes), outcomes[0]);
        let broken = SearchResult { depth: Depth(0), ..outcomes[0].clone() };
        assert_eq!(elected(&[broken.clone(), outcomes[1].clone()]), broken);
        assert_eq!(elected(&[broken, outcomes[0].clone()]), outcomes[0]);
    }
}
