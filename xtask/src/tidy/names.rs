//! Names of files and of public types.

use std::collections::BTreeMap;

use super::Finding;
use super::source::{split, without_tests, words};
use super::workspace::Workspace;

/// Names that tell nothing about the contents.
const MEANINGLESS: &[&str] = &["common", "defs", "helpers", "misc", "types", "util", "utils"];

pub(crate) fn meaningful(workspace: &Workspace) -> Vec<Finding> {
    let is_meaningless = |path: &str| {
        path.split('/').any(|name| MEANINGLESS.contains(&name.trim_end_matches(".rs")))
    };
    workspace
        .rust_files()
        .filter(|file| is_meaningless(&file.path))
        .map(|file| Finding::whole(&file.path, "a name that tells nothing about the contents"))
        .collect()
}

/// Keywords that declare a type.
const DECLARATIONS: &[&str] = &["struct", "enum", "trait", "type", "union"];

/// A public type has a name that no other crate gives to one of its own: whoever uses two crates
/// can import both.
pub(crate) fn distinct(workspace: &Workspace) -> Vec<Finding> {
    let mut first: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    let mut findings = Vec::new();
    for file in workspace.rust_files() {
        let Some((package, inner)) = file.path.split_once("/src/") else { continue };
        if inner.starts_with("bin/") || inner.contains("tests") {
            continue;
        }
        let code = split(&file.text).code;
        for (index, line) in without_tests(&code).lines().enumerate() {
            let Some(name) = public_type(line) else { continue };
            let (other, path) = *first.entry(name.to_owned()).or_insert((package, &file.path));
            if other != package {
                let message = format!("`{name}` is a public type of {other} too: {path}");
                findings.push(Finding::at(&file.path, index + 1, message));
            }
        }
    }
    findings
}

/// The public type of a crate that a line declares at the level of a module.
fn public_type(line: &str) -> Option<&str> {
    let mut words = words(line.strip_prefix("pub ")?);
    words.next().filter(|word| DECLARATIONS.contains(word))?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaningless_names_are_found() {
        let files =
            [("a/src/utils.rs", ""), ("a/src/common/table.rs", ""), ("a/src/common_mate.rs", "")];
        assert_eq!(meaningful(&Workspace::of_files(&files)).len(), 2);
    }

    #[test]
    fn a_public_type_of_two_crates_is_found() {
        let files = [
            ("crates/a/src/lib.rs", "pub struct Score(i32);\npub(crate) enum Kind {}\n"),
            ("crates/a/src/b.rs", "pub trait Score {}\npub fn kind() {}\n"),
            ("crates/b/src/lib.rs", "pub enum Kind {}\n// pub struct Score;\n"),
            ("crates/c/src/lib.rs", "pub(crate) struct Score;\npub type Kind = u8;\n"),
            ("crates/c/tests/d.rs", "pub struct Score;\n"),
        ];
        let findings = distinct(&Workspace::of_files(&files));
        assert_eq!(findings.len(), 1);
        assert_eq!((&*findings[0].path, findings[0].line), ("crates/c/src/lib.rs", 2));
        assert!(findings[0].message.contains("`Kind` is a public type of crates/b"));
    }
}
