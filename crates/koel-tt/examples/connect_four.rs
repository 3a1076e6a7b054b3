//! A connect-four solver: two threads share a transposition table and a table of busy marks.
//!
//! `cargo run --release -p koel-tt --example connect_four -- [COLUMNS]`, where COLUMNS are the
//! moves so far, such as `44455554221`. The score is the number of stones that the winner has left
//! when they win, negative if the side to move loses, 0 for a draw.
#![allow(clippy::print_stdout, reason = "an example shows something")]

use std::num::NonZeroU16;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use koel_tt::{Bound, BusyMode, BusyTable, Entry, TranspositionTable};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// The squares of a column with an empty one on top, so that no line of four runs across columns.
const HEIGHT: u32 = ROWS + 1;
const SQUARES: i32 = (COLUMNS * ROWS) as i32;
/// The order of the columns, from the centre outwards: most lines cross there.
const BEST_FIRST: [u32; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];

/// A move: the column, counted from one, because a move of the table is never zero.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Drop(NonZeroU16);

impl Drop {
    fn new(column: u32) -> Drop {
        Drop(NonZeroU16::MIN.saturating_add(column as u16))
    }

    fn column(self) -> u32 {
        u32::from(self.0.get()) - 1
    }
}

impl From<Drop> for u16 {
    fn from(drop: Drop) -> u16 {
        drop.0.get()
    }
}

impl From<u16> for Drop {
    fn from(bits: u16) -> Drop {
        Drop(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }
}

/// A position, with one bit per square, column by column from the bottom left.
#[derive(Clone, Copy, Default)]
struct Board {
    /// Stones of the side to move.
    ours: u64,
    /// All stones.
    taken: u64,
}

impl Board {
    fn stones(self) -> i32 {
        self.taken.count_ones() as i32
    }

    fn can_drop(self, column: u32) -> bool {
        column < COLUMNS && self.taken & 1 << (column * HEIGHT + ROWS - 1) == 0
    }

    fn dropped(self, column: u32) -> Board {
        let stone = self.taken + (1 << (column * HEIGHT));
        Board { ours: self.ours ^ self.taken, taken: self.taken | stone }
    }

