//! The progress of an analysis: a bar on the standard error stream if that is a terminal.

#[cfg(feature = "cli")]
use std::io::{self, IsTerminal};

#[cfg(feature = "cli")]
use indicatif::{ProgressBar, ProgressStyle};

/// A bar over all positions; without the feature `cli` there is none.
pub(crate) struct Progress {
    #[cfg(feature = "cli")]
    bar: ProgressBar,
}

#[cfg(feature = "cli")]
impl Progress {
    pub(crate) fn new(positions: u64) -> Progress {
        if !io::stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::new(positions);
        let style = "{elapsed_precise} [{bar:30}] {pos}/{len} positions, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress { bar }
    }

    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(not(feature = "cli"))]
impl Progress {
    pub(crate) fn new(_positions: u64) -> Progress {
        Progress {}
    }

    pub(crate) fn advance(&self) {}

    pub(crate) fn finish(&self) {}
}
