//! Mates found by the full search under each setting of the no-progress rule, and their lines.

use std::io::{self, Write};

use koel_board::{Game, Position};
use koel_eval::Evaluation;
use koel_search::{Bound, Limits, NoProgress, PathPolicy, PathRules, SearchResult, Shared, Worker};
use serde::{Deserialize, Serialize};

use super::random_positions::Kind;
use super::statistics::Share;

const HASH_MEBIBYTES: usize = 16;

/// The policies for path-dependent table scores: the usual one of engines, and the default of Koel.
const POLICIES: [PathPolicy; 2] = [PathPolicy::Trust, PathPolicy::Relative];

/// The settings of the experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MatePlan {
    pub(crate) seed: u64,
    pub(crate) positions: usize,
    /// Nodes of each search.
    pub(crate) nodes: u64,
}

/// The results of the experiment.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MateSuite {
    pub(crate) plan: MatePlan,
    pub(crate) rows: Vec<MateRow>,
}

/// The mates of one policy and one setting of the rule.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MateRow {
    pub(crate) policy: String,
    pub(crate) rule: String,
    /// Searches that end with an exact mate score for either side.
    pub(crate) found: Share,
    /// Mates that the same policy found without the rule, but not with it.
    pub(crate) lost: u64,
    /// Mates that were found only with the rule.
    pub(crate) gained: u64,
    /// Mates that take more moves than without the rule, and mates that take fewer.
    pub(crate) longer: u64,
    pub(crate) shorter: u64,
    /// Lines that end before the mate.
    pub(crate) end_early: Share,
    /// Lines of the right length that do not end in mate.
    pub(crate) wrong: Share,
}

/// A mate score with its line.
#[derive(Clone, Copy)]
struct Mate {
    /// Full moves; negative if the side to move is mated.
    moves: i32,
    line: Line,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Complete,
    EndsEarly,
    Wrong,
}

/// Runs the experiment, and writes its table.
pub(super) fn run(
    plan: MatePlan,
    evaluation: &Evaluation,
    output: &mut impl Write,
) -> io::Result<MateSuite> {
    let positions = Kind::Mates.generate(plan.positions, plan.seed);
    let mut rows = Vec::new();
    writeln!(
        output,
        "| policy | rule | mates found, % | lost | gained | longer | shorter | \
         lines that end early, % | wrong lines, % |\n|---|---|---|---|---|---|---|---|---|"
    )?;
    for policy in POLICIES {
        let mut off: Option<Vec<_>> = None;
        for (rule, no_progress) in NoProgress::ALL {
            let rules = PathRules { policy, no_progress, ..PathRules::default() };
            let mates = search_all(&positions, plan.nodes, (evaluation, rules));
            let row = MateRow::of((policy.name(), rule), &mates, off.as_ref().unwrap_or(&mates));
            row.write(output)?;
            output.flush()?;
            rows.push(row);
            off.get_or_insert(mates);
        }
    }
    Ok(MateSuite { plan, rows })
}

/// Searches each position with an empty table.
fn search_all(
    positions: &[Position],
    nodes: u64,
    (evaluation, rules): (&Evaluation, PathRules),
) -> Vec<Option<Mate>> {
    let mut shared = Shared::new(HASH_MEBIBYTES, 1).expect("there are 16 MiB");
    shared.set_evaluation(evaluation.clone());
    shared.set_path_rules(rules);
    let mut worker = Worker::new(0);
    let search = |position: &Position| {
        worker.reset();
        shared.clear(1);
        shared.new_search();
        let game = Game::new(position.clone());
        shared.limit_nodes(nodes);
        let result = worker.search(&shared, &game, &Limits::default(), &mut ());
        Mate::of(&game, &result)
    };
    positions.iter().map(search).collect()
}

