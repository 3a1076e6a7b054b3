//! A connect-four solver: two threads share a transposition table, results and marks.
//!
//! `cargo run --release -p koel-tt --example connect_four -- [COLUMNS]`, where COLUMNS are the
//! moves so far, such as `44455554221`. The score is the number of stones that the winner has left
//! when they win, negative if the side to move loses, 0 for a draw.
#![allow(clippy::print_stdout, reason = "an example shows something")]

use std::num::NonZeroU16;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use koel_tt::{Bound, BusyMark, Entry, TranspositionTable};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// The squares of a column with an empty one on top, so that no line of four runs across columns.
const HEIGHT: u32 = ROWS + 1;
const SQUARES: i32 = (COLUMNS * ROWS) as i32;
/// The order of the columns, from the centre outwards: most lines cross there.
const BEST_FIRST: [u32; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];

/// A move: the column, counted from one, because a move of the table is never zero.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ColumnMove(NonZeroU16);

impl ColumnMove {
    fn new(column: u32) -> ColumnMove {
        ColumnMove(NonZeroU16::MIN.saturating_add(column as u16))
    }

    fn column(self) -> u32 {
        u32::from(self.0.get()) - 1
    }
}

impl From<ColumnMove> for u16 {
    fn from(drop: ColumnMove) -> u16 {
        drop.0.get()
    }
}

impl From<u16> for ColumnMove {
    fn from(bits: u16) -> ColumnMove {
        ColumnMove(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }
}

/// A position, with one bit per square, column by column from the bottom left.
#[derive(Clone, Copy, Default)]
struct Board {
    /// Stones of the side to move.
    ours: u64,
    /// All stones.
    occupied: u64,
}

impl Board {
    fn stones(self) -> i32 {
        self.occupied.count_ones() as i32
    }

    fn is_legal(self, column: u32) -> bool {
        column < COLUMNS && self.occupied & 1 << (column * HEIGHT + ROWS - 1) == 0
    }

    fn after(self, column: u32) -> Board {
        let stone = self.occupied + (1 << (column * HEIGHT));
        Board { ours: self.ours ^ self.occupied, occupied: self.occupied | stone }
    }

    fn is_win(self, column: u32) -> bool {
        let after = self.after(column);
        let stones = after.occupied ^ after.ours;
        [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// Returns a key that is unique and well mixed: the table needs keys that are random in all
    /// bits.
    fn key(self) -> u64 {
        let unique = self.ours + self.occupied;
        let mixed = (unique ^ unique >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}

/// One thread of the search. All threads search the whole tree in the same order, but defer a move
/// that another thread is searching, and later find its result in the table.
struct Solver<'a> {
    shared: &'a Shared,
    nodes: u64,
}

struct Shared {
    table: TranspositionTable<ColumnMove>,
    threads: usize,
    is_solved: AtomicBool,
}

impl Shared {
    /// Marks a position as being searched. One that has no entry gets one that says nothing, since
    /// the mark is a part of the entry.
    fn mark(&self, board: Board) -> Option<BusyMark<'_>> {
        if self.table.probe(board.key()).is_none() {
            self.table.store(board.key(), entry(-SQUARES, None, 0, Bound::Lower));
        }
        self.table.mark_busy(board.key())
    }
}

/// The number of empty squares below which a position is solved before others could help.
const MIN_MARKED_DEPTH: i32 = 12;

impl Solver<'_> {
    /// Returns the score, exact between alpha and beta, or `None` if another thread has finished.
    fn solve(&mut self, board: Board, alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.shared.is_solved.load(Relaxed) {
            return None;
        }
        let empty = SQUARES - board.stones();
        if empty == 0 {
            return Some(0);
        }
        if (0..COLUMNS).any(|column| board.is_legal(column) && board.is_win(column)) {
            return Some((empty + 1) / 2);
        }
        // The best possible result is a win with the stone after the next.
        let (mut alpha, mut beta) = (alpha, beta.min((empty - 1) / 2));
        let hit = self.shared.table.probe(board.key());
        if let Some(hit) = hit {
            let score = i32::from(hit.score);
            alpha = if hit.bound.is_lower() { alpha.max(score) } else { alpha };
            beta = if hit.bound.is_upper() { beta.min(score) } else { beta };
        }
        if alpha >= beta {
            return Some(alpha);
        }
        let tt_move = hit.and_then(|hit| hit.best_move).map(ColumnMove::column);
        let (best, best_move) = self.search_moves(board, tt_move, alpha, beta)?;
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.shared.table.store(board.key(), entry(best, best_move, empty, bound));
        Some(best)
    }

    /// Returns the best score and its move, or the first that reaches beta.
    fn search_moves(
        &mut self,
        board: Board,
        tt_move: Option<u32>,
        alpha: i32,
        beta: i32,
    ) -> Option<(i32, Option<ColumnMove>)> {
        let rest = BEST_FIRST.into_iter().filter(|&column| Some(column) != tt_move);
        // Each column once, and once more if it was deferred.
        let (mut queue, mut end) = ([0; 2 * COLUMNS as usize], 0);
        for column in tt_move.into_iter().chain(rest).filter(|&column| board.is_legal(column)) {
            queue[end] = column;
            end += 1;
        }
        let (mut best, mut best_move, mut next) = (-SQUARES, None, 0);
        let empty = SQUARES - board.stones();
        let count = end;
        while next < end {
            let column = queue[next];
            next += 1;
            let child = board.after(column);
            let uses_marks =
                self.shared.threads > 1 && empty >= MIN_MARKED_DEPTH && best_move.is_some();
            if uses_marks && next < count && self.shared.table.is_busy(child.key()) {
                queue[end] = column;
                end += 1;
                continue;
            }
            let mark = uses_marks.then(|| self.shared.mark(child));
            let score = -self.solve(child, -beta, -alpha.max(best))?;
            drop(mark);
            if score > best {
                (best, best_move) = (score, Some(ColumnMove::new(column)));
            }
            if best >= beta {
                break;
            }
        }
        Some((best, best_move))
    }
}

/// Returns an entry; the largest subtrees are kept longest.
fn entry(score: i32, best_move: Option<ColumnMove>, empty: i32, bound: Bound) -> Entry<ColumnMove> {
    Entry::new(score as i16, bound, empty as u8).with_move(best_move)
}

/// Returns the score and the number of nodes of all threads.
fn solve(board: Board, threads: usize) -> Result<(i32, u64), koel_tt::OutOfMemory> {
    let shared =
        Shared { table: TranspositionTable::new(64)?, threads, is_solved: AtomicBool::new(false) };
    let mut result = (0, 0);
    std::thread::scope(|scope| {
        let workers = (0..threads).map(|_| {
            let mut solver = Solver { shared: &shared, nodes: 0 };
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
fn position_after(columns: &str) -> Option<Board> {
    columns.chars().try_fold(Board::default(), |board, digit| {
        let column = digit.to_digit(10)?.checked_sub(1)?;
        let goes_on = board.is_legal(column) && !board.is_win(column);
        goes_on.then(|| board.after(column))
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let columns = std::env::args().nth(1).unwrap_or_else(|| "4444435233".to_owned());
    let board = position_after(&columns).ok_or("these moves are not legal")?;
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
