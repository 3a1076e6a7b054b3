//! The UCI session: an event loop that never blocks on a job, except that it runs searches of a few
//! thousand nodes on its own thread.

pub(crate) mod command_error;
pub(crate) mod experiment;
mod handle_command;
pub(crate) mod hash_file;
mod input;
pub(crate) mod job;
pub(crate) mod options;
pub(crate) mod output_watch;
pub(crate) mod report;
mod san_input;
mod set_option;
pub(crate) mod terminal;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use crossbeam::channel::{Receiver, Sender, bounded, never, select, unbounded};
use koel_board::{CastlingNotation, Game};
use koel_engine::{Engine, Request, Syzygy};
use koel_search::STACK_BYTES;
use koel_uci::{Command, Options, PositionSetup, Reply};
use tracing::debug;

use crate::logging::DIALOGUE;
use crate::session::command_error::CommandError;
use crate::session::input::{Input, read_commands};
use crate::session::job::{Event, InputLine, Job};
use crate::session::options::Settings;
use crate::session::report::{ReportSettings, Reporter};
use crate::session::terminal::Terminal;

/// The largest number of commands that wait for the job. Nothing more is read then, so that an
/// endless input does not fill the memory.
const MAX_QUEUE: usize = 10_000;

/// Runs a UCI session until `quit` or the end of the input, which counts as `quit`.
///
/// A `go` that comes while a search with a limit or a perft is running waits for its end, with all
/// commands after it; `isready` and `stop` never wait. `quit` waits for the commands before it and
/// for a perft or a bench, and stops a search, which still prints its best move.
///
/// A FEN is read by the rule of [`koel_board::Position::from_faulty_fen`]. After a `position` that
/// still cannot be obeyed, `go` answers `bestmove 0000` until the next `position`: a move for
/// another position could be legal, and be played.
///
/// A `go` that comes while only `stop` or `ponderhit` could end the search ends it: each `go` is
/// answered by one `bestmove`.
///
/// Replies that belong together are written and flushed together. When the session ends otherwise
/// than by the end of its input, a thread may go on waiting for a line of it.
///
/// # Errors
/// The input cannot be read, the output cannot be written, or the system refuses memory or a
/// thread.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send) -> io::Result<()> {
    run_styled(input, output, None).map(drop)
}

