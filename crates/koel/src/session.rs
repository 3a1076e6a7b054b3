//! The UCI session: a loop over events that waits for nothing else, except for a search of some
//! thousand nodes, which it does itself.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

use crossbeam::channel::{Receiver, Sender, unbounded};
use koel_board::Game;
use koel_uci::{Command, Options, PositionSetup, Reply};
use tracing::debug;

use crate::event::{Event, Heard};
use crate::logging::DIALOGUE;
use crate::options::{self, Settings};
use crate::pool::{Pool, STACK_BYTES};
use crate::reader::{Reader, listen, lock};

/// Holds a UCI session until `quit` or the end of the input.
///
/// What is said together is written and flushed together. A search that is under way at the end is
/// stopped and still says its best move.
///
/// # Errors
/// The output cannot be written, or the system has no memory or no thread for the engine.
pub fn run(input: impl BufRead + Send, output: impl Write + Send) -> io::Result<()> {
    let reader = Mutex::new(Reader::new(input));
    let (sender, events) = unbounded();
    let (requests, requested) = unbounded();
    let session = Session::new(output, events, sender.clone())?;
    std::thread::scope(|scope| {
        let ears = Ears { reader: &reader, requests, is_listening: false, is_over: false };
        // It may search, too.
        let builder = Builder::new().name("session".to_owned()).stack_size(STACK_BYTES);
        let serving = builder.spawn_scoped(scope, move || session.serve(ears))?;
        listen(&reader, &requested, &sender);
        serving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How a session hears what the user says.
struct Ears<'r, R> {
    reader: &'r Mutex<Reader<R>>,
    requests: Sender<()>,
    /// Whether the listener was asked for a command and has not brought it.
    is_listening: bool,
    /// Whether the user has said the last word: an input that has ended says it again whenever asked.
    is_over: bool,
}

impl<R: BufRead> Ears<'_, R> {
    /// What comes next. While there is work, more than commands may come, and the listener waits
    /// for those.
    fn next(&mut self, events: &Receiver<Event>, is_working: bool) -> Option<Event> {
        if let Ok(event) = events.try_recv() {
            return Some(self.note(event));
        }
        let is_deaf = self.is_listening || self.is_over;
        if !is_deaf && !is_working {
            let heard = lock(self.reader).hear();
            return Some(self.note(Event::Heard(heard)));
        }
        if !is_deaf {
            self.is_listening = self.requests.send(()).is_ok();
        }
        events.recv().ok().map(|event| self.note(event))
    }

    fn note(&mut self, event: Event) -> Event {
        self.is_listening &= !matches!(event, Event::Heard(_));
        self.is_over |= matches!(event, Event::Heard(Ok(Command::Quit)));
        event
    }
}

/// All that a session knows. What each command means stands in `obey.rs`.
pub(crate) struct Session<W> {
    output: W,
    /// What is being said.
    text: String,
    events: Receiver<Event>,
    pub(crate) sender: Sender<Event>,
    /// Heard, and not yet obeyed: they wait for the work under way.
    queue: VecDeque<Heard>,
    pub(crate) work: Option<Work>,
    pub(crate) pool: Pool,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
    /// The command that the game was made from.
    pub(crate) setup: PositionSetup,
    pub(crate) game: Game,
    /// How often a new game was announced.
    pub(crate) games: u64,
}

/// A search or an errand under way.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// It says no best move before `stop`, such as `go infinite`.
    pub(crate) is_endless: bool,
    /// It says no best move before `stop` or `ponderhit`.
    pub(crate) is_pondering: Arc<AtomicBool>,
    /// An errand looks at this to see that it is to stop.
    pub(crate) stop: Arc<AtomicBool>,
    /// It was told to stop.
    pub(crate) is_stopping: bool,
    /// The user said `wait`.
    pub(crate) is_awaited: bool,
    /// What it came to, while that may not be said yet.
    pub(crate) held: Option<Reply>,
}

impl Work {
    /// Whether nothing but the user ends it, and the user has not yet.
    pub(crate) fn needs_stop(&self) -> bool {
        !self.is_stopping && (self.is_endless || self.is_pondering.load(Relaxed))
    }
}

impl<W: Write> Session<W> {
    fn new(output: W, events: Receiver<Event>, sender: Sender<Event>) -> io::Result<Session<W>> {
        Ok(Session {
            output,
            text: String::new(),
            events,
            pool: Pool::new(options::HASH_DEFAULT as usize, sender.clone())?,
            sender,
            queue: VecDeque::new(),
            work: None,
            options: options::declarations(),
            settings: Settings::default(),
            setup: PositionSetup::default(),
            game: Game::default(),
            games: 0,
        })
    }

    fn serve(mut self, mut ears: Ears<'_, impl BufRead>) -> io::Result<()> {
        while let Some(event) = ears.next(&self.events, self.work.is_some()) {
            if self.take(event)?.is_break() {
                break;
            }
        }
        self.stop()?;
        // Whatever comes behind `quit` is not heard.
        self.queue.clear();
        while self.work.is_some()
            && let Ok(event) = self.events.recv()
        {
            let _ = self.take(event)?;
        }
        Ok(())
    }

