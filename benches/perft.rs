//! Bulk perft of Koel, shakmaty and cozy-chess: first interleaved, for ratios that noise affects
//! alike, which Criterion has no means for; then one by one, for absolute speeds.
//!
//! `cargo bench -p koel-board --bench perft`, and again with `RUSTFLAGS=-Ctarget-cpu=native`.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group};
use koel_board::Position;
use koel_board::perft::perft;
use shakmaty::{CastlingMode, Chess};

const POSITIONS: [(&str, &str, u32, u64); 3] = [
    ("startpos", koel_board::START_FEN, 6, 119_060_324),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
];
const ROUNDS: usize = 9;

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    match depth {
        0 => leaves = 1,
        1 => {
            board.generate_moves(|moves| {
                leaves += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for m in moves {
                    let mut child = board.clone();
                    child.play_unchecked(m);
                    leaves += cozy_perft(&child, depth - 1);
                }
                false
            });
        }
    }
    leaves
}

/// A position as the board of each library.
struct Boards {
    koel: Position,
    shakmaty: Chess,
    cozy: cozy_chess::Board,
}

impl Boards {
    fn new(fen: &str) -> Boards {
        let parsed: shakmaty::fen::Fen = fen.parse().unwrap();
        Boards {
            koel: Position::from_fen(fen).unwrap(),
            shakmaty: parsed.into_position(CastlingMode::Standard).unwrap(),
            cozy: cozy_chess::Board::from_fen(fen, false).unwrap(),
        }
    }
}

fn timed(leaves: u64, count: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    assert_eq!(count(), leaves);
    start.elapsed()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compare_interleaved() {
    println!(
        "medians of {ROUNDS} interleaved rounds; M leaves/s and Koel's speed over the others'"
    );
    let mut log_ratios = [0.0; 2];
    for (name, fen, depth, leaves) in POSITIONS {
        let boards = Boards::new(fen);
        let (mut speed, mut ratios) = ([const { Vec::new() }; 3], [const { Vec::new() }; 2]);
        for _ in 0..ROUNDS {
            let times = [
                timed(leaves, || perft(&boards.koel, depth)),
                timed(leaves, || shakmaty::perft(&boards.shakmaty, depth)),
                timed(leaves, || cozy_perft(&boards.cozy, depth)),
            ]
            .map(|time| time.as_secs_f64());
            for (all, time) in speed.iter_mut().zip(times) {
                all.push(leaves as f64 / time / 1e6);
            }
            for (all, time) in ratios.iter_mut().zip(&times[1..]) {
                all.push(time / times[0]);
            }
        }
        let [koel, shakmaty, cozy] = speed.map(median);
        let [over_shakmaty, over_cozy] = ratios.map(median);
        println!(
            "{name:>9} d{depth}: koel {koel:4.0}  shakmaty {shakmaty:4.0} ({over_shakmaty:.2})  \
             cozy-chess {cozy:4.0} ({over_cozy:.2})"
        );
        log_ratios[0] += over_shakmaty.ln() / 3.0;
        log_ratios[1] += over_cozy.ln() / 3.0;
    }
    let [over_shakmaty, over_cozy] = log_ratios.map(f64::exp);
    println!("geometric mean: {over_shakmaty:.3} over shakmaty, {over_cozy:.3} over cozy-chess");
}

fn absolute(criterion: &mut Criterion) {
    for (name, fen, depth, _) in POSITIONS {
        let (boards, depth) = (Boards::new(fen), depth - 2);
        let mut group = criterion.benchmark_group(format!("perft {name} d{depth}"));
        group.throughput(Throughput::Elements(perft(&boards.koel, depth)));
        group.bench_function("koel", |b| b.iter(|| perft(&boards.koel, depth)));
        group.bench_function("shakmaty", |b| b.iter(|| shakmaty::perft(&boards.shakmaty, depth)));
        group.bench_function("cozy-chess", |b| b.iter(|| cozy_perft(&boards.cozy, depth)));
        group.finish();
    }
}

criterion_group!(benches, absolute);

fn main() {
    // `cargo test --benches` runs this too, without `--bench`: only to check that it works.
    if std::env::args().any(|argument| argument == "--bench") {
        compare_interleaved();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
