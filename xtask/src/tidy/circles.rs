//! Import circles: files of a crate that use each other, directly or through others.
//!
//! An arrow leads from a file to the file that defines a name it imports or writes out as a path.
//! A re-export does not count: whoever imports through it is linked to the file that defines the
//! name. Arrows between a module and the modules inside it do not count either: these are its parts.
//! Tests may import anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Finding;
use super::imports::{Import, imports};
use super::source::{split, without_tests};
use super::workspace::Workspace;

/// The path of a module from the root of its crate.
type ModulePath = Vec<String>;

/// Chains of re-exports are followed this far.
const MAX_REEXPORTS: usize = 8;

/// The modules of one crate.
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
}

struct Module {
    /// The path of its file.
    file: String,
    imports: Vec<Import>,
}

/// From a file to the files that it uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn none(workspace: &Workspace) -> Vec<Finding> {
    let mut sources: BTreeMap<String, Vec<(ModulePath, &str, &str)>> = BTreeMap::new();
    for file in workspace.rust_files() {
        if let Some((source, path)) = module_path(&file.path) {
            sources.entry(source).or_default().push((path, &file.path, &file.text));
        }
    }
    sources.into_values().flat_map(|files| circles(&Crate::new(files).arrows())).collect()
}

/// The source folder and the module path of a file, unless it is a test or a program of its own.
fn module_path(file: &str) -> Option<(String, ModulePath)> {
    let (package, inner) = file.split_once("/src/")?;
    let inner = inner.strip_suffix(".rs")?;
    let mut names: ModulePath = inner.split('/').map(str::to_owned).collect();
    if names[0] == "bin" || names.iter().any(|name| name == "tests") {
        return None;
    }
    if names.last().is_some_and(|name| matches!(name.as_str(), "lib" | "main" | "mod")) {
        names.pop();
    }
    Some((package.to_owned(), names))
}

impl Crate {
    fn new(mut files: Vec<(ModulePath, &str, &str)>) -> Crate {
        // Where there are both, `lib.rs` comes last and is the root.
        files.sort_by_key(|(_, file, _)| file.ends_with("/src/lib.rs"));
        let modules = files.into_iter().map(|(path, file, text)| {
            let code = split(text).code;
            (path, Module { file: file.to_owned(), imports: imports(without_tests(&code)) })
        });
        Crate { modules: modules.collect() }
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (path, module) in &self.modules {
            for import in module.imports.iter().filter(|import| !import.is_reexport) {
                let target = self.absolute(path, &import.path).map(|path| self.defining(&path));
                let is_apart = |target: &&[String]| {
                    !path.starts_with(target) && !target.starts_with(path.as_slice())
                };
                if let Some(target) = target.filter(is_apart) {
                    let target = self.modules[target].file.clone();
                    arrows.entry(module.file.clone()).or_default().insert(target);
                }
            }
        }
        arrows
    }

    /// The path from the root of the crate of what a module names, or `None` if that belongs to
    /// another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let mut base = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            child => {
                base.push(child.to_owned());
                if !self.modules.contains_key(&base) {
                    return None;
                }
                rest = &rest[1..];
            }
        }
        while rest.first().is_some_and(|name| name == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module that defines the item at this path.
    fn defining(&self, path: &[String]) -> &[String] {
        let mut path = path.to_vec();
        for _ in 0..MAX_REEXPORTS {
            let (module, inner) = path.split_at(self.innermost(&path).len());
            let Some(name) = inner.first() else { break };
            let Some(module_here) = self.modules.get(module) else { break };
            let reexports = module_here.imports.iter().filter(|import| import.is_reexport);
            let mut reexports = reexports.filter(|import| import.name() == Some(name));
            let Some(import) = reexports.next() else { break };
            match self.absolute(module, &import.path) {
                Some(next) if next != path => path = next,
                _ => break,
            }
        }
        self.innermost(&path)
    }

    /// The module that is the longest beginning of a path; at least the root.
    fn innermost(&self, path: &[String]) -> &[String] {
        let beginnings = (0..=path.len()).rev().map(|length| &path[..length]);
        let mut modules = beginnings.filter_map(|path| self.modules.get_key_value(path));
        modules.next().map_or(&[], |(path, _)| path)
    }
}

