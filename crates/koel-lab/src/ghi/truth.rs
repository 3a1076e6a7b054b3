//! Wrong values of the reference search: those of several tables and rules, compared with the
//! truth, which is the search whose table knows the path.

use std::io::{self, Write};
use std::thread;

use koel_board::{Game, Move, Position};
use koel_random::Rng;
use koel_search::{NoProgress, PathPolicy};
use serde::Serialize;

use super::random_positions::Kind;
use super::statistics::{NodeRatio, Share};
use super::wrong_values::WrongValues;
use crate::reference_search::{ReferenceSearch, TableKeys};

/// A search that needs more nodes than this for a value counts as wrong.
const MAX_NODES: u64 = 20_000_000;

/// The plies by which a search is deeper that judges a wrong value.
const JUDGE_PLIES: usize = 2;

/// The searches that are compared; the first is the truth.
pub(super) struct Design {
    searches: &'static [Setting],
    /// The search with which nodes are compared, for the heading of the column.
    baseline: &'static str,
}

/// The settings of a search.
struct Setting {
    table: &'static str,
    table_keys: TableKeys,
    no_progress: NoProgress,
    /// The index of the search with which its nodes are compared.
    baseline: usize,
}

/// Each policy, without the no-progress rule. Nodes are compared with `trust`.
pub(super) const POLICIES: Design = Design {
    searches: &[
        setting("knows the path", TableKeys::Paths, NoProgress::Off, 1),
        setting("trust", TRUST, NoProgress::Off, 1),
        setting("refuse", TableKeys::Positions(PathPolicy::Refuse), NoProgress::Off, 1),
        setting("relative", RELATIVE, NoProgress::Off, 1),
        setting("muller", TableKeys::Positions(PathPolicy::Muller), NoProgress::Off, 1),
    ],
    baseline: "trust",
};

/// Each kind of table with each setting of the no-progress rule, a factorial experiment. A table
/// that reads no marks is the same with the rule on and with it tracked. Nodes are compared with
/// the same table without the rule.
pub(super) const RULES: Design = Design {
    searches: &[
        setting("knows the path", TableKeys::Paths, NoProgress::Off, 0),
        setting("knows the path", TableKeys::Paths, NoProgress::On, 0),
        setting("relative", RELATIVE, NoProgress::Off, 2),
        setting("relative", RELATIVE, NoProgress::On, 2),
        setting("relative", RELATIVE, NoProgress::Tracked, 2),
        setting("trusting", TRUST, NoProgress::Off, 5),
        setting("trusting", TRUST, NoProgress::On, 5),
    ],
    baseline: "off",
};

const RELATIVE: TableKeys = TableKeys::Positions(PathPolicy::Relative);
const TRUST: TableKeys = TableKeys::Positions(PathPolicy::Trust);

const fn setting(
    table: &'static str,
    table_keys: TableKeys,
    no_progress: NoProgress,
    baseline: usize,
) -> Setting {
    Setting { table, table_keys, no_progress, baseline }
}

/// The settings of the experiment.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// Positions of each ending, and a third of the middlegames.
    pub(crate) positions: usize,
    /// The greatest depth that is compared, in plies.
    pub(crate) depth: u32,
    /// A position is compared to the depth at which the true value takes this many nodes.
    pub(crate) nodes: u64,
    /// The positions of a line that are searched, every second one, with one table each.
    pub(crate) moves: u32,
}

/// The results of an experiment.
#[derive(Debug, Serialize)]
pub(crate) struct WrongValueCounts {
    pub(crate) plan: Plan,
    pub(crate) sets: Vec<Set>,
}

/// The results on positions of one kind.
#[derive(Debug, Serialize)]
pub(crate) struct Set {
    pub(crate) name: String,
    /// The values that were compared, over all positions and depths.
    pub(crate) values: u64,
    pub(crate) cells: Vec<Cell>,
}

