//! The program `koel-train`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    koel_train::run_command_line()
}