impl Mate {
    fn of(game: &Game, result: &SearchResult) -> Option<Mate> {
        let moves = result.score.moves_to_mate().filter(|_| result.bound == Bound::Exact)?;
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let mut game = game.clone();
        let is_legal = result.pv.iter().all(|&m| game.play(m).is_ok());
        let is_mate = game.position().is_check() && !game.position().has_legal_moves();
        let line = if (result.pv.len() as i32) < plies {
            Line::EndsEarly
        } else if is_legal && is_mate && result.pv.len() as i32 == plies {
            Line::Complete
        } else {
            Line::Wrong
        };
        Some(Mate { moves, line })
    }
}

impl MateRow {
    fn of((policy, rule): (&str, &str), mates: &[Option<Mate>], off: &[Option<Mate>]) -> MateRow {
        let pairs = || mates.iter().zip(off);
        let count = |is_counted: &dyn Fn(&Mate, &Mate) -> bool| -> u64 {
            let both = pairs().filter_map(|(own, off)| Some((own.as_ref()?, off.as_ref()?)));
            both.filter(|(own, off)| is_counted(own, off)).count() as u64
        };
        let found = mates.iter().flatten().count() as u64;
        let lines = |line| mates.iter().flatten().filter(|mate| mate.line == line).count() as u64;
        MateRow {
            policy: policy.to_owned(),
            rule: rule.to_owned(),
            found: Share::of(found, mates.len() as u64),
            lost: pairs().filter(|(own, off)| own.is_none() && off.is_some()).count() as u64,
            gained: pairs().filter(|(own, off)| own.is_some() && off.is_none()).count() as u64,
            longer: count(&|own, off| own.moves.abs() > off.moves.abs()),
            shorter: count(&|own, off| own.moves.abs() < off.moves.abs()),
            end_early: Share::of(lines(Line::EndsEarly), found),
            wrong: Share::of(lines(Line::Wrong), found),
        }
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(
            output,
            "| `{}` | {} | {} of {}: {} | {} | {} | {} | {} | {}: {} | {}: {} |",
            self.policy,
            self.rule,
            self.found.count,
            self.found.total,
            self.found.percent(),
            self.lost,
            self.gained,
            self.longer,
            self.shorter,
            self.end_early.count,
            self.end_early.percent(),
            self.wrong.count,
            self.wrong.percent(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate_of(fen: &str, line: &[&str], score: koel_search::Score) -> Option<Mate> {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let shared = Shared::new(1, 1).unwrap();
        let limits = Limits::to_depth(1);
        let mut result = Worker::new(0).search(&shared, &game, &limits, &mut ());
        let mut position = game.position().clone();
        result.pv.clear();
        for text in line {
            let m = position.parse_uci(text).unwrap();
            result.pv.push(m);
            position = position.after(m);
        }
        result.score = score;
        result.bound = Bound::Exact;
        Mate::of(&game, &result)
    }

    #[test]
    fn lines_are_told_apart() {
        let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
        let mate = |line: &[&str], plies| {
            mate_of(fen, line, koel_search::Score::mate_in(plies)).map(|mate| mate.line)
        };
        assert!(mate(&["h1h8"], 1) == Some(Line::Complete));
        assert!(mate(&["h1h7"], 1) == Some(Line::Wrong));
        assert!(mate(&["h1h7", "a8b8"], 3) == Some(Line::EndsEarly));
        assert!(mate(&["h1h7", "a8b8", "h7h8"], 3) == Some(Line::Complete));
        assert!(mate_of(fen, &["h1h7"], koel_search::Score::DRAW).is_none());
    }

    #[test]
    fn lost_and_longer_mates_are_counted() {
        let mate = |moves| Some(Mate { moves, line: Line::Complete });
        let off = [mate(3), mate(-4), None, mate(2)];
        let row = MateRow::of(("trust", "on"), &[mate(4), mate(-3), mate(1), None], &off);
        assert_eq!((row.found.count, row.lost, row.gained), (3, 1, 1));
        assert_eq!((row.longer, row.shorter, row.end_early.count), (1, 1, 0));
    }
}
