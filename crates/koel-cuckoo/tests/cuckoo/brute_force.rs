//! Both detectors and the repetition rule against every legal move of random games.
//!
//! `KOEL_CYCLE_POSITIONS` sets the number of positions (50,000 by default).

use std::collections::BTreeMap;

use koel_cuckoo::{Cycle, CycleTable, KeyStack};
use koel_random::Rng;
use shakmaty::{CastlingMode, Move, Position};

use crate::oracle::{
    Line, Return, draws, is_reversible, key, occupied, parse, shakmaty_table, squares,
};
use crate::random_line::{CHESS960, STANDARD, choose};

#[derive(Default)]
struct Tally {
    positions: usize,
    queries: usize,
    /// The number of moves that connect two positions, by the plies between them.
    upcoming: BTreeMap<usize, usize>,
    no_progress: BTreeMap<usize, usize>,
    /// Positions whose result depends on where the root is.
    root_dependent: usize,
    third_occurrences: usize,
    repetitions: usize,
    in_check: usize,
}

#[test]
fn detectors_equal_brute_force() {
    let wanted = std::env::var("KOEL_CYCLE_POSITIONS");
    let wanted = wanted.map_or(50_000, |text| text.parse::<usize>().unwrap());
    let table = shakmaty_table();
    let mut rng = Rng::new(20_261_121);
    let mut tally = Tally::default();
    while tally.positions < wanted {
        for fen in STANDARD {
            let game = Game::new(Line::new(parse(fen, CastlingMode::Standard)));
            play_game(&table, game, &mut rng, &mut tally);
        }
        for fen in CHESS960 {
            let game = Game::new(Line::new(parse(fen, CastlingMode::Chess960)));
            play_game(&table, game, &mut rng, &mut tally);
        }
    }
    println!("{} positions, {} queries", tally.positions, tally.queries);
    for (name, found) in [("upcoming", &tally.upcoming), ("no progress", &tally.no_progress)] {
        let total = found.values().sum::<usize>();
        let of = |plies: usize| found.get(&plies).copied().unwrap_or(0);
        println!(
            "{name}: {total} connecting moves, by plies back: {:?}",
            [3, 5, 7, 9, 11, 13].map(|n| (n, of(n)))
        );
    }
    println!(
        "repetitions: {}, of these third occurrences: {}",
        tally.repetitions, tally.third_occurrences
    );
    println!("root-dependent: {}, in check: {}", tally.root_dependent, tally.in_check);
    let one_in = |share: usize| wanted / share;
    assert!(tally.upcoming.values().sum::<usize>() > one_in(10));
    assert!(tally.no_progress.values().sum::<usize>() > one_in(100));
    assert!(tally.repetitions > one_in(10) && tally.third_occurrences > one_in(100));
    assert!(tally.root_dependent > one_in(100) && tally.in_check > one_in(100));
    for plies in [3, 5, 7, 9, 13] {
        assert!(tally.upcoming.get(&plies).is_some_and(|&count| count > 0), "{plies}");
        assert!(plies == 3 || tally.no_progress.get(&plies).is_some_and(|&count| count > 0));
    }
}

/// A line and its key histories in both allowed variants: castling as irreversible, or every move
/// that gives up a castling right.
struct Game {
    line: Line,
    history: KeyStack,
    twin: KeyStack,
}

impl Game {
    fn new(line: Line) -> Self {
        let history = KeyStack::new(key(&line.now().position), 256);
        Self { line, twin: history.clone(), history }
    }

    fn push(&mut self, played: Move) {
        let rights = |line: &Line| line.now().position.castles().castling_rights();
        let before = rights(&self.line);
        self.line.push(played);
        let key = key(&self.line.now().position);
        self.history.push(key, is_reversible(played));
        self.twin.push(key, !played.is_zeroing() && rights(&self.line) == before);
    }

    fn push_null(&mut self) -> bool {
        let done = self.line.push_null();
        if done {
            self.history.push_null(key(&self.line.now().position));
            self.twin.push_null(key(&self.line.now().position));
        }
        done
    }

