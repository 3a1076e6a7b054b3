//! Background jobs: work other than a search, on a thread of its own, so that the session keeps
//! responding.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;

use crossbeam::channel::Sender;
use koel_board::{CastlingNotation, Position, perft as count};
use koel_search::STACK_BYTES;
use koel_uci::Reply;

use crate::panic::AbortOnPanic;
use crate::session::event::Event;

/// The largest depth of `go perft`; deeper counts would take years.
pub(crate) const MAX_PERFT_DEPTH: u32 = 20;

/// Perft of this depth takes too little time to be worth interrupting.
const UNSTOPPABLE_DEPTH: u32 = 4;

/// Starts a job on a thread of its own. The job sends replies through its first argument, checks
/// the stop flag, and returns its last reply.
pub(crate) fn start(
    session: Sender<Event>,
    stop: Arc<AtomicBool>,
    job: impl FnOnce(&dyn Fn(Reply), &AtomicBool) -> Reply + Send + 'static,
) -> io::Result<()> {
    let run = move || {
        let _guard = AbortOnPanic;
        // The session may have ended.
        let send = |reply| drop(session.send(Event::Output(vec![reply])));
        let result = job(&send, &stop);
        let _ = session.send(Event::Finished { replies: Vec::new(), result });
    };
    let builder = Builder::new().name("background job".to_owned()).stack_size(STACK_BYTES);
    builder.spawn(run).map(drop)
}

/// Counts the leaf nodes at a depth, by first move and in total.
pub(crate) fn perft(
    position: &Position,
    depth: u32,
    castling: CastlingNotation,
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
        send(Reply::Other(format!("{}: {count}", position.uci(m, castling))));
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

/// Runs the benchmark. The details go to the standard error stream, where OpenBench and fishtest
/// read them.
pub(crate) fn bench(depth: u32, stop: &AtomicBool) -> Reply {
    let mut log = io::stderr().lock();
    // The standard error stream may be closed.
    let result = crate::commands::bench::bench(depth, stop, |line| drop(writeln!(log, "{line}")));
    match result {
        Some(bench) => {
            let _ = write!(log, "\n{}", bench.details());
            Reply::Other(bench.to_string())
        }
        None => Reply::text("bench was stopped"),
    }
}
