//! Perft, the number of leaf nodes of the legal move tree, which can be stopped.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use koel_board::{Position, perft as count};
use koel_uci::Reply;

use crate::commands::display::MoveNotation;

/// The largest depth of `go perft`; deeper counts would take years.
pub(crate) const MAX_PERFT_DEPTH: u32 = 20;

/// Perft of this depth takes too little time to be worth interrupting.
const UNSTOPPABLE_DEPTH: u32 = 4;

/// Counts the leaf nodes at a depth, by first move and in total.
pub(crate) fn perft(
    position: &Position,
    depth: u32,
    notation: MoveNotation,
    send: &dyn Fn(Reply),
    stop: &AtomicBool,
) -> Reply {
    if depth == 0 {
        return Reply::Other("Nodes searched: 1".to_owned());
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        let Some(count) = count_stoppably(&position.after(m), depth - 1, stop) else {
            return Reply::text("perft was stopped");
        };
        send(Reply::Other(format!("{}: {count}", notation.write(position, m))));
        nodes += count;
    }
    send(Reply::Other(String::new()));
    Reply::Other(format!("Nodes searched: {nodes}"))
}

fn count_stoppably(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= UNSTOPPABLE_DEPTH {
        return Some(count::perft(position, depth));
    }
    let children = position.legal_moves().into_iter().map(|m| position.after(m));
    children.map(|child| count_stoppably(&child, depth - 1, stop)).sum()
}
