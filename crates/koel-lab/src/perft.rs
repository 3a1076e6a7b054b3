//! `koel-lab perft`: the command line of [`hashed_perft`].

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_board::{CastlingNotation, Move, Position, START_FEN, perft};
use koel_files::print_line;

use crate::hashed_perft::{self, PerftTable};

#[derive(Args)]
pub(crate) struct Perft {
    /// Depth in plies
    #[arg(default_value_t = 6)]
    depth: u32,
    /// Position [default: the starting position]
    #[arg(long, default_value = START_FEN, hide_default_value = true)]
    fen: String,
    /// Number of threads [default: as many as the machine runs at once]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Size of the shared hash table in MiB; 0 for none
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    hash: u32,
    /// Print castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Count again with one thread and without hash table, and compare
    #[arg(long)]
    check: bool,
}

impl Perft {
    pub(crate) fn run(self) -> Result<()> {
        let position = Position::from_fen(&self.fen)?;
        let threads = match self.threads {
            Some(threads) => usize::from(threads),
            None => thread::available_parallelism()?.get(),
        };
        // The table ends the program where memory is refused.
        let refused = || format!("--hash {}: expected MiB that the memory has", self.hash);
        let mut room = Vec::<u8>::new();
        room.try_reserve_exact((self.hash as usize) << 20).with_context(refused)?;
        drop(black_box(room));
        let table = PerftTable::with_size(self.hash as usize, threads);
        let started = Instant::now();
        let divided = hashed_perft::divide(&position, self.depth, threads, &table);
        let seconds = started.elapsed().as_secs_f64();

        let castling =
            if self.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        for &(m, leaves) in &divided {
            print_line!("{}: {leaves}", position.uci(m, castling));
        }
        let leaves = total(&divided, self.depth);
        let (entries, capacity) = table.usage();
        print_line!("\nNodes searched: {leaves}");
        print_line!("Time: {seconds:.3} s, {:.0} nodes/s", leaves as f64 / seconds);
        print_line!("Threads: {threads}, hash: {entries} of {capacity} entries");
        if self.check { check(&position, self.depth, &divided) } else { Ok(()) }
    }
}

fn total(divided: &[(Move, u64)], depth: u32) -> u64 {
    if depth == 0 { 1 } else { divided.iter().map(|(_, leaves)| leaves).sum() }
}

/// Counts again with plain perft and compares.
fn check(position: &Position, depth: u32, divided: &[(Move, u64)]) -> Result<()> {
    let started = Instant::now();
    let plain = perft::divide(position, depth);
    let seconds = started.elapsed().as_secs_f64();
    let leaves = total(&plain, depth);
    ensure!(divided == plain, "plain perft counts {leaves} nodes: {plain:?}");
    print_line!(
        "Check: plain perft agrees, {seconds:.3} s, {:.0} nodes/s",
        leaves as f64 / seconds
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        perft: Perft,
    }

    #[test]
    fn a_table_larger_than_the_memory_is_an_error() {
        let Arguments { perft } = Arguments::parse_from(["", "1", "--hash", "4294967295"]);
        assert!(perft.run().unwrap_err().to_string().starts_with("--hash 4294967295: expected"));
    }
}
