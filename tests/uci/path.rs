//! Draws that depend on the path: the options and `koel ghi`.

use crate::support::{Scratch, dialogue, errors, koel};

#[test]
fn policies_are_chosen_by_name() {
    for policy in ["trust", "refuse", "head", "guard", "relative", "MULLER"] {
        let lines = dialogue(format!(
            "setoption name Path Dependence value {policy}\n\
             setoption name No Progress value tracked\ngo depth 5\nwait\n"
        ));
        assert!(errors(&lines).is_empty(), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:#?}");
    }
    let lines = dialogue("setoption name Path Dependence value hope\n");
    assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
}

#[test]
fn ghi_reports_every_policy_on_the_positions_of_a_file() {
    let file = Scratch::new("ghi.txt");
    let fens =
        "# locked\n8/8/5p2/p4P2/P7/5k2/8/4K3 w - - 0 1\n4K3/2k3p1/6P1/1p6/1P6/8/8/8 w - - 0 1\n";
    std::fs::write(&file.0, fens).unwrap();
    let path = file.0.to_str().unwrap();
    let names = ["trust", "refuse", "head", "guard", "relative", "muller"];
    let (text, _, is_well) = koel(&["ghi", "--depth", "8", "--positions", path]);
    assert!(is_well && text.starts_with("2 positions, given, to depth 8\n"), "{text}");
    assert!(names.iter().all(|name| text.contains(&format!("\n{name} "))), "{text}");
    let (text, _, is_well) = koel(&["ghi", "--truth", "--depth", "9", "--positions", path]);
    assert!(is_well && text.starts_with("2 positions, depths 1 to 9, 18 values\n"), "{text}");
    let wrong = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u32>().unwrap()
    };
    // Each position has a false draw for those who trust.
    assert_eq!(["trust", "refuse", "head", "guard", "relative"].map(wrong), [2, 0, 0, 0, 0]);
    let (text, _, is_well) = koel(&["ghi", "--no-progress", "--depth", "8", "--positions", path]);
    assert!(is_well && text.contains("\ntracked "), "{text}");
    std::fs::write(&file.0, "8/8/8/8/8/8/8/8 w - - 0 1\n").unwrap();
    let (_, error, is_well) = koel(&["ghi", "--positions", path]);
    assert!(!is_well && error.contains("line 1: "), "{error}");
}
