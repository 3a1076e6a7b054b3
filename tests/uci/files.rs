//! Tests of names that are given for files and are none: pipes, devices and folders.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::time::Duration;

use crate::support::{Engine, SOON, Scratch, errors};

/// Returns the error that a line causes.
fn error(engine: &mut Engine, line: &str) -> String {
    engine.send(line);
    let lines = engine.finish();
    let errors = errors(&lines);
    assert_eq!(errors.len(), 1, "{line}: {lines:#?}");
    errors[0].to_owned()
}

#[test]
fn pipes_devices_and_folders_are_refused_at_once() {
    let pipe = Scratch::new("a pipe");
    let folder = Scratch::new("a folder");
    assert!(Command::new("mkfifo").arg(&pipe.0).status().unwrap().success());
    fs::create_dir(&folder.0).unwrap();
    let (pipe, folder_name) = (pipe.0.display().to_string(), folder.0.display().to_string());
    let mut engine = Engine::start();
    for command in [
        "setoption name EvalFile value",
        "setoption name Debug Log File value",
        "hash load",
        "genfens 1 seed 1 book",
    ] {
        for (name, found) in
            [("/dev/zero", "a device"), (pipe.as_str(), "a pipe"), (&folder_name, "a folder")]
        {
            if command.starts_with("genfens") && name.contains(' ') {
                continue;
            }
            let error = error(&mut engine, &format!("{command} {name}"));
            let expected = format!("expected a regular file, found {found}");
            assert!(error.contains(&expected), "{command} {name}: {error}");
        }
    }
    for name in ["/dev/zero", &pipe] {
        error(&mut engine, &format!("setoption name SyzygyPath value {name}"));
    }
    engine.send("go nodes 100\n");
    engine.receive_until("bestmove", SOON);
}

#[test]
fn the_debug_log_has_the_lines_that_come_with_its_option() {
    let file = Scratch::new("debug.log");
    fs::write(&file.0, "what was there before\n").unwrap();
    let mut engine = Engine::start();
    let path = file.0.display();
    engine.send(format!("setoption name Debug Log File value {path}\nuci\nisready\ngo nodes 100"));
    engine.receive_until("bestmove", SOON);
    engine.send("quit");
    assert!(engine.end_input().1.success());
    let log = String::from_utf8(file.bytes()).unwrap();
    assert!(log.starts_with("what was there before\n"), "{log}");
    for line in [">> uci", ">> isready", ">> go nodes 100", ">> quit", "<< uciok", "<< readyok"] {
        assert!(log.lines().any(|logged| logged.ends_with(line)), "{line}: {log}");
    }
}

/// A program that shares a pipe may have made it one that does not wait.
#[test]
fn an_input_that_does_not_wait_is_no_end() {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_koel"))
        .stdin(std::process::Stdio::from(std::os::fd::OwnedFd::from(theirs)))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = ours;
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    // The first line comes in two parts, and after the program has looked for it in vain.
    for (part, answer) in
        [("isrea", None), ("dy\n", Some("readyok")), ("isready\n", Some("readyok"))]
    {
        std::thread::sleep(Duration::from_millis(20));
        input.write_all(part.as_bytes()).unwrap();
        if let Some(answer) = answer {
            assert_eq!(output.next().unwrap().unwrap(), answer);
        }
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    let folder = fs::File::open("/").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_koel")).stdin(folder).output().unwrap();
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("koel: the input cannot be read: "), "{errors}");
}

#[test]
fn a_pipe_among_endgame_tables_is_passed_over() {
    let folder = Scratch::new("tables");
    fs::create_dir(&folder.0).unwrap();
    let pipe = folder.0.join("KQvK.rtbw");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::start();
    let path = folder.0.display();
    let error = error(&mut engine, &format!("setoption name SyzygyPath value {path}"));
    assert!(error.contains("no endgame tables"), "{error}");
    fs::remove_dir_all(folder.0.as_path()).unwrap();
}

#[test]
fn one_damaged_endgame_table_costs_no_other() {
    let folder = Scratch::new("some-tables");
    fs::create_dir(&folder.0).unwrap();
    for (name, size) in [("KQvK.rtbw", 80), ("KPPvK.rtbw", 5000), ("KRvK.rtbw", 0)] {
        fs::write(folder.0.join(name), vec![0; size]).unwrap();
    }
    let mut engine = Engine::start();
    let path = folder.0.display();
    engine.send(format!("setoption name SyzygyPath value {path}:{path}"));
    let lines = engine.finish();
    fs::remove_dir_all(folder.0.as_path()).unwrap();
    let mut damaged = errors(&lines);
    damaged.sort_unstable();
    damaged.dedup();
    let left_out = |name| format!("the endgame table {name} is left out: unexpected file size");
    assert_eq!(damaged, [left_out("KPPvK.rtbw"), left_out("KRvK.rtbw")]);
    let summary = "info string 1 endgame tables of up to 3 pieces".to_owned();
    assert!(lines.contains(&summary), "{lines:#?}");
}

#[test]
fn a_table_file_of_a_wrong_size_is_refused() {
    let file = Scratch::new("table.hash");
    let mut engine = Engine::start();
    let path = file.0.display().to_string();
    engine.send(format!("setoption name Hash value 1\nhash save {path}"));
    engine.finish();
    let bytes = file.bytes();
    for (bytes, expected) in [
        (&bytes[..bytes.len() - 8], "ends too early"),
        (&[&bytes[..], b"x"].concat(), "after its end"),
    ] {
        fs::write(&file.0, bytes).unwrap();
        let error = error(&mut engine, &format!("hash load {path}"));
        assert!(error.contains(expected), "{error}");
    }
}
