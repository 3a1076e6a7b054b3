//! No module of a crate imports, by whatever way, a module that imports it.
//!
//! A module here is one directly below the root, with everything inside it. What the root exports
//! under a shorter path counts as an import of the module that it comes from; tests do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::workspace::Workspace;

/// Imports by module.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

pub(crate) fn find(workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let circle = circle(&imports(workspace, &package.folder));
        if !circle.is_empty() {
            let modules = circle.into_iter().collect::<Vec<_>>().join(", ");
            findings.push(format!("{}: {modules} import each other", package.folder));
        }
    }
    findings
}

/// Returns what each module below the root of a package imports of the others.
fn imports<'a>(workspace: &'a Workspace, folder: &str) -> Imports<'a> {
    let prefix = format!("{folder}/src/");
    let files: Vec<(&str, &str)> = workspace
        .files_ending_in(".rs")
        .filter_map(|(path, text)| Some((path.strip_prefix(&*prefix)?, text)))
        .map(|(path, text)| (path.split(['/', '.']).next().unwrap_or(path), without_tests(text)))
        .collect();
    let is_root = |module: &str| matches!(module, "lib" | "main" | "bin");
    let modules: BTreeSet<&str> =
        files.iter().map(|&(module, _)| module).filter(|module| !is_root(module)).collect();
    let mut exports = BTreeMap::new();
    for (_, text) in files.iter().filter(|(module, _)| is_root(module)) {
        for line in text.split(';') {
            let Some((_, line)) = line.split_once("use ") else { continue };
            let mut names = identifiers(line).skip_while(|name| *name == "crate");
            if let Some(module) = names.next().filter(|module| modules.contains(module)) {
                exports.extend(names.map(|name| (name, module)));
            }
        }
    }
    let mut imports = Imports::new();
    for &(module, text) in files.iter().filter(|(module, _)| !is_root(module)) {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: String = code.flat_map(|line| [line, "\n"]).collect();
        let found = code.split("crate::").skip(1).flat_map(first_names);
        let found = found.filter_map(|name| modules.get(name).or_else(|| exports.get(name)));
        imports.entry(module).or_default().extend(found.filter(|other| **other != module));
    }
    imports
}

/// Returns a file up to its tests.
fn without_tests(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod ").map_or(text, |(code, _)| code)
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

/// Returns the name with which a path begins, or all names of a list in braces.
fn first_names(path: &str) -> impl Iterator<Item = &str> {
    let (list, count) = match path.strip_prefix('{') {
        Some(list) => (list.split(';').next().unwrap_or(list), usize::MAX),
        None => (path, 1),
    };
    identifiers(list).take(count)
}

/// Returns the modules that import themselves by way of others.
fn circle<'a>(imports: &Imports<'a>) -> BTreeSet<&'a str> {
    let reaches_itself = |start: &&str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*start]);
        while let Some(module) = open.pop() {
            open.extend(
                imports.get(module).into_iter().flatten().filter(|next| seen.insert(**next)),
            );
        }
        seen.contains(*start)
    };
    imports.keys().copied().filter(reaches_itself).collect()
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        find(&Workspace::of(files, vec![Package::of("a", "MIT", &[])]))
    }

    #[test]
    fn circles_are_found_however_they_are_imported() {
        let root = ("crates/a/src/lib.rs", "mod b;\nmod c;\nmod d;\npub use b::{self, B};\n");
        for (b, c, d) in [
            ("use crate::c::C;", "use crate::b::B;", ""),
            ("use crate::c::C;", "use crate::B;", ""),
            ("use crate::{\n x, c::{C, D}};", "fn f() { crate::d::g() }", "use crate::{B, x};"),
        ] {
            let files = [
                root,
                ("crates/a/src/b/inner.rs", b),
                ("crates/a/src/c.rs", c),
                ("crates/a/src/d.rs", d),
            ];
            let found = findings(&files);
            let expected = if d.is_empty() { "b, c" } else { "b, c, d" };
            assert_eq!(found, [format!("crates/a: {expected} import each other")], "{b} {c}");
        }
    }

    #[test]
    fn neither_tests_nor_the_module_itself_count() {
        let files = [
            ("crates/a/src/b.rs", "use crate::c::{C, b};\n#[cfg(test)]\nmod tests {}"),
            ("crates/a/src/c.rs", "use crate::c::D;\n#[cfg(test)]\nmod tests { use crate::b::B; }"),
        ];
        assert_eq!(findings(&files), Vec::<String>::new());
    }
}
