//! Lists that must agree with the code: what the engine links from other authors, and where `unsafe`
//! is.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::source::{split, words};
use super::workspace::Workspace;

const README: &str = "README.md";
const DEPENDENCIES: &str = "## What the engine links";
const MAP: &str = "ARCHITECTURE.md";
const UNSAFE: &str = "## Unsafe code";

/// The README lists every crate of other authors that the engine or one of its crates names in its
/// manifest, and no other.
pub(crate) fn dependencies(workspace: &Workspace) -> Vec<Finding> {
    let members: BTreeSet<&str> =
        workspace.packages.iter().map(|package| package.name.as_str()).collect();
    let engine = workspace.packages.iter().find(|package| package.name == "koel");
    let Some(engine) = engine else { return Vec::new() };
    let is_part = |name: &str| name == "koel" || engine.linked.contains(name);
    let parts = workspace.packages.iter().filter(|package| is_part(&package.name));
    let named = parts.flat_map(|package| &package.direct).map(String::as_str);
    let linked: BTreeSet<&str> =
        named.filter(|name| !members.contains(name) && engine.linked.contains(*name)).collect();
    let listed: BTreeSet<&str> =
        rows(workspace, README, DEPENDENCIES).into_iter().map(|row| row[0]).collect();
    let missing = linked.difference(&listed).map(|name| format!("`{name}` is linked, not listed"));
    let extra = listed.difference(&linked).map(|name| format!("`{name}` is listed, not linked"));
    missing.chain(extra).map(|message| Finding::whole(README, message)).collect()
}

/// The map lists every file with `unsafe`, with the number of places.
pub(crate) fn unsafe_places(workspace: &Workspace) -> Vec<Finding> {
    let mut found = BTreeMap::new();
    for file in workspace.rust_files() {
        let code = split(&file.text).code;
        let count = code.lines().flat_map(words).filter(|word| *word == "unsafe").count();
        if count > 0 {
            found.insert(file.path.as_str(), count.to_string());
        }
    }
    let rows = rows(workspace, MAP, UNSAFE);
    let listed: BTreeMap<&str, String> =
        rows.iter().filter(|row| row.len() > 1).map(|row| (row[0], row[1].to_owned())).collect();
    let paths: BTreeSet<&str> = found.keys().chain(listed.keys()).copied().collect();
    let differs = |path: &&str| found.get(path) != listed.get(path);
    let finding = |path| {
        let count = |counts: &BTreeMap<&str, String>| counts.get(path).cloned();
        let found = count(&found).unwrap_or_else(|| "0".to_owned());
        let listed = count(&listed).unwrap_or_else(|| "0".to_owned());
        Finding::whole(
            MAP,
            format!("{path} has {found} places of unsafe code, listed are {listed}"),
        )
    };
    paths.into_iter().filter(differs).map(finding).collect()
}

/// Returns the cells of the table under a heading, without the head and without marks of code and
/// of links.
fn rows<'a>(workspace: &'a Workspace, path: &str, heading: &str) -> Vec<Vec<&'a str>> {
    let text = workspace.file(path).map_or("", |file| file.text.as_str());
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let section = lines.take_while(|line| !line.starts_with("## "));
    let table = section.filter(|line| line.starts_with('|')).skip(2);
    table
        .map(|line| {
            let cells = line.trim_matches('|').split('|').map(str::trim);
            cells.map(|cell| cell.split('`').nth(1).unwrap_or(cell)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    fn package(name: &str, direct: &[&str], linked: &[&str]) -> Package {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Package {
            name: name.to_owned(),
            direct: names(direct),
            linked: names(linked),
            ..Package::default()
        }
    }

    #[test]
    fn a_wrong_list_of_dependencies_is_found() {
        let found = |listed: &str| {
            let readme = format!(
                "# A\n\n{DEPENDENCIES}\n\n| crate | use |\n|---|---|\n{listed}\n## B\n| `x` | y |\n"
            );
            let packages = vec![
                package("koel", &["koel-a", "clap"], &["koel-a", "clap", "itoa", "clap_lex"]),
                package("koel-a", &["itoa"], &["itoa"]),
                package("koel-b", &["serde"], &["serde"]),
            ];
            let workspace = Workspace { packages, ..Workspace::of_files(&[(README, &readme)]) };
            dependencies(&workspace).len()
        };
        assert_eq!(found("| [`clap`](https://a) | x |\n| `itoa` | y |\n"), 0);
        assert_eq!(found("| `clap` | x |\n"), 1);
        assert_eq!(found("| `clap` | x |\n| `itoa` | y |\n| `serde` | z |\n"), 1);
    }

    #[test]
    fn unlisted_unsafe_code_is_found() {
        let found = |code: &str| {
            let map = format!("{UNSAFE}\n\n| file | places |\n|---|---|\n| `a/simd.rs` | 1 |\n");
            unsafe_places(&Workspace::of_files(&[(MAP, &map), ("a/simd.rs", code)])).len()
        };
        assert_eq!(found("unsafe { x() } // unsafe\n"), 0);
        assert_eq!(found("unsafe { x() }\nunsafe { y() }\n"), 1);
        assert_eq!(found("x()\n"), 1);
    }
}