/// One finding for each group of files that use each other, with a shortest circle through its
/// first file.
fn circles(arrows: &Arrows) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen = BTreeSet::new();
    for file in arrows.keys() {
        if seen.contains(file) {
            continue;
        }
        if let Some(circle) = shortest_circle(arrows, file) {
            let names: Vec<&str> = circle.iter().map(|path| file_name(path)).collect();
            let message = format!("import circle: {}", names.join(" -> "));
            findings.push(Finding::whole(file, message));
            seen.extend(circle);
        }
    }
    findings
}

fn file_name(path: &str) -> &str {
    path.split_once("/src/").map_or(path, |(_, inner)| inner)
}

/// The files of a shortest way from a file back to itself, which stands at both ends.
fn shortest_circle(arrows: &Arrows, start: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for next in arrows.get(file).into_iter().flatten() {
            if next == start {
                let mut circle = vec![start.to_owned()];
                let mut at = file;
                while at != start {
                    circle.push(at.to_owned());
                    at = before[at];
                }
                circle.push(start.to_owned());
                circle.reverse();
                return Some(circle);
            }
            if !before.contains_key(next.as_str()) {
                before.insert(next, file);
                open.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        none(&Workspace::of_files(files)).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn two_files_that_use_each_other_are_found() {
        let files = [
            ("crates/a/src/lib.rs", "mod one;\nmod two;\npub use one::One;\npub use two::Two;\n"),
            ("crates/a/src/one.rs", "use crate::two::Two;\npub struct One(Two);\n"),
            ("crates/a/src/two.rs", "pub struct Two;\nimpl From<crate::one::One> for Two {}\n"),
        ];
        assert_eq!(found(&files), ["import circle: one.rs -> two.rs -> one.rs"]);
    }

    #[test]
    fn a_way_through_reexports_and_parents_is_found() {
        let files = [
            ("crates/a/src/lib.rs", "mod one;\nmod two;\npub use two::Three;\n"),
            ("crates/a/src/one.rs", "use crate::{fmt, Three};\npub(crate) struct One;\n"),
            ("crates/a/src/two/mod.rs", "mod three;\npub use three::Three;\n"),
            ("crates/a/src/two/three.rs", "use super::super::one::{self, One};\n"),
        ];
        assert_eq!(found(&files), ["import circle: one.rs -> two/three.rs -> one.rs"]);
        let files = [
            ("xtask/src/main.rs", "mod parent;\nmod other;\n"),
            ("xtask/src/parent.rs", "mod child;\npub(crate) struct Parent;\n"),
            ("xtask/src/parent/child.rs", "pub(crate) struct Child(crate::other::Other);\n"),
            ("xtask/src/other.rs", "use crate::parent::child::Child;\n"),
        ];
        assert_eq!(found(&files), ["import circle: other.rs -> parent/child.rs -> other.rs"]);
    }

    #[test]
    fn declarations_comments_tests_and_parts_do_not_count() {
        let files = [
            ("crates/a/src/lib.rs", "mod one;\npub use one::One;\npub const MOST: u8 = 1;\n"),
            ("crates/a/src/one.rs", "use crate::MOST;\npub struct One;\n// crate::two::Two\n"),
            ("crates/a/src/two.rs", "use crate::one::One;\n"),
            ("crates/b/src/lib.rs", "mod one;\nuse one::One;\n"),
            ("crates/b/src/one.rs", "#[cfg(test)]\nmod tests {\n    use crate::two::Two;\n}\n"),
            ("crates/b/src/one/tests.rs", "use crate::Two;\n"),
            ("crates/c/src/one.rs", "mod part;\nuse part::Part;\npub struct One(Part);\n"),
            ("crates/c/src/one/part.rs", "use super::One;\npub(crate) struct Part;\n"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }
}
