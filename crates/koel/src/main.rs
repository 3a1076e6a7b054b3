//! The program `koel`: a UCI engine with commands for the shell.

use std::process::ExitCode;

fn main() -> ExitCode {
    koel::run_command_line()
}
