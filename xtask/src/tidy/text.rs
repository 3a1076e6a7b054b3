//! Rules for the text of files.

use super::Finding;
use super::source::{split, words};
use super::workspace::{File, Workspace};

const MOST_LINES: usize = 400;

pub(crate) fn short(workspace: &Workspace) -> Vec<Finding> {
    let is_test =
        |file: &&File| file.path.split('/').any(|name| matches!(name, "tests" | "tests.rs"));
    let mut findings = Vec::new();
    for file in workspace.rust_files().filter(|file| !is_test(file)) {
        let lines = file.text.lines().count();
        if lines > MOST_LINES {
            let message = format!("{lines} lines: a type or a module is missing");
            findings.push(Finding::whole(&file.path, message));
        }
    }
    findings
}

/// Macros that stand for work not done, and words that announce it.
const OPEN_MACROS: &[&str] = &["todo", "unimplemented", "dbg"];
const OPEN_WORDS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];

pub(crate) fn finished(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in workspace.rust_files() {
        let parts = split(&file.text);
        for (index, (code, comment)) in parts.code.lines().zip(parts.comments.lines()).enumerate() {
            let open_macro = OPEN_MACROS.iter().find(|&&name| {
                code.contains(&format!("{name}!")) && words(code).any(|w| w == name)
            });
            let open_word = words(comment).find(|word| OPEN_WORDS.contains(word));
            if let Some(found) = open_macro.copied().or(open_word) {
                let message = format!("`{found}`: finish it, or open an issue");
                findings.push(Finding::at(&file.path, index + 1, message));
            }
        }
    }
    findings
}

/// Words with which a doc comment begins that asks or refers instead of describing.
const RIDDLES: &[&str] = &["What", "How", "Whether", "The same"];

/// A line of a doc comment does not begin like a question: the first sentence says what the item
/// is or does.
pub(crate) fn described(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in workspace.rust_files() {
        for (index, comment) in split(&file.text).comments.lines().enumerate() {
            let comment = comment.trim_start();
            let doc = comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!"));
            let text = doc.unwrap_or_default().trim_start();
            let riddle = RIDDLES.iter().find(|&&riddle| {
                text.strip_prefix(riddle)
                    .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            });
            if let Some(riddle) = riddle {
                let message = format!("a doc comment says what the item is, not `{riddle} ...`");
                findings.push(Finding::at(&file.path, index + 1, message));
            }
        }
    }
    findings
}

pub(crate) fn clean_lines(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &workspace.files {
        for (index, line) in file.text.split('\n').enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                findings.push(Finding::at(&file.path, index + 1, "white space at the end"));
            }
        }
        if !file.text.is_empty() && !file.text.ends_with('\n') {
            findings.push(Finding::whole(&file.path, "no line end at the end"));
        }
    }
    findings
}

/// The first folder of paths that exist on somebody's machine only.
const MACHINE_FOLDERS: &[&str] = &["home", "root", "tmp", "Users", "work", "mnt"];

pub(crate) fn no_machine_paths(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &workspace.files {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(folder) = machine_folder(line) {
                let message = format!("`/{folder}/` is a path of one machine");
                findings.push(Finding::at(&file.path, index + 1, message));
            }
        }
    }
    findings
}

fn machine_folder(line: &str) -> Option<&'static str> {
    let stands_first = |(at, _): (usize, &str)| {
        let before = line[..at].chars().next_back().unwrap_or(' ');
        !(before.is_alphanumeric() || matches!(before, '.' | '_' | '-' | '~' | '/' | '}' | ')'))
    };
    MACHINE_FOLDERS
        .iter()
        .copied()
        .find(|folder| line.match_indices(&format!("/{folder}/")).any(stands_first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(findings: &[Finding]) -> Vec<usize> {
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn long_files_are_found() {
        let long = "a\n".repeat(401);
        let files = [
            ("crates/a/src/lib.rs", long.as_str()),
            ("crates/a/tests/b.rs", &long),
            ("crates/a/src/c/tests.rs", &long),
            ("crates/a/src/d.rs", &long[2..]),
            ("LICENSE", &long),
        ];
        let findings = short(&Workspace::of_files(&files));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "crates/a/src/lib.rs");
    }

    #[test]
    fn open_ends_are_found() {
        let text = "todo!()\nlet todo = 1;\n\"TODO dbg!\"\n// TODO: more\ndbg!(x)\n// todo!\n";
        let workspace = Workspace::of_files(&[("a.rs", text), ("a.md", "TODO\n")]);
        assert_eq!(lines_of(&finished(&workspace)), [1, 4, 5]);
    }

    #[test]
    fn doc_comments_that_ask_are_found() {
        let text = "//! What it is.\n/// The sum.\n    /// Whether it is one.\n// How it is done.\n\
                    /// Whatever is left.\nlet a = \"/// The same\"; /// The same of b.\n";
        let workspace = Workspace::of_files(&[("a.rs", text), ("a.md", "/// What\n")]);
        assert_eq!(lines_of(&described(&workspace)), [1, 3, 6]);
    }

    #[test]
    fn bad_line_ends_are_found() {
        let workspace = Workspace::of_files(&[("a.md", "a \nb\r\n\tc\nd")]);
        assert_eq!(lines_of(&clean_lines(&workspace)), [1, 2, 0]);
        assert!(clean_lines(&Workspace::of_files(&[("a", ""), ("b", "b\n")])).is_empty());
    }

    #[test]
    fn machine_paths_are_found() {
        let [home, root] = ["home", "root"].map(|folder| format!("/{folder}/"));
        let text = format!("see {home}me\nsee ..{home}me\nx{root}y\n\"{root}y\"\n");
        let workspace = Workspace::of_files(&[("a.md", &text)]);
        assert_eq!(lines_of(&no_machine_paths(&workspace)), [1, 4]);
    }
}
