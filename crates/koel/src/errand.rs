//! Work other than a search, on a thread of its own, so that the session goes on answering.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;

use crossbeam::channel::Sender;
use koel_board::{CastlingNotation, Position, perft as count};
use koel_uci::Reply;

use crate::event::Event;
use crate::panic::AbortOnPanic;

/// More cannot be counted in a lifetime.
pub(crate) const MAX_PERFT_DEPTH: u32 = 20;

/// Below this many plies it takes no time worth interrupting.
const UNSTOPPABLE_DEPTH: u32 = 4;

/// Runs an errand. It tells what it finds on the way and returns what it says last.
pub(crate) fn start(
    session: Sender<Event>,
    stop: Arc<AtomicBool>,
    errand: impl FnOnce(&dyn Fn(Reply), &AtomicBool) -> Reply + Send + 'static,
) -> io::Result<()> {
    let run = move || {
        let _guard = AbortOnPanic;
        // A session that has ended needs no replies.
        let tell = |reply| drop(session.send(Event::Say(vec![reply])));
        let last = errand(&tell, &stop);
        let _ = session.send(Event::Done { untold: Vec::new(), last });
    };
    Builder::new().name("errand".to_owned()).spawn(run).map(drop)
}

/// The number of lines of so many plies by first move, and in all.
pub(crate) fn perft(
    position: &Position,
    depth: u32,
    castling: CastlingNotation,
    tell: &dyn Fn(Reply),
    stop: &AtomicBool,
) -> Reply {
    if depth == 0 {
        return Reply::Other("Nodes searched: 1".to_owned());
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        let Some(share) = count_stoppably(&position.after(m), depth - 1, stop) else {
            return Reply::text("perft was stopped");
        };
        tell(Reply::Other(format!("{}: {share}", position.uci(m, castling))));
        nodes += share;
    }
    tell(Reply::Other(String::new()));
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

/// The benchmark: the details to the standard error stream, where tools look for them.
pub(crate) fn bench(depth: u32, stop: &AtomicBool) -> Reply {
    let mut log = io::stderr().lock();
    // Nobody may be listening there.
    let result = crate::bench::bench(depth, stop, |line| drop(writeln!(log, "{line}")));
    match result {
        Some(bench) => {
            let _ = write!(log, "\n{}", bench.details());
            Reply::Other(bench.to_string())
        }
        None => Reply::text("bench was stopped"),
    }
}