/// Runs a session as [`run`], with output for people if there is a terminal. Returns true if all
/// commands were obeyed.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_styled(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send,
    terminal: Option<Terminal>,
) -> io::Result<bool> {
    let (sender, lines) = bounded(MAX_QUEUE);
    // Not a scoped thread: a session that ends does not wait for the end of its input.
    Builder::new().name("input".to_owned()).spawn(move || read_commands(input, &sender))?;
    let mut session = Session::new(Box::new(output), lines)?;
    session.terminal = terminal;
    std::thread::scope(|scope| {
        // This thread also runs short searches.
        let builder = Builder::new().name("session".to_owned()).stack_size(STACK_BYTES);
        let session = builder.spawn_scoped(scope, move || session.run())?;
        session.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The state of a session. The commands are in `handle_command.rs`.
pub(crate) struct Session<'o> {
    output: Box<dyn Write + Send + 'o>,
    /// The style of output for people; `None` is UCI.
    pub(crate) terminal: Option<Terminal>,
    buffer: String,
    lines: Receiver<Input>,
    pub(crate) events: Receiver<Event>,
    /// The sender of the job's events.
    pub(crate) sender: Sender<Event>,
    /// Lines that wait for the job, and what they are read as.
    queue: VecDeque<(String, InputLine)>,
    pub(crate) job: Option<Job>,
    pub(crate) engine: Engine,
    /// The reporter of the engine's searches, which it calls on their threads.
    reporter: Arc<Mutex<Reporter>>,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
    pub(crate) tablebases: Option<Arc<Syzygy>>,
    /// The `position` command that set up the game.
    pub(crate) setup: PositionSetup,
    pub(crate) game: Game,
    /// True if the last `position` could not be obeyed, so that there is nothing to search.
    pub(crate) has_no_position: bool,
    /// The value of `EvalFile` to which the evaluation in use belongs.
    pub(crate) evaluation_file: String,
    /// True if the evaluation was named in the output since it was chosen.
    pub(crate) is_evaluation_announced: bool,
    /// True if a command was not obeyed.
    has_failed: bool,
}

impl<'o> Session<'o> {
    fn new(output: Box<dyn Write + Send + 'o>, lines: Receiver<Input>) -> io::Result<Session<'o>> {
        let (sender, events) = unbounded();
        let settings = Settings::new();
        let reporter = Arc::new(Mutex::new(Reporter::new(sender.clone())));
        let receiver = Arc::clone(&reporter);
        let engine = Engine::new(move |event| lock(&receiver).handle(event))?;
        Ok(Session {
            output,
            terminal: None,
            buffer: String::new(),
            lines,
            events,
            engine,
            reporter,
            sender,
            queue: VecDeque::new(),
            job: None,
            options: options::declarations(),
            settings,
            tablebases: None,
            setup: PositionSetup::default(),
            game: Game::default(),
            has_no_position: false,
            evaluation_file: String::new(),
            is_evaluation_announced: false,
            has_failed: false,
        })
    }

    /// Runs until `quit`, then stops a search, which still prints its best move. Returns true if
    /// all commands were obeyed.
    fn run(mut self) -> io::Result<bool> {
        while self.handle_next()?.is_continue() {}
        self.stop();
        while let Some(Job::Search { .. }) = self.job
            && let Ok(event) = self.events.recv()
        {
            self.handle_event(event)?;
        }
        Ok(!self.has_failed)
    }

    /// Reports a command that is not obeyed.
    pub(crate) fn fail(&mut self, error: CommandError) -> io::Result<()> {
        self.has_failed = true;
        self.send(&error.reply()?)
    }

    /// Returns the notation of castling for moves that are printed. On a terminal, where they are
    /// read again as moves of SAN, it is the one that no other move can have.
    pub(crate) fn castling(&self) -> CastlingNotation {
        match self.terminal {
            Some(_) => CastlingNotation::Chess960,
            None => self.settings.castling(),
        }
    }

    /// Waits for an event or a line of input and handles it, then the queued commands that need not
    /// wait any longer. Breaks at `quit`.
    fn handle_next(&mut self) -> io::Result<ControlFlow<()>> {
        if let Ok(event) = self.events.try_recv() {
            self.handle_event(event)?;
        } else {
            let no_line = never();
            let lines = if self.queue.len() < MAX_QUEUE { &self.lines } else { &no_line };
            select! {
                recv(self.events) -> event => if let Ok(event) = event {
                    self.handle_event(event)?;
                },
                recv(lines) -> line => self.receive_line(line.ok())?,
            }
        }
        self.handle_queue()
    }

    fn handle_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Output(replies) => self.send_all(&replies),
            Event::Finished { replies, result } => self.finish_job(replies, result),
            Event::FileDone(outcome) => match self.finish_transfer(outcome) {
                Ok(()) => Ok(()),
                Err(error) => self.fail(error),
            },
        }
    }

    /// Queues a line of input; the end of the input is `quit`. `stop` takes effect at once, and
    /// stays in the queue to stop the searches that are queued before it.
    fn receive_line(&mut self, input: Option<Input>) -> io::Result<()> {
        let (text, line) = match input {
            Some(Input::Line(text, line)) => {
                debug!(target: DIALOGUE, ">> {text}");
                (text, line)
            }
            Some(Input::Failed(error)) => {
                let text = format!("the input cannot be read: {error}");
                return Err(io::Error::new(error.kind(), text));
            }
            None => {
                self.lines = never();
                (String::new(), Ok(Command::Quit))
            }
        };
        if matches!(line, Ok(Command::Stop)) {
            self.stop();
        }
        self.queue.push_back((text, line));
        Ok(())
    }

    /// Handles the queued commands that need not wait for the job. Breaks at `quit`.
    fn handle_queue(&mut self) -> io::Result<ControlFlow<()>> {
        while let Some((text, input)) = self.next_command() {
            match self.with_san(&text, input) {
                Ok(Ok(Command::Quit)) => return Ok(ControlFlow::Break(())),
                Ok(Ok(command)) => self.handle_command(command)?,
                Ok(Err(error)) => {
                    self.has_no_position |= error.is_of_position();
                    self.fail(error.into())?;
                }
                Err(error) => {
                    self.has_no_position = true;
                    self.fail(error)?;
                }
            }
            if self.queue.iter().any(|(_, input)| matches!(input, Ok(Command::Stop))) {
                self.stop();
            }
        }
        self.answer_ready()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Takes the next command from the queue, unless it has to wait for the job. A `go` ends a
    /// search that would not end by itself.
    fn next_command(&mut self) -> Option<(String, InputLine)> {
        let (_, next) = self.queue.front()?;
        if matches!(next, Ok(Command::Go(_))) && self.search_needs_stop() {
            self.stop();
        }
        let (_, next) = self.queue.front()?;
        let requires_idle = next.as_ref().is_ok_and(|command| self.requires_idle(command));
        let is_idle_in_vain = requires_idle && self.search_needs_stop();
        let delays = |job: &Job| job.delays(next, requires_idle && !is_idle_in_vain);
        if self.job.as_ref().is_some_and(delays) { None } else { self.queue.pop_front() }
    }

    /// Returns true if only the user can end the search and has not done so.
    fn search_needs_stop(&self) -> bool {
        matches!(self.job, Some(Job::Search { is_stopping: false })) && self.engine.needs_stop()
    }

    /// Answers `isready` behind a command that waits for a job; a job that is stopping ends at once
    /// by itself.
    fn answer_ready(&mut self) -> io::Result<()> {
        if self.job.as_ref().is_some_and(Job::is_stopping) {
            return Ok(());
        }
        let queued = self.queue.len();
        self.queue.retain(|(_, input)| !matches!(input, Ok(Command::IsReady)));
        (self.queue.len()..queued).try_for_each(|_| self.send(&Reply::ReadyOk))
    }

    /// Stops the job, if there is one. A file transfer goes on.
    pub(crate) fn stop(&mut self) {
        match &mut self.job {
            Some(Job::Search { is_stopping }) => {
                *is_stopping = true;
                self.engine.stop();
            }
            Some(Job::Background { stop }) => stop.store(true, Relaxed),
            Some(Job::File { .. }) | None => {}
        }
    }

    /// Tells the reporter of a running search the notation of castling.
    pub(crate) fn update_castling(&self) {
        lock(&self.reporter).set_castling(self.castling());
    }

    pub(crate) fn start_search(&mut self, request: Request, settings: ReportSettings) {
        lock(&self.reporter).start(settings);
        self.engine.go(request);
        self.job = Some(Job::Search { is_stopping: false });
    }

    /// Prints the last replies of a search or a background job, and its result.
    fn finish_job(
        &mut self,
        mut replies: Vec<Reply>,
        result: Result<Reply, CommandError>,
    ) -> io::Result<()> {
        replies.extend(self.damaged_tables());
        self.job = None;
        match result {
            Ok(last) => {
                replies.push(last);
                self.send_all(&replies)
            }
            Err(error) => {
                self.send_all(&replies)?;
                self.fail(error)
            }
        }
    }

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
            let _ = match &self.terminal {
                None => writeln!(self.buffer, "{reply}"),
                Some(terminal) => terminal
                    .render_reply(reply)
                    .map_or(Ok(()), |text| writeln!(self.buffer, "{text}")),
            };
        }
        self.output.write_all(self.buffer.as_bytes())?;
        self.output.flush()
    }

    pub(crate) fn send_lines(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.send(&Reply::Other(line.to_owned())))
    }
}

