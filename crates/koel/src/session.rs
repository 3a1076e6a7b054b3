//! The UCI session: an event loop that never blocks on a job, except that it runs searches of a few
//! thousand nodes on its own thread.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::Builder;
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, unbounded};
use koel_board::Game;
use koel_uci::{Command, Options, PositionSetup, Reply};
use tracing::debug;

use crate::command_reader::{CommandReader, InputSource, forward_commands};
use crate::event::{Event, InputLine};
use crate::lag::LagMeter;
use crate::logging::DIALOGUE;
use crate::options::{self, Settings};
use crate::pool::{Pool, STACK_BYTES};
use crate::running_job::RunningJob;
use crate::terminal::Terminal;

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
    run_styled(input, output, None)
}

/// Runs a session as [`run`], with output for people if there is a terminal.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_styled(
    input: impl BufRead + Send,
    output: impl Write + Send,
    terminal: Option<Terminal>,
) -> io::Result<()> {
    let reader = Mutex::new(CommandReader::new(input));
    let (sender, events) = unbounded();
    let (requests, requested) = unbounded();
    let mut session = Session::new(output, events, sender.clone())?;
    session.terminal = terminal;
    std::thread::scope(|scope| {
        let input_source = InputSource::new(&reader, requests);
        // This thread also runs short searches.
        let builder = Builder::new().name("session".to_owned()).stack_size(STACK_BYTES);
        let session = builder.spawn_scoped(scope, move || session.run(input_source))?;
        forward_commands(&reader, &requested, &sender);
        session.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The state of a session. The commands are in `handle_command.rs`.
pub(crate) struct Session<W> {
    output: W,
    /// The style of output for people; `None` is UCI.
    pub(crate) terminal: Option<Terminal>,
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
    pub(crate) lag_meter: LagMeter,
}

impl<W: Write> Session<W> {
    fn new(output: W, events: Receiver<Event>, sender: Sender<Event>) -> io::Result<Session<W>> {
        Ok(Session {
            output,
            terminal: None,
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
            lag_meter: LagMeter::default(),
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
        while self.job.as_ref().is_some_and(|job| job.transfer.is_none())
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
            Event::FileTransferred => {
                if let Err(error) = self.finish_transfer() {
                    self.send(&error.reply()?)?;
                }
            }
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

    /// Stops the running job, if there is one. A file transfer goes on.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        let Some(job) = self.job.as_mut().filter(|job| job.transfer.is_none()) else {
            return Ok(());
        };
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
        self.send_all(&replies)?;
        self.lag_meter.finish(Instant::now());
        Ok(())
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
            let _ = match self.terminal {
                None => writeln!(self.buffer, "{reply}"),
                Some(_) => Terminal::render_reply(reply)
                    .map_or(Ok(()), |text| writeln!(self.buffer, "{text}")),
            };
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
    use crate::transferred::Transferred;

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

    /// A session with a transfer that ends when the returned sender is dropped.
    fn session_during_a_transfer(outlasts_quit: bool) -> (Session<Vec<u8>>, Sender<()>) {
        let (sender, events) = unbounded();
        let mut session = Session::new(Vec::new(), events, sender).unwrap();
        let (release, released) = unbounded::<()>();
        let transfer = move || {
            let _ = released.recv();
            Ok(Transferred::Saved { message: "done".to_owned() })
        };
        session.transfer_file(outlasts_quit, transfer).unwrap();
        (session, release)
    }

    /// Handles a line of input. Returns true if the session goes on.
    fn goes_on_after(session: &mut Session<Vec<u8>>, line: &str) -> bool {
        session.handle_event(Event::Input(line.parse())).unwrap().is_continue()
    }

    #[test]
    fn a_transfer_delays_all_but_isready_stop_and_quit() {
        let (mut session, release) = session_during_a_transfer(false);
        for line in ["isready", "stop", "isready", "go nodes 100", "what", "isready"] {
            assert!(goes_on_after(&mut session, line));
        }
        assert_eq!(String::from_utf8_lossy(&session.output), "readyok\n".repeat(3));
        drop(release);
        while !String::from_utf8_lossy(&session.output).contains("bestmove") {
            let event = session.events.recv().unwrap();
            assert!(session.handle_event(event).unwrap().is_continue());
        }
        let output = String::from_utf8_lossy(&session.output).into_owned();
        let (_, after) = output.split_once("info string done\n").expect("the transfer ends");
        assert!(after.contains("unknown command") && after.contains("info depth 1 "), "{output}");
    }

    #[test]
    fn quit_waits_for_a_transfer_only_if_a_file_is_written() {
        let (mut session, _release) = session_during_a_transfer(false);
        assert!(goes_on_after(&mut session, "stop"));
        assert!(!goes_on_after(&mut session, "quit"));
        let (mut session, release) = session_during_a_transfer(true);
        assert!(goes_on_after(&mut session, "quit"));
        drop(release);
        let event = session.events.recv().unwrap();
        assert!(session.handle_event(event).unwrap().is_break());
        assert_eq!(String::from_utf8_lossy(&session.output), "info string done\n");
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
