//! Threads that take turns, for measurements on few cores.
//!
//! Where threads share a core, the system runs each of them for milliseconds, while the others stand
//! still in their nodes. Threads that take turns of a few nodes, on one core together, meet in the
//! tree as if each had a core of its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

/// Nobody has a turn: no thread searches.
const NOBODY: usize = usize::MAX;

/// The order of turns among the threads of a search.
#[derive(Debug)]
pub(crate) struct Turns {
    /// The thread whose turn it is.
    current: AtomicUsize,
    /// For each thread whether it searches.
    searches: Vec<AtomicBool>,
}

/// A thread's part in a search: it takes turns until this is dropped.
pub(crate) struct Participation<'a> {
    turns: &'a Turns,
    thread: usize,
}

impl Turns {
    pub(crate) fn new(threads: usize) -> Turns {
        let searches = (0..threads).map(|_| AtomicBool::new(false)).collect();
        Turns { current: AtomicUsize::new(NOBODY), searches }
    }

    /// Waits for the first turn of a thread.
    pub(crate) fn join(&self, thread: usize) -> Participation<'_> {
        self.searches[thread].store(true, SeqCst);
        self.wait(thread);
        Participation { turns: self, thread }
    }

    /// Ends the turn of a thread and waits for its next one.
    pub(crate) fn pass(&self, thread: usize) {
        self.pass_on(thread);
        self.wait(thread);
    }

    fn pass_on(&self, thread: usize) {
        let threads = self.searches.len();
        let mut following = (thread + 1..=thread + threads).map(|next| next % threads);
        let next = following.find(|&next| self.searches[next].load(SeqCst));
        self.current.store(next.unwrap_or(NOBODY), SeqCst);
    }

    fn wait(&self, thread: usize) {
        while self.current.load(SeqCst) != thread {
            // Who joins while nobody searches begins.
            if self.current.compare_exchange(NOBODY, thread, SeqCst, SeqCst).is_err() {
                thread::yield_now();
            }
        }
    }
}

impl Drop for Participation<'_> {
    fn drop(&mut self) {
        self.turns.searches[self.thread].store(false, SeqCst);
        self.turns.pass_on(self.thread);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn one_thread_has_the_turn_and_all_have_it_equally_often() {
        const THREADS: usize = 4;
        let turns = Turns::new(THREADS);
        for _ in 0..3 {
            let order = Mutex::new(Vec::new());
            thread::scope(|scope| {
                for thread in 0..THREADS {
                    let (turns, order) = (&turns, &order);
                    scope.spawn(move || {
                        let _participation = turns.join(thread);
                        while !turns.searches.iter().all(|searches| searches.load(SeqCst)) {
                            turns.pass(thread);
                        }
                        for _ in 0..100 {
                            order.try_lock().expect("it is this thread's turn").push(thread);
                            turns.pass(thread);
                        }
                    });
                }
            });
            let order = order.into_inner().unwrap();
            assert_eq!(order.len(), 100 * THREADS);
            for round in order.chunks_exact(THREADS) {
                assert!((0..THREADS).all(|thread| round.contains(&thread)), "{round:?}");
            }
            assert_eq!(turns.current.load(SeqCst), NOBODY);
        }
    }
}
