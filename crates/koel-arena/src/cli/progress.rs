//! The progress of a command: a bar on a terminal, otherwise a line now and then.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use koel_files::print_line;

/// Time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// A progress display on the standard error stream if that is a terminal, otherwise lines on the
/// standard output.
pub struct ProgressDisplay {
    bar: Option<ProgressBar>,
    total: u64,
    last_line: Cell<Option<Instant>>,
}

impl ProgressDisplay {
    /// Returns a display of a task with this number of steps. One that may end long before makes no
    /// promise.
    pub fn new(total: u64, may_end_before: bool) -> ProgressDisplay {
        let style = match may_end_before {
            false => "{elapsed_precise} [{bar:30}] {pos}/{len} {eta} left  {msg}",
            true => "{elapsed_precise}  {pos} of at most {len}  {msg}",
        };
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        ProgressDisplay { bar, total, last_line: Cell::new(None) }
    }

    /// Returns true if there is a bar, on a terminal.
    pub fn is_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Shows the number of steps done and a message.
    pub fn show(&self, done: u64, message: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(message.to_owned());
            return;
        }
        let is_due = self.last_line.get().is_none_or(|last| last.elapsed() >= LINE_INTERVAL);
        if is_due || done == self.total {
            print_line!("{done}/{}  {message}", self.total);
            self.last_line.set(Some(Instant::now()));
        }
    }

    /// Prints a line above the bar.
    pub fn print(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => print_line!("{line}"),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
