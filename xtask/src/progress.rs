//! How a long run is getting on: a bar on a terminal, else a plain line now and then.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    shown: Cell<Option<Instant>>,
}

impl Progress {
    pub(crate) fn new(total: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let style = "{elapsed_precise} [{bar:30}] {pos}/{len} {eta} left  {msg}";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        Progress { bar, total, shown: Cell::new(None) }
    }

    pub(crate) fn show(&self, done: u64, message: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(message.to_owned());
            return;
        }
        let is_due = self.shown.get().is_none_or(|shown| shown.elapsed() >= PAUSE);
        if is_due || done == self.total {
            println!("{done}/{}  {message}", self.total);
            self.shown.set(Some(Instant::now()));
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
