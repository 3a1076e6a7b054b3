//! Tests of the hash table: sizes, files, and changes between searches.

use std::time::Duration;

use koel_random::Rng;

use crate::support::{Engine, SOON, Scratch, best_move, dialogue, errors};

#[test]
fn a_saved_table_speeds_up_the_next_search() {
    let file = Scratch::new("saved");
    let path = file.0.display();
    let nodes = |lines: &[String]| {
        let last = lines.iter().rfind(|line| line.starts_with("info depth 9")).unwrap();
        let count = last.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
        count.unwrap().parse::<u64>().unwrap()
    };
    let first = dialogue(format!("go depth 9\nwait\nhash save {path}\n"));
    assert!(first.last().unwrap().contains("of 16 MiB was saved to"), "{first:#?}");
    let second =
        dialogue(format!("setoption name Hash value 1\nhash load {path}\ngo depth 9\nwait\n"));
    assert!(second[0].contains("of 16 MiB was loaded from"), "{second:#?}");
    let (first, second) = (nodes(&first), nodes(&second));
    assert!(second < first / 2, "{second} nodes with the old table, {first} without");
}

#[test]
fn a_table_of_other_rules_is_refused() {
    let file = Scratch::new("rules");
    let path = file.0.display();
    let rules = "setoption name Path Dependence value trust\n";
    dialogue(format!("setoption name Hash value 1\n{rules}go depth 3\nwait\nhash save {path}\n"));
    let load = format!("hash load {path}\nwait\n");
    assert_eq!(errors(&dialogue(&load)).len(), 1);
    assert!(errors(&dialogue(format!("{rules}{load}"))).is_empty());
}

#[test]
fn a_file_that_is_no_table_is_refused_and_the_old_table_kept() {
    let (file, wrong) = (Scratch::new("right"), Scratch::new("wrong"));
    let path = file.0.display();
    dialogue(format!("setoption name Hash value 1\ngo depth 5\nwait\nhash save {path}\n"));
    let right = file.bytes();
    let mut damaged = right.clone();
    damaged[5000] ^= 1;
    for (bytes, reason) in [
        (&b""[..], "ends too early"),
        (b"no table at all", "ends too early"),
        (b"no table at all, but longer", "not a transposition table"),
        (&right[..right.len() / 2], "ends too early"),
        (&damaged, "damaged"),
    ] {
        std::fs::write(&wrong.0, bytes).unwrap();
        let kept = Scratch::new("kept");
        let lines = dialogue(format!(
            "hash load {path}\nhash load {}\nhash save {}\n",
            wrong.0.display(),
            kept.0.display()
        ));
        assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
        assert!(errors(&lines)[0].contains(reason), "{reason} in {lines:#?}");
        assert!(kept.bytes() == right);
    }
    for (bad, reason) in [
        ("hash load /nowhere/at/all", "No such file"),
        ("hash save /nowhere/at/all", "No such file"),
        ("hash save", "hash: expected"),
        ("hash", "hash: expected"),
    ] {
        let lines = dialogue(format!("{bad}\nwait\n"));
        assert_eq!(errors(&lines).len(), 1, "{bad}: {lines:#?}");
        assert!(errors(&lines)[0].contains(reason), "{reason} in {lines:#?}");
    }
}

/// Returns the answers of the real program.
fn answers(engine: &mut Engine, text: &str) -> Vec<String> {
    engine.send(text);
    engine.finish()
}

#[test]
fn buttons_save_and_load_the_file_of_the_option() {
    let (file, wrong, kept) = (Scratch::new("button"), Scratch::new("bad"), Scratch::new("then"));
    let mut engine = Engine::start();
    for button in ["Save Hash", "Load Hash"] {
        let replies = answers(&mut engine, &format!("setoption name {button}"));
        assert!(errors(&replies)[0].contains("`Hash File`"), "{replies:#?}");
    }
    engine.send("setoption name Hash value 1\ngo depth 6");
    engine.receive_until("bestmove", SOON);
    let option = |file: &Scratch| format!("setoption name Hash File value {}", file.0.display());
    let replies =
        answers(&mut engine, &format!("{}\nsetoption name Save Hash value", option(&file)));
    assert!(replies.len() == 1 && replies[0].contains("of 1 MiB was saved to"), "{replies:#?}");
    let right = file.bytes();

    // Another engine loads the file.
    let mut engine = Engine::start();
    let replies = answers(&mut engine, &format!("{}\nsetoption name Load Hash", option(&file)));
    assert!(replies.len() == 1 && replies[0].contains("of 1 MiB was loaded from"), "{replies:#?}");
    let mut damaged = right.clone();
    damaged[9000] ^= 4;
    let longer = [&right[..], b"more"].concat();
    for bytes in [&right[..right.len() - 1], &right[..40], &damaged, &longer, b"", b"[koel]"] {
        std::fs::write(&wrong.0, bytes).unwrap();
        let replies =
            answers(&mut engine, &format!("{}\nsetoption name Load Hash", option(&wrong)));
        assert_eq!(errors(&replies).len(), 1, "{replies:#?}");
        assert!(errors(&replies)[0].contains("the old table is kept"), "{replies:#?}");
        answers(&mut engine, &format!("{}\nsetoption name Save Hash", option(&kept)));
        assert!(kept.bytes() == right, "the table is as it was");
    }
    let replies =
        answers(&mut engine, "setoption name Hash File value /nowhere/x\nsetoption name Load Hash");
    assert!(errors(&replies)[0].contains("No such file"), "{replies:#?}");
    let replies = answers(&mut engine, "go infinite\nsetoption name Save Hash");
    assert!(errors(&replies)[0].contains("not possible during a search"), "{replies:#?}");
}

