//! Input files are opened only after a check of their kind and size.

use super::Finding;
use super::source::{split, without_tests};
use super::workspace::Workspace;

/// Calls that open a file of any kind and size.
const UNCHECKED: &[&str] = &["fs::read(", "fs::read_to_string(", "File::open("];

/// Files that may call them: the check itself, and what the kernel reports with size 0.
const EXCEPTIONS: &[&str] =
    &["crates/koel-files/src/lib.rs", "crates/koel/src/available_memory.rs"];

/// The code of the engine and the tools, without tests, opens input files through `koel-files`.
pub(crate) fn checked(workspace: &Workspace) -> Vec<Finding> {
    let is_bound = |path: &str| {
        let is_code = path.starts_with("crates/") && path.contains("/src/");
        is_code && !path.ends_with("/tests.rs") && !EXCEPTIONS.contains(&path)
    };
    let mut findings = Vec::new();
    for file in workspace.rust_files().filter(|file| is_bound(&file.path)) {
        let code = split(&file.text).code;
        for (index, line) in without_tests(&code).lines().enumerate() {
            if let Some(call) = UNCHECKED.iter().find(|call| line.contains(*call)) {
                let message = format!("`{call}..)` does not check the file: use `koel_files`");
                findings.push(Finding::at(&file.path, index + 1, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchecked_reading_is_found() {
        let text = "let a = fs::read(path);\nlet b = koel_files::read(path, SETTINGS);\n\
            // fs::read(x)\nlet c = std::fs::File::open(path)?;\nlet d = std::fs::read_to_string(p);\n\
            #[cfg(test)]\nmod tests {\n    fs::read(x);\n}\n";
        let lines = |path| {
            let found = checked(&Workspace::of_files(&[(path, text)]));
            found.iter().map(|finding| finding.line).collect::<Vec<_>>()
        };
        assert_eq!(lines("crates/koel/src/a.rs"), [1, 4, 5]);
        assert!(lines("crates/koel-files/src/lib.rs").is_empty());
        assert!(lines("crates/koel/src/a/tests.rs").is_empty());
        assert!(lines("tests/a.rs").is_empty());
    }
}