/// The results of one table and one setting of the rule.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) table: String,
    pub(crate) rule: String,
    /// Positions with at least one wrong value.
    pub(crate) wrong_positions: Share,
    /// Positions with at least one false draw.
    pub(crate) false_draw_positions: Share,
    /// Nodes against the baseline of the design.
    pub(crate) node_ratio: NodeRatio,
    /// Nodes against the table that knows the path, without the rule.
    pub(crate) nodes_against_truth: NodeRatio,
    /// Nodes at which the rule raised alpha.
    pub(crate) raised: u64,
    pub(crate) wrong: WrongValues,
}

/// The outcome of a line of play in a search.
#[derive(Clone, Copy, Default)]
struct Outcome {
    wrong: WrongValues,
    nodes: u64,
    raised: u64,
}

/// A line of play: the number of values that were compared, and what each search made of it.
type Line = (u64, Vec<Outcome>);

/// Runs an experiment on given positions or on random ones of each kind, and writes a table of each
/// set when it is done. A table is kept from one position of a line to the next.
pub(super) fn run(
    design: &Design,
    plan: Plan,
    given: Option<Vec<Position>>,
    output: &mut impl Write,
) -> io::Result<WrongValueCounts> {
    let generate = |(name, kind): (&'static str, Kind)| {
        let is_middlegame = kind == Kind::Middlegames;
        let count = if is_middlegame { plan.positions.div_ceil(3) } else { plan.positions };
        (name, kind.generate(count, plan.seed))
    };
    let sets = match given {
        Some(positions) => vec![("given", positions)],
        None => Kind::ALL.map(generate).into(),
    };
    let mut run = |(name, positions): (_, Vec<_>)| run_set(design, name, &positions, &plan, output);
    let sets = sets.into_iter().map(&mut run).collect::<io::Result<_>>()?;
    Ok(WrongValueCounts { plan, sets })
}

fn run_set(
    design: &Design,
    name: &str,
    positions: &[Position],
    plan: &Plan,
    output: &mut impl Write,
) -> io::Result<Set> {
    let lines = search_all(design, positions, plan);
    let of = |index: usize| lines.iter().map(move |(_, outcomes)| outcomes[index]);
    let nodes = |index| of(index).map(|outcome| outcome.nodes).collect::<Vec<_>>();
    let share = |index, is: fn(&WrongValues) -> bool| {
        let count = of(index).filter(|outcome| is(&outcome.wrong)).count();
        Share::of(count as u64, positions.len() as u64)
    };
    let cell = |(index, setting): (usize, &Setting)| Cell {
        table: setting.table.to_owned(),
        rule: rule_name(setting.no_progress).to_owned(),
        wrong_positions: share(index, |wrong| wrong.total() > 0),
        false_draw_positions: share(index, |wrong| wrong.false_draws > 0),
        node_ratio: NodeRatio::of(&nodes(index), &nodes(setting.baseline)),
        nodes_against_truth: NodeRatio::of(&nodes(index), &nodes(0)),
        raised: of(index).map(|outcome| outcome.raised).sum(),
        wrong: of(index).map(|outcome| outcome.wrong).sum(),
    };
    let cells = design.searches.iter().enumerate().map(cell).collect();
    let values = lines.iter().map(|(values, _)| values).sum();
    let set = Set { name: name.to_owned(), values, cells };
    set.write(design, plan, output)?;
    output.flush()?;
    Ok(set)
}

/// Searches the positions with every setting, on all cores. Lines without a value are left out.
fn search_all(design: &Design, positions: &[Position], plan: &Plan) -> Vec<Line> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let search = |part: &[Position]| -> Vec<Line> {
        let lines = part.iter().map(|start| search_line(design, start, plan));
        lines.filter(|(values, _)| *values > 0).collect()
    };
    thread::scope(|scope| {
        let search = &search;
        let parts = positions.chunks(positions.len().div_ceil(threads).max(1));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || search(part))).collect();
        let lines = workers.into_iter().map(|worker| worker.join().expect("a search ends"));
        lines.flatten().collect()
    })
}