#[test]
fn only_a_table_is_replaced_by_a_table() {
    let file = Scratch::new("letter.txt");
    let path = file.0.display();
    for content in ["Dear Sir,\n", "a", "[Event \"?\"]\n\n1. e4 e5 *\n"] {
        std::fs::write(&file.0, content).unwrap();
        for save in [
            format!("hash save {path}\n"),
            format!("setoption name Hash File value {path}\nsetoption name Save Hash\n"),
        ] {
            let lines = dialogue(format!("setoption name Hash value 1\n{save}"));
            assert!(errors(&lines)[0].contains("something else than a hash table"), "{lines:#?}");
            assert_eq!(file.bytes(), content.as_bytes());
        }
    }
    // An empty file and an older table are replaced.
    std::fs::write(&file.0, "").unwrap();
    for _ in 0..2 {
        let lines = dialogue(format!("setoption name Hash value 1\nhash save {path}\n"));
        assert!(errors(&lines).is_empty(), "{lines:#?}");
        assert!(file.bytes().len() > 1 << 20);
    }
}

#[test]
fn no_file_is_read_or_written_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite\nhash save /nowhere/at/all");
    let replies = engine.receive_until("info string error", SOON);
    assert!(replies.last().unwrap().contains("not possible during a search"));
    engine.send("stop");
    engine.receive_until("bestmove", SOON);
}

#[test]
fn any_size_works() {
    for mebibytes in [1, 7, 33] {
        let lines = dialogue(format!(
            "setoption name Hash value {mebibytes}\ngo depth 6\nwait\nhash save /nowhere/at/all\n"
        ));
        assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
        best_move(&lines[..lines.len() - 1]);
    }
}

/// Returns the memory that the engine finds available, in MiB, from its refusal of a huge table.
#[cfg(target_os = "linux")]
fn available_mebibytes() -> usize {
    let lines = dialogue("setoption name Hash value 33554432\n");
    let (_, rest) = errors(&lines)[0].split_once(", only for ").unwrap();
    let offered = rest.split_once(" MiB").unwrap().0.parse::<usize>().unwrap();
    // One part in 32 stays free.
    let available = offered / 31 * 32;
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap();
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap();
    let total = total.trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10;
    assert!((1..=total).contains(&available), "{available} of {total} MiB");
    available
}

#[cfg(target_os = "linux")]
#[test]
fn more_than_the_machine_has_is_refused_and_the_old_table_kept() {
    let free = available_mebibytes();
    let file = Scratch::new("small");
    for mebibytes in [free + 64, free + free / 4, 262_144.max(free + 64), 33_554_432] {
        let lines = dialogue(format!(
            "setoption name Hash value 3\ngo depth 6\nwait\nsetoption name Hash value {mebibytes}\n\
             hash save {}\ngo depth 6\nwait\n",
            file.0.display()
        ));
        let messages = errors(&lines);
        assert_eq!(messages.len(), 1, "{lines:#?}");
        let expected = format!("transposition table of {mebibytes} MiB, only for ");
        assert!(messages[0].contains(&expected), "{messages:?}");
        assert!(messages[0].ends_with("the old table is kept"), "{messages:?}");
        let bytes = file.bytes();
        assert_eq!(bytes.len(), 56 + (3 << 20), "the table of 3 MiB");
        assert!(bytes[56..].iter().any(|&byte| byte != 0), "with its entries");
        assert!(lines.last().unwrap().starts_with("bestmove "));
    }
}

/// Stops, clears, resizes and changes the number of threads at random, and checks now and then that
/// nothing is stored after `bestmove`.
///
/// `KOEL_TABLE_ROUNDS=1000 cargo test --release -p koel --test uci table`
#[test]
fn nothing_is_stored_after_bestmove() {
    let rounds = std::env::var("KOEL_TABLE_ROUNDS").map_or(25, |text| text.parse().unwrap());
    let (before, after) = (Scratch::new("before"), Scratch::new("after"));
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 4\nsetoption name Hash value 1");
    let mut rng = Rng::new(1);
    let mut below = |limit| rng.below(limit);
    for round in 0..rounds {
        match below(7) {
            0 => engine.send("setoption name Clear Hash"),
            1 => engine.send(format!("setoption name Hash value {}", 1 + below(24))),
            2 => engine.send("ucinewgame"),
            3 => engine.send("position startpos moves e2e4\nsetoption name Hash value 1"),
            4 => engine.send(format!("setoption name Threads value {}", 1 + below(8))),
            5 => engine.send("setoption name Threads value 4"),
            _ => engine.send("position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        }
        let is_checked = round % 8 == 0;
        if is_checked {
            // A small table: writing the files would take most of the time otherwise.
            engine.send("setoption name Hash value 2");
        }
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(below(12) as u64));
        engine.send("stop");
        let replies = engine.receive_until("bestmove", SOON);
        assert!(errors(&replies).is_empty(), "{replies:#?}");
        if is_checked {
            engine.send(format!("hash save {}", before.0.display()));
            engine.receive_until("info string a hash table", SOON);
            std::thread::sleep(Duration::from_millis(5));
            engine.send(format!("hash save {}", after.0.display()));
            engine.receive_until("info string a hash table", SOON);
            assert!(before.bytes() == after.bytes(), "something was stored after bestmove");
        }
    }
    let (rest, status) = engine.end_input();
    assert!(rest.is_empty() && status.success(), "{rest:#?}");
}
