//! Tests of names that are given for files and are none: pipes, devices and folders.

#![cfg(unix)]

use std::fs;
use std::process::Command;

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
    for command in ["setoption name EvalFile value", "hash load", "genfens 1 seed 1 book"] {
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
    fs::remove_dir(folder.0.as_path()).unwrap();
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