/// Searches a position with every setting, and those of a line of play from it with the tables
/// kept: one side plays the move of the truth, the other often takes its last move back, so that
/// positions recur.
fn search_line(design: &Design, start: &Position, plan: &Plan) -> Line {
    let search =
        |setting: &Setting| ReferenceSearch::with_rule(setting.table_keys, setting.no_progress);
    let others = design.searches[1..].iter();
    let mut others: Vec<_> = others.map(|of| (search(of), WrongValues::default())).collect();
    let mut rng = Rng::for_stream(plan.seed, start.key().0);
    let mut game = Game::new(start.clone());
    let (mut values, mut nodes) = (0, 0);
    for _ in 0..plan.moves {
        let truth = Truth::of(&game, plan);
        values += truth.depths as u64;
        nodes += truth.nodes;
        others.iter_mut().for_each(|(search, wrong)| truth.compare(search, &game, wrong));
        if !play(&mut game, truth.best_move, &mut rng) {
            break;
        }
    }
    let truth = Outcome { nodes, ..Outcome::default() };
    let others = others.into_iter().map(|(search, wrong)| Outcome {
        wrong,
        nodes: search.nodes(),
        raised: search.raised(),
    });
    (values, [truth].into_iter().chain(others).collect())
}

/// Plays this move and a reply: in two of three cases the move back, if it is legal, otherwise a
/// random one. Returns false if the line ends there.
fn play(game: &mut Game, m: Option<Move>, rng: &mut Rng) -> bool {
    let Some(m) = m else { return false };
    let last = game.moves().next_back();
    game.play(m).expect("the best move is legal");
    let replies = game.position().legal_moves();
    let is_back =
        |m: &&Move| last.is_some_and(|last| [m.to(), m.from()] == [last.from(), last.to()]);
    let back = replies.iter().find(is_back).filter(|_| rng.below(3) > 0);
    let random = replies.get(rng.below(replies.len().max(1)));
    let Some(&reply) = back.or(random) else { return false };
    game.play(reply).expect("it is one of the legal moves");
    let here = game.position().key();
    game.position().has_legal_moves() && game.keys().filter(|&key| key == here).count() < 3
}

/// The true values of a position.
struct Truth {
    /// The values at depths 1, 2, 3 and so on, some plies deeper than they are compared.
    values: Vec<i32>,
    /// The depths that are compared.
    depths: usize,
    /// The nodes to the last of them.
    nodes: u64,
    best_move: Option<Move>,
}

impl Truth {
    fn of(game: &Game, plan: &Plan) -> Truth {
        let mut search = ReferenceSearch::new(TableKeys::Paths);
        let (mut values, mut nodes) = (Vec::new(), Vec::new());
        for depth in 1..=plan.depth + JUDGE_PLIES as u32 {
            let Some(value) = search.value(game, depth, plan.nodes) else { break };
            values.push(value);
            nodes.push(search.nodes());
        }
        let depths = values.len().min(plan.depth as usize);
        let nodes = nodes[..depths].last().copied().unwrap_or(0);
        let best_move = search.best_move(game, depths as u32);
        Truth { values, depths, nodes, best_move }
    }

    /// Compares the values of another search at the same depths.
    fn compare(&self, search: &mut ReferenceSearch, game: &Game, wrong: &mut WrongValues) {
        for (index, &value) in self.values[..self.depths].iter().enumerate() {
            let deeper = self.values.get(index + JUDGE_PLIES).copied();
            wrong.add(search.value(game, index as u32 + 1, MAX_NODES), value, deeper);
        }
    }
}

/// The name of a setting of the rule.
fn rule_name(rule: NoProgress) -> &'static str {
    NoProgress::ALL.iter().find(|&&(_, other)| other == rule).map_or("", |&(name, _)| name)
}