    fn pop(&mut self) {
        self.line.pop();
        self.history.pop();
        self.twin.pop();
    }
}

/// Plays and checks a line with many repetitions, some unmade moves and some null moves.
fn play_game(table: &CycleTable, mut game: Game, rng: &mut Rng, tally: &mut Tally) {
    for _ in 0..150 {
        check_position(table, &game, tally);
        if rng.below(100) < 4 {
            for _ in 0..rng.below(9).min(game.line.plies()) {
                game.pop();
            }
        }
        if rng.below(100) < 1 && game.push_null() {
            continue;
        }
        let Some(played) = choose(&game.line, rng) else { break };
        game.push(played);
    }
    assert!(game.history.is_filter_consistent());
    while game.line.plies() > 0 {
        game.pop();
    }
    assert!(game.history.filter().is_empty() && game.twin.filter().is_empty());
}

fn check_position(table: &CycleTable, game: &Game, tally: &mut Tally) {
    let Game { line, history, twin } = game;
    let returns = line.returns();
    let shortcuts = line.shortcuts().into_iter().map(|(plies, played)| (plies, squares(played)));
    let shortcuts = shortcuts.collect::<Vec<_>>();
    let repetitions = line.repetitions();
    assert_eq!(history.reversible_plies(), line.now().reversible_plies);
    assert_eq!(history.occurrences(), 1 + repetitions.len());
    assert_eq!(history.previous_occurrence(), repetitions.first().copied());
    let board = line.now().position.board();
    let occupied = occupied(&line.now().position);
    let timeline = history.with_occupied(occupied);
    let mut results = [0, 0];
    for ply in 0..=line.plies().min(history.reversible_plies() + 2) {
        assert_eq!(history.is_draw_by_repetition(ply), draws(&repetitions, ply), "{board}");
        let accept = |plies| history.return_is_draw(plies, ply);
        let upcoming = table.upcoming_repetition(&timeline, accept);
        check_upcoming(upcoming, &returns, ply);
        assert_eq!(twin.upcoming_repetition(table, occupied, ply), upcoming);
        assert_eq!(twin.no_progress(table, occupied, ply), table.no_progress(&timeline, ply));
        assert_eq!(twin.is_draw_by_repetition(ply), history.is_draw_by_repetition(ply));
        results[usize::from(upcoming.is_some())] += 1;
        let expected = shortcuts.first().filter(|&&(plies, _)| plies < ply);
        let no_progress = table.no_progress(&timeline, ply).map(described);
        assert_eq!(no_progress, expected.copied(), "{board}\nply {ply}");
        tally.queries += 3;
    }
    let unbounded = table.no_progress(&timeline, usize::MAX).map(described);
    assert_eq!(unbounded, shortcuts.first().copied());
    tally.positions += 1;
    tally.root_dependent += usize::from(results[0] > 0 && results[1] > 0);
    tally.repetitions += usize::from(!repetitions.is_empty());
    tally.third_occurrences += usize::from(repetitions.len() > 1);
    tally.in_check += usize::from(line.now().position.is_check());
    for plies in returns.iter().filter_map(|found| found.plies.first()) {
        *tally.upcoming.entry(*plies).or_default() += 1;
    }
    for (plies, _) in shortcuts {
        *tally.no_progress.entry(plies).or_default() += 1;
    }
}

fn check_upcoming(cycle: Option<Cycle>, returns: &[Return], ply: usize) {
    assert_eq!(cycle.is_some(), returns.iter().any(|found| found.is_draw(ply)), "ply {ply}");
    let nearest =
        returns.iter().filter_map(|found| Some((found.nearest(ply)?, squares(found.played))));
    let expected = nearest.min_by_key(|&(plies, _)| plies);
    assert_eq!(cycle.map(described), expected, "ply {ply}");
}

fn described(cycle: Cycle) -> (usize, [usize; 2]) {
    (cycle.plies, [cycle.from.index(), cycle.to.index()])
}
