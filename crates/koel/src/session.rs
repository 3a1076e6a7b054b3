//! The UCI session: an event loop that never blocks on a job, except that it runs searches of a few
//! thousand nodes on its own thread.

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

use crate::command_reader::{CommandReader, forward_commands, lock_reader};
use crate::event::{Event, InputLine};
use crate::logging::DIALOGUE;
use crate::options::{self, Settings};
use crate::pool::{Pool, STACK_BYTES};

/// The largest number of commands that wait for the running job. Nothing more is read then, so that
/// an endless input does not fill the memory.
const MAX_QUEUE: usize = 10_000;

/// Runs a UCI session until `quit` or the end of the input, which counts as `quit`.
///
/// A `go` that comes while a search with a limit or a perft is running waits for its end, with all
/// commands after it; `isready` and `stop` never wait. `quit` waits for the commands before it and for
/// a perft or a bench, and stops a search, which still prints its best move.
///
/// Replies that belong together are written and flushed together.
///
/// # Errors
/// The output cannot be written, or the system refuses memory or a thread.
pub fn run(input: impl BufRead + Send, output: impl Write + Send) -> io::Result<()> {
    let reader = Mutex::new(CommandReader::new(input));
    let (sender, events) = unbounded();
    let (requests, requested) = unbounded();
    let session = Session::new(output, events, sender.clone())?;
    std::thread::scope(|scope| {
        let input_source =
            InputSource { reader: &reader, requests, is_read_pending: false, has_ended: false };
        // This thread also runs short searches.
        let builder = Builder::new().name("session".to_owned()).stack_size(STACK_BYTES);
        let session = builder.spawn_scoped(scope, move || session.run(input_source))?;
        forward_commands(&reader, &requested, &sender);
        session.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The source of the session's input: the reader, or the caller's thread that reads on request.
struct InputSource<'r, R> {
    reader: &'r Mutex<CommandReader<R>>,
    requests: Sender<()>,
    /// True while a command requested from the other thread has not arrived.
    is_read_pending: bool,
    /// True after `quit` or the end of the input, beyond which nothing is read.
    has_ended: bool,
}

impl<R: BufRead> InputSource<'_, R> {
    /// Waits for the next event. While no job is running, the next event can only be a command, and
    /// it is read on this thread; while one is, the other thread reads and this one waits for both.
    fn next(&mut self, events: &Receiver<Event>, has_job: bool, queued: usize) -> Option<Event> {
        if let Ok(event) = events.try_recv() {
            return Some(self.track(event));
        }
        let cannot_read = self.is_read_pending || self.has_ended || queued >= MAX_QUEUE;
        if !cannot_read && !has_job {
            let input = lock_reader(self.reader).read_command();
            return Some(self.track(Event::Input(input)));
        }
        if !cannot_read {
            self.is_read_pending = self.requests.send(()).is_ok();
        }
        events.recv().ok().map(|event| self.track(event))
    }

    /// Keeps track of pending reads and of the end of the input.
    fn track(&mut self, event: Event) -> Event {
        self.is_read_pending &= !matches!(event, Event::Input(_));
        self.has_ended |= matches!(event, Event::Input(Ok(Command::Quit)));
        event
    }
}

/// The state of a session. The commands are in `handle_command.rs`.
pub(crate) struct Session<W> {
    output: W,
    /// The buffer in which replies are formatted.
    buffer: String,
    events: Receiver<Event>,
    pub(crate) sender: Sender<Event>,
    /// Commands that wait for the running job.
    queue: VecDeque<InputLine>,
    pub(crate) job: Option<RunningJob>,
    pub(crate) pool: Pool,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
    /// The `position` command that set up the game.
    pub(crate) setup: PositionSetup,
    pub(crate) game: Game,
    /// The number of `ucinewgame` commands so far.
    pub(crate) games_started: u64,
}

/// The state of a running search or background job.
#[derive(Debug, Default)]
pub(crate) struct RunningJob {
    /// True if no best move may be printed before `stop`, as in `go infinite`.
    pub(crate) is_infinite: bool,
    /// True if no best move may be printed before `stop` or `ponderhit`.
    pub(crate) is_pondering: Arc<AtomicBool>,
    /// The stop flag of a background job.
    pub(crate) stop: Arc<AtomicBool>,
    /// True after `stop`.
    pub(crate) is_stopping: bool,
    /// True after `wait`: all following commands wait.
    pub(crate) is_waited_for: bool,
    /// True if `quit` waits for the end of the job, as it does for a perft.
    pub(crate) outlasts_quit: bool,
    /// The result, while it may not be printed yet.
    pub(crate) held_result: Option<Reply>,
}

impl RunningJob {
    /// Returns true if a command has to wait for the end of the job. While only the user can end it,
    /// a command that requires an idle engine does not wait: it is refused.
    fn delays(&self, input: &InputLine, requires_idle: bool) -> bool {
        let delays_quit = self.outlasts_quit && matches!(input, Ok(Command::Quit));
        self.is_waited_for || delays_quit || (requires_idle && !self.needs_stop())
    }

    /// Returns true if only the user can end the job and has not done so.
    pub(crate) fn needs_stop(&self) -> bool {
        !self.is_stopping && (self.is_infinite || self.is_pondering.load(Relaxed))
    }
}

impl<W: Write> Session<W> {
    fn new(output: W, events: Receiver<Event>, sender: Sender<Event>) -> io::Result<Session<W>> {
        Ok(Session {
            output,
            buffer: String::new(),
            events,
            pool: Pool::new(options::HASH_DEFAULT as usize, sender.clone())?,
            sender,
            queue: VecDeque::new(),
            job: None,
            options: options::declarations(),
            settings: Settings::default(),
            setup: PositionSetup::default(),
            game: Game::default(),
            games_started: 0,
        })
    }

    fn run(mut self, mut input_source: InputSource<'_, impl BufRead>) -> io::Result<()> {
        while let Some(event) =
            input_source.next(&self.events, self.job.is_some(), self.queue.len())
        {
            if self.handle_event(event)?.is_break() {
                break;
            }
        }
        self.stop()?;
        // Commands after `quit` are ignored.
        self.queue.clear();
        while self.job.is_some()
            && let Ok(event) = self.events.recv()
        {
            let _ = self.handle_event(event)?;
        }
        Ok(())
    }

    /// Handles an event, then the queued commands that need not wait any longer.
    fn handle_event(&mut self, event: Event) -> io::Result<ControlFlow<()>> {
        match event {
            Event::Input(input) => self.receive_input(input)?,
            Event::Output(replies) => self.send_all(&replies)?,
            Event::Finished { replies, result } => self.finish_job(replies, result)?,
        }
        while let Some(input) = self.next_command() {
            match input {
                Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
                Ok(command) => self.handle_command(command)?,
                Err(error) => self.send(&Reply::error(error))?,
            }
            if self.has_queued_stop() {
                self.stop()?;
            }
        }
        self.answer_ready()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Queues a command. `stop` takes effect at once, and stays in the queue to stop the searches
    /// that are queued before it.
    fn receive_input(&mut self, input: InputLine) -> io::Result<()> {
        if matches!(input, Ok(Command::Stop)) {
            self.stop()?;
        }
        self.queue.push_back(input);
        Ok(())
    }

    /// Takes the next command from the queue, unless it has to wait for the running job.
    fn next_command(&mut self) -> Option<InputLine> {
        let next = self.queue.front()?;
        let requires_idle = next.as_ref().is_ok_and(|command| self.requires_idle(command));
        let must_wait = self.job.as_ref().is_some_and(|job| job.delays(next, requires_idle));
        if must_wait { None } else { self.queue.pop_front() }
    }

    /// Answers `isready` behind a command that waits for a job; a job that is stopping ends at once
    /// by itself.
    fn answer_ready(&mut self) -> io::Result<()> {
        if self.job.as_ref().is_some_and(|job| job.is_stopping) {
            return Ok(());
        }
        let queued = self.queue.len();
        self.queue.retain(|input| !matches!(input, Ok(Command::IsReady)));
        (self.queue.len()..queued).try_for_each(|_| self.send(&Reply::ReadyOk))
    }

    /// Returns true if a `stop` is in the queue.
    fn has_queued_stop(&self) -> bool {
        self.queue.iter().any(|input| matches!(input, Ok(Command::Stop)))
    }

    /// Stops the running job, if there is one.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        let Some(job) = &mut self.job else { return Ok(()) };
        job.is_stopping = true;
        job.stop.store(true, Relaxed);
        self.pool.stop();
        self.release_result()
    }

    /// Handles `ponderhit`: the opponent has played the expected move, and our clock is running.
    pub(crate) fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(job) = &mut self.job else { return Ok(()) };
        job.is_pondering.store(false, Relaxed);
        self.release_result()
    }

    /// Prints the last replies of a job, and its result unless that must be held back.
    fn finish_job(&mut self, mut replies: Vec<Reply>, result: Reply) -> io::Result<()> {
        if let Some(job) = &mut self.job {
            job.held_result = Some(result);
        }
        replies.extend(self.damaged_tables());
        replies.extend(self.take_result());
        self.send_all(&replies)
    }

    /// Prints the held result, if it may be printed.
    fn release_result(&mut self) -> io::Result<()> {
        let result = self.take_result();
        self.send_all(result.as_slice())
    }

    /// Takes the held result, if it may be printed. This ends the job.
    fn take_result(&mut self) -> Option<Reply> {
        let result = self.job.as_mut().filter(|job| !job.needs_stop())?.held_result.take()?;
        self.job = None;
        Some(result)
    }

    /// Prints a reply.
    pub(crate) fn send(&mut self, reply: &Reply) -> io::Result<()> {
        self.send_all(std::slice::from_ref(reply))
    }

    /// Prints replies with a single write, since each write wakes the reader.
    fn send_all(&mut self, replies: &[Reply]) -> io::Result<()> {
        if replies.is_empty() {
            return Ok(());
        }
        self.buffer.clear();
        for reply in replies {
            debug!(target: DIALOGUE, "<< {reply}");
            // Writing to a `String` cannot fail.
            let _ = writeln!(self.buffer, "{reply}");
        }
        self.output.write_all(self.buffer.as_bytes())?;
        self.output.flush()
    }

    /// Prints each line of a text.
    pub(crate) fn send_lines(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.send(&Reply::Other(line.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    /// An input that counts the reads after its end.
    struct EndingInput<'t> {
        text: &'t [u8],
        reads_at_end: &'t AtomicUsize,
    }

    impl Read for EndingInput<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.text.read(buffer)
        }
    }

    impl BufRead for EndingInput<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.reads_at_end.fetch_add(self.text.is_empty().into(), Relaxed);
            Ok(self.text)
        }

        fn consume(&mut self, bytes: usize) {
            self.text.consume(bytes);
        }
    }

    #[test]
    fn an_input_that_has_ended_is_read_once() {
        for text in ["go nodes 20000\nwait", "go nodes 20000\n", "go infinite", "isready", ""] {
            let reads_at_end = AtomicUsize::new(0);
            let mut output = Vec::new();
            run(EndingInput { text: text.as_bytes(), reads_at_end: &reads_at_end }, &mut output)
                .unwrap();
            // One more read shows that the last line has no line end.
            let max_reads = if text.ends_with('\n') || text.is_empty() { 1 } else { 2 };
            let reads_at_end = reads_at_end.into_inner();
            assert!((1..=max_reads).contains(&reads_at_end), "{text}: read {reads_at_end} times");
            let output = String::from_utf8(output).unwrap();
            assert_eq!(output.contains("bestmove"), text.contains("go"), "{text}: {output}");
        }
    }

    /// An output that fails at the first write and signals it.
    struct ClosedOutput(Sender<()>);

    impl Write for ClosedOutput {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(());
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An input that stays silent until its channel is closed, and then ends.
    struct SilentInput(Receiver<()>);

    impl Read for SilentInput {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    #[test]
    fn the_session_ends_when_its_output_is_closed_during_a_search() {
        let (silence, silent) = unbounded();
        let (closed, is_closed) = unbounded();
        let (result, ended) = unbounded();
        std::thread::spawn(move || {
            let input = io::BufReader::new(b"go infinite\n".chain(SilentInput(silent)));
            let _ = result.send(run(input, ClosedOutput(closed)).map_err(|error| error.kind()));
        });
        let long = Duration::from_secs(60);
        is_closed.recv_timeout(long).expect("a search reports");
        drop(silence);
        assert_eq!(ended.recv_timeout(long), Ok(Err(io::ErrorKind::BrokenPipe)));
    }
}