    fn wins_with(self, column: u32) -> bool {
        let after = self.dropped(column);
        let stones = after.taken ^ after.ours;
        [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// Returns a key that is unique and well mixed: the table needs keys that are random in all
    /// bits.
    fn key(self) -> u64 {
        let unique = self.ours + self.taken;
        let mixed = (unique ^ unique >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}

/// One thread of the search. All threads search the whole tree in the same order, but defer a move
/// that another thread is searching, and later find its result in the table.
struct Solver<'a> {
    shared: &'a Shared,
    thread: usize,
    nodes: u64,
}

struct Shared {
    table: TranspositionTable<Drop>,
    busy: BusyTable,
    is_solved: AtomicBool,
}

/// The number of empty squares below which a position is solved before others could help.
const LEAST_MARKED: i32 = 12;

impl Solver<'_> {
    /// Returns the score, exact between alpha and beta, or `None` if another thread has finished.
    fn solve(&mut self, board: Board, alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.shared.is_solved.load(Relaxed) {
            return None;
        }
        let left = SQUARES - board.stones();
        if left == 0 {
            return Some(0);
        }
        if (0..COLUMNS).any(|column| board.can_drop(column) && board.wins_with(column)) {
            return Some((left + 1) / 2);
        }
        // The best possible result is a win with the stone after the next.
        let (mut alpha, mut beta) = (alpha, beta.min((left - 1) / 2));
        let known = self.shared.table.probe(board.key());
        if let Some(known) = known {
            let score = i32::from(known.score);
            alpha = if known.bound.is_lower() { alpha.max(score) } else { alpha };
            beta = if known.bound.is_upper() { beta.min(score) } else { beta };
        }
        if alpha >= beta {
            return Some(alpha);
        }
        let first = known.and_then(|known| known.best_move).map(Drop::column);
        let (best, best_drop) = self.try_all(board, first, alpha, beta)?;
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.shared.table.store(board.key(), entry(best, best_drop, left, bound));
        Some(best)
    }

    /// Returns the best score and its move, or the first that reaches beta.
    fn try_all(
        &mut self,
        board: Board,
        first: Option<u32>,
        alpha: i32,
        beta: i32,
    ) -> Option<(i32, Option<Drop>)> {
        let rest = BEST_FIRST.into_iter().filter(|&column| Some(column) != first);
        // Each column once, and once more if it was deferred.
        let (mut queue, mut end) = ([0; 2 * COLUMNS as usize], 0);
        for column in first.into_iter().chain(rest).filter(|&column| board.can_drop(column)) {
            queue[end] = column;
            end += 1;
        }
        let (mut best, mut best_drop, mut next) = (-SQUARES, None, 0);
        let left = SQUARES - board.stones();
        let count = end;
        while next < end {
            let column = queue[next];
            next += 1;
            let child = board.dropped(column);
            let (key, depth) = (child.key(), left as u8);
            let may_wait = left >= LEAST_MARKED && best_drop.is_some();
            if may_wait
                && next < count
                && self.shared.busy.is_busy(BusyMode::Deferral, key, depth, self.thread)
            {
                queue[end] = column;
                end += 1;
                continue;
            }
            let mark = may_wait
                .then(|| self.shared.busy.mark(BusyMode::Deferral, key, depth, self.thread));
            let score = -self.solve(child, -beta, -alpha.max(best))?;
            drop(mark);
            if score > best {
                (best, best_drop) = (score, Some(Drop::new(column)));
            }
            if best >= beta {
                break;
            }
        }
        Some((best, best_drop))
    }
}

fn entry(score: i32, best_move: Option<Drop>, left: i32, bound: Bound) -> Entry<Drop> {
    Entry {
        best_move,
        score: score as i16,
        static_eval: None,
        // The largest subtrees are kept longest.
        depth: left as u8,
        bound,
        is_pv: false,
        // A score needs nothing else: a stone never moves, so no position repeats.
        payload: (),
    }
}

/// Returns the score and the number of nodes of all threads.
fn solve(board: Board, threads: usize) -> Result<(i32, u64), koel_tt::OutOfMemory> {
    let shared = Shared {
        table: TranspositionTable::new(64)?,
        busy: BusyTable::new(threads),
        is_solved: AtomicBool::new(false),
    };
    let mut result = (0, 0);
    std::thread::scope(|scope| {
        let workers = (0..threads).map(|thread| {
            let mut solver = Solver { shared: &shared, thread, nodes: 0 };
            scope.spawn(move || {
                let score = solver.solve(board, -SQUARES, SQUARES);
                solver.shared.is_solved.store(true, Relaxed);
                (score, solver.nodes)
            })
        });
        for worker in workers.collect::<Vec<_>>() {
            let (score, nodes) =
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = (score.unwrap_or(result.0), result.1 + nodes);
        }
    });
    Ok(result)
}

/// Returns the position after moves in columns 1 to 7, if they are legal and the game is not won.
fn played(columns: &str) -> Option<Board> {
    columns.chars().try_fold(Board::default(), |board, digit| {
        let column = digit.to_digit(10)?.checked_sub(1)?;
        let goes_on = board.can_drop(column) && !board.wins_with(column);
        goes_on.then(|| board.dropped(column))
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let columns = std::env::args().nth(1).unwrap_or_else(|| "4444435233".to_owned());
    let board = played(&columns).ok_or("these moves are not legal")?;
    let mut scores = Vec::new();
    for threads in [1, 2] {
        let start = Instant::now();
        let (score, nodes) = solve(board, threads)?;
        let time = start.elapsed();
        println!("after {columns}: score {score}, {nodes} nodes, {threads} threads, {time:.2?}");
        scores.push(score);
    }
    assert_eq!(scores[0], scores[1], "the number of threads changes the time, not the score");
    Ok(())
}
