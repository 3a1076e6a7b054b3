//! The page for those who come from other runners names no option that there is not.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use std::process::Command;

const PAGE: &str = include_str!("../../../docs/coming-from-fastchess.md");

fn help(command: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_koel-arena");
    let output = Command::new(program).args(command).arg("--help").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the options among the words in code of a text, such as `--tc`.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split('`').skip(1).step_by(2);
    let words = code.flat_map(|code| code.split([' ', ',', '='])).filter(|w| w.starts_with("--"));
    words.map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()))
}

#[test]
fn every_option_of_ours_exists() {
    let commands = ["match", "tournament", "sprt", "gauntlet", "check"];
    let all = commands.map(|command| help(&[command])).concat() + &help(&[]);
    let known: Vec<_> =
        all.split_whitespace().map(|word| word.trim_end_matches([',', ']', '.'])).collect();
    let ours = PAGE.lines().filter(|line| line.starts_with("| ")).filter_map(|line| {
        let mut cells = line.trim_matches('|').split(" | ");
        Some((cells.next()?, cells.next()?))
    });
    let mut count = 0;
    for (theirs, ours) in ours.filter(|(theirs, _)| theirs.contains('`') || !theirs.contains("--"))
    {
        for option in options(ours) {
            assert!(known.contains(&option), "{theirs}: `{option}` is no option of koel-arena");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
    for command in ["tournament", "gauntlet", "sprt", "check"] {
        assert!(PAGE.contains(&format!("`{command}")), "{command}");
    }
}
