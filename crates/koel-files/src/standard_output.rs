//! Lines on the standard output, whose reader may be gone.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::process;

/// Prints a line to the standard output, as `println!` does, but ends the process with status 1
/// where `println!` panics: without a word if the reader is gone (`| head`), otherwise with the
/// error.
///
/// For programs whose files are complete at any time, as after an interrupt.
#[macro_export]
macro_rules! print_line {
    ($($argument:tt)*) => { $crate::print_arguments(format_args!($($argument)*)) };
}

/// Prints a line, for [`print_line!`](crate::print_line).
#[doc(hidden)]
pub fn print_arguments(line: Arguments<'_>) {
    let Err(error) = writeln!(io::stdout(), "{line}") else { return };
    if error.kind() != ErrorKind::BrokenPipe {
        let _ = writeln!(io::stderr(), "error: standard output: {error}");
    }
    process::exit(1);
}
