//! The program `koel`: a UCI engine, and its one-shot commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    koel::start()
}
