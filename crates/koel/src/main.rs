//! The program `koel`: a UCI engine with commands for the shell.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

use std::process::ExitCode;

fn main() -> ExitCode {
    koel::run_command_line()
}
