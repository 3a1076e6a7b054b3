//! Both detectors and the repetition rule against every legal move of random games.
//!
//! `KOEL_CYCLE_POSITIONS` sets the number of positions (50,000 by default).

use std::collections::BTreeMap;

use koel_cuckoo::{Cycle, CycleTable, KeyHistory};
use koel_random::Rng;
use shakmaty::{Bitboard, CastlingMode, Move, Position, Role};

use crate::oracle::{Line, Return, draws, is_reversible, key, occupied, parse, shakmaty_table};

const STANDARD: [&str; 25] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Castling rights that can be lost inside a cycle.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    "4k2r/7p/8/8/8/8/P7/R3K3 w Qk - 0 1",
    // En passant in the first position, then captures that are illegal because of a pin.
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4",
    "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    // Few pieces: king triangulation.
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/8/8/8/8/p7/2k4K b - - 0 1",
    "8/8/3k4/8/3r4/8/1Q6/K7 w - - 0 1",
    "8/5k2/r4p2/8/8/1R3P2/5K2/8 w - - 0 1",
    // Locked pawn structures.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k2n/1b6/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/1B6/N3K3 w - - 0 1",
    "k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1",
    "1k6/1p1p1p2/1P1P1P1b/8/8/B1p1p1p1/2P1P1P1/6K1 w - - 0 1",
    // Pins and checks.
    "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1",
    "6k1/5ppp/8/8/8/8/q4PPP/3Q2K1 w - - 0 1",
    "r4nk1/1p1b1N1p/4p1p1/p2pP3/1r1q4/5R2/3Q1PPP/2R2NK1 w - - 2 28",
    // Pieces of one type that can swap squares.
    "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    "2b1kb2/8/8/8/8/8/8/2B1KB2 w - - 0 1",
    "q2qk2q/8/8/8/8/8/8/Q2QK2Q w - - 0 1",
    "r5k1/r7/8/8/8/8/5R2/1K3R2 w - - 0 1",
];

const CHESS960: [&str; 6] = [
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
    // Castling that moves only the rook.
    "6kr/8/8/8/8/8/8/6KR w Kk - 0 1",
    "2rk1r2/8/8/8/8/8/8/2RK1R2 b KQkq - 0 1",
    "rk2r3/8/8/3pP3/8/8/8/RK2R3 w KQkq d6 0 1",
];

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
    history: KeyHistory,
    twin: KeyHistory,
}

impl Game {
    fn new(line: Line) -> Self {
        let history = KeyHistory::new(key(&line.now().position), 256);
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

/// Chooses mostly reversible moves, and among them mostly moves back to squares left recently.
fn choose(line: &Line, rng: &mut Rng) -> Option<Move> {
    let legal: Vec<Move> = line.now().steps.iter().map(|step| step.played).collect();
    let quiet: Vec<Move> = legal.iter().copied().filter(|&played| is_reversible(played)).collect();
    if legal.is_empty() || quiet.is_empty() || rng.below(100) < 3 {
        return (!legal.is_empty()).then(|| legal[rng.below(legal.len())]);
    }
    let recent = line.plies().min([2, 4, 6, 8, 12][rng.below(5)]);
    let turn = line.now().position.turn();
    let ours = |plies: usize| line.ago(plies).position.board().by_color(turn);
    let left = (1..=recent).fold(Bitboard::EMPTY, |left, plies| left | ours(plies));
    let back: Vec<Move> =
        quiet.iter().copied().filter(|played| left.contains(played.to())).collect();
    let kings = quiet.iter().copied().filter(|played| played.role() == Role::King);
    let chosen = match rng.below(10) {
        0..5 if !back.is_empty() => back,
        5..7 if kings.clone().next().is_some() => kings.collect(),
        _ => quiet,
    };
    Some(chosen[rng.below(chosen.len())])
}

fn check_position(table: &CycleTable, game: &Game, tally: &mut Tally) {
    let Game { line, history, twin } = game;
    let (returns, shortcuts) = (line.returns(), line.shortcuts());
    let repetitions = line.repetitions();
    assert_eq!(history.reversible_plies(), line.now().reversible_plies);
    assert_eq!(history.occurrences(), 1 + repetitions.len());
    assert_eq!(history.previous_occurrence(), repetitions.first().copied());
    let board = line.now().position.board();
    let timeline = history.with_occupied(occupied(&line.now().position));
    let other = twin.with_occupied(occupied(&line.now().position));
    let mut results = [0, 0];
    for ply in 0..=line.plies().min(history.reversible_plies() + 2) {
        assert_eq!(history.is_draw_by_repetition(ply), draws(&repetitions, ply), "{board}");
        let accept = |plies| history.return_is_draw(plies, ply);
        let upcoming = table.upcoming_repetition(&timeline, accept);
        check_upcoming(upcoming, &returns, ply);
        let accept = |plies| twin.return_is_draw(plies, ply);
        assert_eq!(table.upcoming_repetition(&other, accept), upcoming);
        assert_eq!(table.no_progress(&other, ply), table.no_progress(&timeline, ply));
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
    let nearest = returns.iter().filter_map(|found| Some((found.nearest(ply)?, found.squares)));
    let expected = nearest.min_by_key(|&(plies, _)| plies);
    assert_eq!(cycle.map(described), expected, "ply {ply}");
}

fn described(cycle: Cycle) -> (usize, [usize; 2]) {
    (cycle.plies, [cycle.from.index(), cycle.to.index()])
}
