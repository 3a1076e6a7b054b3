//! A queue from threads to one that sleeps as soon as the queue is empty.
//!
//! Channels made for throughput yield some times before they sleep. Here a few letters come for each
//! move: where a core is shared with the opponent or with the match runner, each yield is a way
//! through another program and back.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A new, empty queue: who sends, and who receives.
pub(crate) fn mailbox<T>() -> (Sender<T>, Receiver<T>) {
    let mailbox = Arc::new(Mailbox {
        contents: Mutex::new(Contents {
            letters: VecDeque::new(),
            is_awaited: false,
            is_closed: false,
        }),
        arrival: Condvar::new(),
    });
    (Sender(Arc::clone(&mailbox)), Receiver(mailbox))
}

struct Mailbox<T> {
    contents: Mutex<Contents<T>>,
    arrival: Condvar,
}

struct Contents<T> {
    letters: VecDeque<T>,
    /// The receiver sleeps; waking it costs a system call.
    is_awaited: bool,
    /// The receiver is gone.
    is_closed: bool,
}

impl<T> Mailbox<T> {
    /// Nothing that can panic happens while it is locked.
    fn contents(&self) -> MutexGuard<'_, Contents<T>> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of those who send.
pub(crate) struct Sender<T>(Arc<Mailbox<T>>);

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender(Arc::clone(&self.0))
    }
}

impl<T> Sender<T> {
    /// Sends a letter; whether there is still somebody to receive it.
    pub(crate) fn send(&self, letter: T) -> bool {
        let mut contents = self.0.contents();
        if contents.is_closed {
            return false;
        }
        contents.letters.push_back(letter);
        let is_awaited = std::mem::take(&mut contents.is_awaited);
        drop(contents);
        if is_awaited {
            self.0.arrival.notify_one();
        }
        true
    }
}

/// The one that receives.
pub(crate) struct Receiver<T>(Arc<Mailbox<T>>);

impl<T> Receiver<T> {
    /// The next letter, in the order in which they were sent; sleeps until there is one.
    pub(crate) fn receive(&self) -> T {
        let mut contents = self.0.contents();
        loop {
            if let Some(letter) = contents.letters.pop_front() {
                return letter;
            }
            contents.is_awaited = true;
            contents = self.0.arrival.wait(contents).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next letter, if there is one.
    #[cfg(test)]
    pub(crate) fn poll(&self) -> Option<T> {
        self.0.contents().letters.pop_front()
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut contents = self.0.contents();
        contents.is_closed = true;
        // Letters may hold what wants the lock when it is dropped.
        let letters = std::mem::take(&mut contents.letters);
        drop(contents);
        drop(letters);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn letters_arrive_once_and_in_order() {
        const LETTERS: usize = 20_000;
        let (sender, receiver) = mailbox();
        let senders = (0..4).map(|from| {
            let sender = sender.clone();
            thread::spawn(move || {
                for number in 0..LETTERS {
                    assert!(sender.send((from, number)));
                    if number % 512 == 0 {
                        thread::yield_now();
                    }
                }
            })
        });
        let senders = senders.collect::<Vec<_>>();
        let mut next = [0; 4];
        for _ in 0..4 * LETTERS {
            let (from, number) = receiver.receive();
            assert_eq!(number, next[from]);
            next[from] += 1;
        }
        assert!(receiver.poll().is_none());
        senders.into_iter().for_each(|sender| sender.join().unwrap());
    }

    #[test]
    fn a_sleeper_is_woken_each_time() {
        let (ask, asked) = mailbox();
        let (answer, answered) = mailbox();
        let echo = thread::spawn(move || while answer.send(asked.receive()) {});
        for number in 0..2_000 {
            ask.send(number);
            assert_eq!(answered.receive(), number);
        }
        drop(answered);
        ask.send(0);
        echo.join().unwrap();
        assert!(!ask.send(1), "nobody is there");
    }
}