/// Locks even after a panic of another thread, which ends the process.
fn lock(reporter: &Mutex<Reporter>) -> MutexGuard<'_, Reporter> {
    reporter.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Read;
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::session::job::UseFile;

    /// The output of a session, for a test.
    #[derive(Clone, Default)]
    pub(crate) struct TestOutput(Arc<Mutex<Vec<u8>>>);

    impl TestOutput {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for TestOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(crate) fn test_session() -> (Session<'static>, TestOutput) {
        let output = TestOutput::default();
        (Session::new(Box::new(output.clone()), never()).unwrap(), output)
    }

    /// A session with a transfer that ends when the returned sender is dropped.
    fn session_during_a_transfer(
        outlasts_quit: bool,
    ) -> (Session<'static>, TestOutput, Sender<()>) {
        let (mut session, output) = test_session();
        let (release, released) = unbounded::<()>();
        let transfer = move || -> Result<UseFile, _> {
            let _ = released.recv();
            Ok(Box::new(|_| Ok("done".to_owned())))
        };
        session.transfer_file(outlasts_quit, transfer).unwrap();
        (session, output, release)
    }

    /// Handles a line of input. Returns true if the session goes on.
    fn goes_on_after(session: &mut Session<'_>, line: &str) -> bool {
        session.receive_line(Some(Input::Line(line.to_owned(), line.parse()))).unwrap();
        session.handle_queue().unwrap().is_continue()
    }

    #[test]
    fn a_transfer_delays_all_but_isready_stop_and_quit() {
        let (mut session, output, release) = session_during_a_transfer(false);
        for line in ["isready", "stop", "isready", "go nodes 100", "what", "isready"] {
            assert!(goes_on_after(&mut session, line));
        }
        assert_eq!(output.text(), "readyok\n".repeat(3));
        drop(release);
        while !output.text().contains("bestmove") {
            assert!(session.handle_next().unwrap().is_continue());
        }
        let output = output.text();
        let (_, after) = output.split_once("info string done\n").expect("the transfer ends");
        assert!(after.contains("unknown command") && after.contains("info depth 1 "), "{output}");
    }

    #[test]
    fn quit_waits_for_a_transfer_only_if_a_file_is_written() {
        let (mut session, _, _release) = session_during_a_transfer(false);
        assert!(goes_on_after(&mut session, "stop"));
        assert!(!goes_on_after(&mut session, "quit"));
        let (mut session, output, release) = session_during_a_transfer(true);
        assert!(goes_on_after(&mut session, "quit"));
        drop(release);
        assert!(session.handle_next().unwrap().is_break());
        assert_eq!(output.text(), "info string done\n");
    }

    #[test]
    fn a_full_queue_delays_reading() {
        let (mut session, _, release) = session_during_a_transfer(true);
        let (sender, lines) = unbounded();
        session.lines = lines;
        for _ in 0..MAX_QUEUE + 5 {
            sender.send(Input::Line("ponderhit".to_owned(), "ponderhit".parse())).unwrap();
        }
        for _ in 0..MAX_QUEUE {
            assert!(session.handle_next().unwrap().is_continue());
        }
        assert_eq!((session.queue.len(), session.lines.len()), (MAX_QUEUE, 5));
        drop(release);
        assert!(session.handle_next().unwrap().is_continue());
        assert_eq!((session.queue.len(), session.lines.len()), (0, 5));
    }

    struct ClosedOutput;

    impl Write for ClosedOutput {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An input that stays silent for ever.
    struct SilentInput(Receiver<()>);

    impl Read for SilentInput {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    #[test]
    fn the_session_ends_when_its_output_cannot_be_written_though_its_input_goes_on() {
        let (_silence, silent) = unbounded();
        let (result, ended) = unbounded();
        std::thread::spawn(move || {
            let input = io::BufReader::new(b"go infinite\n".chain(SilentInput(silent)));
            let _ = result.send(run(input, ClosedOutput).map_err(|error| error.kind()));
        });
        let ended = ended.recv_timeout(Duration::from_secs(60));
        assert_eq!(ended, Ok(Err(io::ErrorKind::BrokenPipe)));
    }
}