impl Set {
    fn write(&self, design: &Design, plan: &Plan, output: &mut impl Write) -> io::Result<()> {
        let positions = self.cells.first().map_or(0, |cell| cell.wrong_positions.total);
        let (name, values, Plan { depth, moves, .. }) = (&self.name, self.values, plan);
        writeln!(
            output,
            "\n{name}: {positions} positions, {values} values, depths 1 to {depth}, \
             lines of {moves}\n\n\
             | table | rule | wrong | false draws | missed draws | \
             positions with a wrong value, % | with a false draw, % | \
             a pawn at most / more / mates | deeper agrees / contradicts | \
             nodes against {} | against the truth |\n|---|---|---|---|---|---|---|---|---|---|---|",
            design.baseline
        )?;
        self.cells.iter().try_for_each(|cell| writeln!(output, "{}", cell.row()))
    }
}

impl Cell {
    fn row(&self) -> String {
        let wrong = &self.wrong;
        let cells = [
            self.table.clone(),
            self.rule.clone(),
            wrong.total().to_string(),
            wrong.false_draws.to_string(),
            wrong.missed_draws.to_string(),
            self.wrong_positions.percent(),
            self.false_draw_positions.percent(),
            format!("{} / {} / {}", wrong.up_to_a_pawn, wrong.more, wrong.mates),
            format!("{} / {}", wrong.deeper_agrees, wrong.deeper_contradicts),
            self.node_ratio.text(),
            self.nodes_against_truth.text(),
        ];
        format!("| {} |", cells.join(" | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_experiment_is_complete() {
        let plan = Plan { seed: 1, positions: 3, depth: 8, nodes: 20_000, moves: 1 };
        for design in [&RULES, &POLICIES] {
            let mut text = Vec::new();
            let counts = run(design, plan.clone(), None, &mut text).unwrap();
            assert_eq!(counts.sets.len(), 4);
            for set in &counts.sets {
                let truth = &set.cells[0];
                assert_eq!((truth.wrong.total(), truth.raised), (0, 0));
                assert!((truth.nodes_against_truth.mean - 1.0).abs() < 1e-12 && set.values > 0);
            }
            let is_raised = counts.sets[0].cells.iter().any(|cell| cell.raised > 0);
            assert_eq!(is_raised, design.baseline == "off");
            let text = String::from_utf8(text).unwrap();
            let rows = text.lines().filter(|line| line.starts_with('|')).count();
            assert_eq!(rows, 4 * (2 + design.searches.len()));
        }
    }

    #[test]
    fn every_policy_is_compared() {
        let tables = POLICIES.searches.iter().map(|setting| (setting.table, setting.table_keys));
        let policies = PathPolicy::ALL.map(|(name, policy)| (name, TableKeys::Positions(policy)));
        assert!(tables.skip(1).eq(policies));
    }

    #[test]
    fn a_known_false_draw_is_that_of_trust_alone() {
        let fens = ["4K3/2k3p1/6P1/1p6/1P6/8/8/8 w - - 0 1"; 3];
        let positions = fens.map(|fen| Position::from_fen(fen).unwrap());
        let plan = Plan { seed: 0, positions: 3, depth: 8, nodes: 10_000_000, moves: 1 };
        let counts = run(&POLICIES, plan, Some(positions.into()), &mut io::sink()).unwrap();
        let [set] = &counts.sets[..] else { panic!("one set") };
        assert_eq!(set.values, 24);
        let with_one = |table| {
            let cell = set.cells.iter().find(|cell| cell.table == table).unwrap();
            (cell.false_draw_positions.count, cell.wrong.false_draws)
        };
        assert_eq!(with_one("trust"), (3, 3));
        for table in ["knows the path", "refuse", "relative"] {
            assert_eq!(with_one(table), (0, 0), "{table}");
        }
    }
}
