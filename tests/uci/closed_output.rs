//! Tests of a reader that goes away while the input stays open, as when a GUI crashes whose other
//! children hold the pipe.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::SOON;

/// Starts the program, sends a line, closes the output and returns the time until the process has
/// ended, which it must do without a message.
fn time_to_end(line: &str) -> Duration {
    let mut child = Command::new(env!("CARGO_BIN_EXE_koel"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    write!(input, "isready\n{line}\n").unwrap();
    let mut reply = String::new();
    output.read_line(&mut reply).unwrap();
    assert_eq!(reply, "readyok\n");
    drop(output);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < SOON, "{line}: the engine runs on without a reader");
        thread::sleep(Duration::from_millis(2));
    };
    let mut messages = String::new();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert!(status.success() && messages.is_empty(), "{line}: {status}, {messages}");
    start.elapsed()
}

const LINES: [&str; 6] =
    ["", "go infinite", "go ponder wtime 1000", "go perft 12", "uci", "position startpos"];

#[test]
fn the_process_ends_without_a_reader_of_its_output() {
    for line in LINES {
        time_to_end(line);
    }
}

#[test]
#[ignore = "measures wall time"]
fn wall_time_of_the_end_without_a_reader() {
    for line in LINES {
        let time = time_to_end(line);
        println!("{line}: {time:?}");
        assert!(time < Duration::from_secs(2), "{line}: {time:?}");
    }
}

#[test]
fn a_script_that_is_cut_off_prints_no_message() {
    for arguments in [&["bench", "3"][..], &["go", "depth", "12"], &["perft", "5"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_koel"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(!messages.contains("ipe") && !messages.contains("panicked"), "{messages}");
    }
}
