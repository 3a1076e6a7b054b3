//! `cargo xtask perft`: the command around [`count`].

use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use koel_board::{CastlingNotation, Move, Position, START_FEN, perft};
use xshell::{Shell, cmd};

use crate::count::{self, Known};

#[derive(Args)]
pub(crate) struct Perft {
    /// Depth of the tree in plies
    #[arg(default_value_t = 6)]
    depth: u32,
    /// The position; the starting position if none is given
    #[arg(long, default_value = START_FEN, hide_default_value = true)]
    fen: String,
    /// Number of threads; as many as the machine runs at once if none is given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Size of the shared hash in MiB; 0 for none
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    hash: u32,
    /// Print castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Count again with one thread and without hash, and compare
    #[arg(long)]
    check: bool,
}

impl Perft {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        if cfg!(debug_assertions) {
            return run_optimised(shell);
        }
        let position = Position::from_fen(&self.fen)?;
        let threads = match self.threads {
            Some(threads) => usize::from(threads),
            None => thread::available_parallelism()?.get(),
        };
        let known = Known::with_size(self.hash as usize, threads);
        let started = Instant::now();
        let divided = count::divide(&position, self.depth, threads, &known);
        let seconds = started.elapsed().as_secs_f64();

        let castling =
            if self.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        for &(m, leaves) in &divided {
            println!("{}: {leaves}", position.uci(m, castling));
        }
        let leaves = total(&divided, self.depth);
        let (held, room) = known.usage();
        println!("\nNodes searched: {leaves}");
        println!("Time: {seconds:.3} s, {:.0} nodes/s", leaves as f64 / seconds);
        println!("Threads: {threads}, hash: {held} of {room} entries");
        if self.check { check(&position, self.depth, &divided) } else { Ok(()) }
    }
}

fn total(divided: &[(Move, u64)], depth: u32) -> u64 {
    if depth == 0 { 1 } else { divided.iter().map(|(_, leaves)| leaves).sum() }
}

/// Counts again the plain way.
fn check(position: &Position, depth: u32, divided: &[(Move, u64)]) -> Result<()> {
    let started = Instant::now();
    let plain = perft::divide(position, depth);
    let seconds = started.elapsed().as_secs_f64();
    let leaves = total(&plain, depth);
    ensure!(divided == plain, "counted plainly it is {leaves} nodes: {plain:?}");
    println!("Check: plain perft agrees, {seconds:.3} s, {:.0} nodes/s", leaves as f64 / seconds);
    Ok(())
}

/// Starts this command again, without debug assertions in the move generator.
fn run_optimised(shell: &Shell) -> Result<()> {
    let cargo = crate::cargo();
    let arguments = std::env::args_os().skip(1);
    Ok(cmd!(shell, "{cargo} run --quiet --release --package xtask -- {arguments...}")
        .quiet()
        .run()?)
}