    fn take(&mut self, event: Event) -> io::Result<ControlFlow<()>> {
        match event {
            Event::Heard(heard) => self.hear(heard)?,
            Event::Say(replies) => self.say_all(&replies)?,
            Event::Done { untold, last } => self.finish(untold, last)?,
        }
        while let Some(heard) = self.next_command() {
            match heard {
                Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
                Ok(command) => self.obey(command)?,
                Err(error) => self.say(&Reply::error(error))?,
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What cannot wait is done at once, whatever is in the queue.
    fn hear(&mut self, heard: Heard) -> io::Result<()> {
        let is_awaited = self.work.as_ref().is_some_and(|work| work.is_awaited);
        match heard {
            Ok(Command::IsReady) if is_awaited => return self.say(&Reply::ReadyOk),
            // It also stops what is to begin before its turn comes.
            Ok(Command::Stop) => self.stop()?,
            _ => {}
        }
        self.queue.push_back(heard);
        Ok(())
    }

    /// The next command whose time has come.
    fn next_command(&mut self) -> Option<Heard> {
        let next = self.queue.front()?;
        let must_wait = self.work.as_ref().is_some_and(|work| {
            let needs_rest = next.as_ref().is_ok_and(|command| self.needs_rest(command));
            work.is_awaited || (work.is_stopping && needs_rest)
        });
        if must_wait { None } else { self.queue.pop_front() }
    }

    /// Whether a `stop` is in the queue.
    pub(crate) fn has_heard_stop(&self) -> bool {
        self.queue.iter().any(|heard| matches!(heard, Ok(Command::Stop)))
    }

    /// Tells the work under way to end. Without any, nothing happens.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        let Some(work) = &mut self.work else { return Ok(()) };
        work.is_stopping = true;
        work.stop.store(true, Relaxed);
        self.pool.stop();
        self.release()
    }

    /// The opponent has played the expected move: our clock is running.
    pub(crate) fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(work) = &mut self.work else { return Ok(()) };
        work.is_pondering.store(false, Relaxed);
        self.release()
    }

    fn finish(&mut self, mut untold: Vec<Reply>, last: Reply) -> io::Result<()> {
        if let Some(work) = &mut self.work {
            work.held = Some(last);
        }
        untold.extend(self.take_result());
        self.say_all(&untold)
    }

    /// Says the result that is held, if it may be said.
    fn release(&mut self) -> io::Result<()> {
        let result = self.take_result();
        self.say_all(result.as_slice())
    }

    /// The result that is held, if it may be said: the work is over then.
    fn take_result(&mut self) -> Option<Reply> {
        let result = self.work.as_mut().filter(|work| !work.needs_stop())?.held.take()?;
        self.work = None;
        Some(result)
    }

    pub(crate) fn say(&mut self, reply: &Reply) -> io::Result<()> {
        self.say_all(std::slice::from_ref(reply))
    }

    /// Says lines with one writing: each would wake whoever reads.
    fn say_all(&mut self, replies: &[Reply]) -> io::Result<()> {
        if replies.is_empty() {
            return Ok(());
        }
        self.text.clear();
        for reply in replies {
            debug!(target: DIALOGUE, "<< {reply}");
            // Writing to a string cannot fail.
            let _ = writeln!(self.text, "{reply}");
        }
        self.output.write_all(self.text.as_bytes())?;
        self.output.flush()
    }

    /// Says each line of a text.
    pub(crate) fn show(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.say(&Reply::Other(line.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    /// Counts how often it was asked for more than there is.
    struct Ending<'t> {
        text: &'t [u8],
        asked: &'t AtomicUsize,
    }

    impl Read for Ending<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.text.read(buffer)
        }
    }

    impl BufRead for Ending<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.asked.fetch_add(self.text.is_empty().into(), Relaxed);
            Ok(self.text)
        }

        fn consume(&mut self, bytes: usize) {
            self.text.consume(bytes);
        }
    }

    #[test]
    fn an_input_that_has_ended_is_asked_once() {
        for text in ["go nodes 20000\nwait", "go nodes 20000\n", "go infinite", "isready", ""] {
            let asked = AtomicUsize::new(0);
            let mut output = Vec::new();
            run(Ending { text: text.as_bytes(), asked: &asked }, &mut output).unwrap();
            // Once more to see that the last line has no end.
            let most = if text.ends_with('\n') || text.is_empty() { 1 } else { 2 };
            let asked = asked.into_inner();
            assert!((1..=most).contains(&asked), "{text}: {asked} times");
            let said = String::from_utf8(output).unwrap();
            assert_eq!(said.contains("bestmove"), text.contains("go"), "{text}: {said}");
        }
    }

    /// Fails at the first report of a search, and says so.
    struct Closed(Sender<()>);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(());
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Nothing comes, and at last the end.
    struct Silent(Receiver<()>);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    #[test]
    fn without_a_reader_the_session_ends_and_not_the_search() {
        let (silence, silent) = unbounded();
        let (closed, is_closed) = unbounded();
        let (result, ended) = unbounded();
        std::thread::spawn(move || {
            let input = io::BufReader::new(b"go infinite\n".chain(Silent(silent)));
            let _ = result.send(run(input, Closed(closed)).map_err(|error| error.kind()));
        });
        let long = Duration::from_secs(60);
        is_closed.recv_timeout(long).expect("a search reports");
        drop(silence);
        assert_eq!(ended.recv_timeout(long), Ok(Err(io::ErrorKind::BrokenPipe)));
    }
}
