//! The single operations of the board, compared with shakmaty where it has them.
//!
//! `cargo bench -p koel-board --bench board`
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use koel_board::{Move, MoveList, Position, SeeValues};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

/// Openings, middlegames, endgames, a check and a Chess960 position.
const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppp/1p2pn2/8/1bPP4/2NBPN2/PB2QPPP/R4RK1 w - - 4 13",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/4p3/3pP3/r2P4/4RP2/6PP/6K1 b - - 3 34",
    "rnb1kbnr/pppp1ppp/8/4p3/4P2q/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 3",
    "nrbkqbrn/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NRBKQBRN w GBgb - 0 2",
];

fn positions() -> Vec<Position> {
    FENS.iter().map(|fen| Position::from_fen(fen).unwrap()).collect()
}

fn all_moves(positions: &[Position]) -> Vec<(usize, Move)> {
    let of = |(index, position): (usize, &Position)| {
        position.legal_moves().into_iter().map(move |m| (index, m)).collect::<Vec<_>>()
    };
    positions.iter().enumerate().flat_map(of).collect()
}

fn generation(criterion: &mut Criterion) {
    let positions = positions();
    let chess: Vec<_> = positions.iter().map(Position::to_shakmaty).collect();
    let moves = all_moves(&positions).len() as u64;
    let mut group = criterion.benchmark_group("generation, 8 positions");
    group.throughput(Throughput::Elements(moves));
    let mut stage = |name: &str, collect: fn(&Position, &mut MoveList)| {
        group.bench_function(name, |b| {
            b.iter(|| {
                for position in black_box(&positions) {
                    let mut list = MoveList::new();
                    collect(position, &mut list);
                    black_box(&list);
                }
            });
        });
    };
    stage("all", |position, list| *list = position.legal_moves());
    stage("noisy", Position::push_noisy_moves);
    stage("quiet", Position::push_quiet_moves);
    group.bench_function("shakmaty all", |b| {
        b.iter(|| black_box(&chess).iter().map(|chess| chess.legal_moves().len()).sum::<usize>());
    });
    group.finish();
}

fn playing(criterion: &mut Criterion) {
    let positions = positions();
    let moves = all_moves(&positions);
    let chess: Vec<_> = moves
        .iter()
        .map(|&(index, m)| (positions[index].to_shakmaty(), positions[index].to_shakmaty_move(m)))
        .collect();
    let mut group = criterion.benchmark_group("playing each legal move");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("copy and play", |b| {
        b.iter(|| {
            for &(index, m) in black_box(&moves) {
                let mut child = positions[index].clone();
                child.play(m);
                black_box(child.key());
            }
        });
    });
    group.bench_function("shakmaty copy and play, key from scratch", |b| {
        b.iter(|| {
            for (position, m) in black_box(&chess) {
                let mut child = position.clone();
                child.play_unchecked(*m);
                black_box(child.zobrist_hash::<Zobrist64>(EnPassantMode::Legal));
            }
        });
    });
    group.finish();
    let mut group = criterion.benchmark_group("keys, 8 positions");
    group.throughput(Throughput::Elements(8));
    group.bench_function("all five from scratch", |b| {
        let xor = |sum, position: &Position| sum ^ position.keys_from_scratch().position.0;
        b.iter(|| black_box(&positions).iter().fold(0, xor));
    });
    group.finish();
}

fn queries(criterion: &mut Criterion) {
    let positions = positions();
    let moves = all_moves(&positions);
    let values = SeeValues::default();
    let mut group = criterion.benchmark_group("queries of each legal move");
    group.throughput(Throughput::Elements(moves.len() as u64));
    let mut query = |name: &str, query: &dyn Fn(&Position, Move) -> bool| {
        group.bench_function(name, |b| {
            b.iter(|| {
                let moves = black_box(&moves).iter();
                moves.filter(|&&(index, m)| query(&positions[index], m)).count()
            });
        });
    };
    query("is_legal", &Position::is_legal);
    query("is_legal, a move of the next position", &|position, m| {
        position.is_legal(Move::from_bits(m.bits().rotate_left(3)))
    });
    query("gives_check", &Position::gives_check);
    query("see_ge 0", &|position, m| position.see_ge(m, 0, &values));
    group.finish();
    let mut group = criterion.benchmark_group("queries of 8 positions");
    group.throughput(Throughput::Elements(8));
    group.bench_function("threats", |b| {
        b.iter(|| black_box(&positions).iter().map(|p| p.threats().all.count()).sum::<usize>());
    });
    group.bench_function("mate_in_one", |b| {
        b.iter(|| black_box(&positions).iter().filter(|p| p.mate_in_one().is_some()).count());
    });
    group.finish();
}

criterion_group!(benches, generation, playing, queries);
criterion_main!(benches);
