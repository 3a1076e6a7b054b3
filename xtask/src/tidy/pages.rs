//! Pages and lists that must agree with the code.

use std::collections::BTreeSet;

use super::workspace::Workspace;

const LONG_RUNS: &str = "xtask/src/ci.rs";
const MAP: &str = "ARCHITECTURE.md";
const README: &str = "README.md";
const DEPENDENCIES: &str = "## What the engine links";
const LICENCES: &str = "LICENSE";
/// The text of the command `license`.
const LICENCE_COMMAND: &str = "crates/koel/src/license.txt";

/// Folders of which a page lists every file: the folder, the ending of its files, the page.
const LISTED: &[[&str; 3]] = &[
    ["crates/koel-search/src/steps/", ".rs", "docs/search.md"],
    ["docs/", ".md", "docs/README.md"],
];

/// Every step of the search has a row in its page, and every page in the index. (The journal has an
/// index of its own.)
pub(crate) fn rows_of_files(workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    for [folder, ending, page] in LISTED {
        let files = workspace.files_ending_in(ending).map(|(path, _)| path);
        let files = files.filter(|path| path.starts_with(folder));
        let is_index = |path: &&str| path.ends_with("/mod.rs") || path.ends_with("/README.md");
        let files = files.filter(|path| !is_index(path) && !path.starts_with("docs/journal/"));
        let link = |path: &str| match path.strip_prefix("docs/") {
            Some(name) => format!("]({name})"),
            None => format!("](../{path})"),
        };
        let missing = files.filter(|path| !workspace.text(page).contains(&link(path)));
        findings.extend(missing.map(|path| format!("{path}: no row in {page}")));
    }
    findings
}

/// Every crate is on the map, shown to authors of engines, and named where its licence is
/// explained.
pub(crate) fn crates(workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    let is_named = |text: &str, name: &str| {
        text.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == name)
    };
    for package in &workspace.packages {
        let row = format!("]({})", package.folder);
        let is_for_others = package.folder.starts_with("crates/");
        let mut paragraphs = workspace.text(LICENCES).split("\n\n");
        let licence = paragraphs.find(|paragraph| paragraph.starts_with(&package.license));
        let command = workspace.text(LICENCE_COMMAND);
        for (is_met, page) in [
            (workspace.text(MAP).contains(&row), MAP),
            (!is_for_others || workspace.text(README).contains(&row), README),
            (!package.is_permissive() || is_named(command, &package.name), LICENCE_COMMAND),
            (is_named(licence.unwrap_or_default(), &package.name), LICENCES),
        ] {
            if !is_met {
                findings.push(format!("{}: not in {page}", package.folder));
            }
        }
    }
    findings
}

/// The map lists every crate of other authors that the engine or one of its crates names in its
/// manifest, and no other.
pub(crate) fn dependencies(workspace: &Workspace) -> Vec<String> {
    let members: BTreeSet<&str> = workspace.packages.iter().map(|p| p.name.as_str()).collect();
    let mut packages = workspace.packages.iter();
    let Some(engine) = packages.find(|package| package.name == "koel") else { return Vec::new() };
    let parts = workspace.packages.iter().filter(|part| engine.linked.contains(&part.name));
    let named = parts.chain([engine]).flat_map(|part| &part.linked).map(String::as_str);
    let linked: BTreeSet<&str> = named.filter(|name| !members.contains(name)).collect();
    let mut lines = workspace.text(MAP).lines().skip_while(|line| *line != DEPENDENCIES);
    let section = lines.by_ref().skip(1).take_while(|line| !line.starts_with("## "));
    let rows = section.filter(|line| line.starts_with('|')).skip(2);
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let differing = linked.symmetric_difference(&listed);
    differing.map(|name| format!("{MAP}: `{name}` is listed or linked, not both")).collect()
}

/// A test reads each variable that the long runs set: with another name it would run as usual and
/// nobody would notice.
pub(crate) fn variables(workspace: &Workspace) -> Vec<String> {
    let others = workspace.files_ending_in(".rs").filter(|(path, _)| *path != LONG_RUNS);
    let read: BTreeSet<&str> = others.flat_map(|(_, text)| words(text)).collect();
    let set = words(workspace.text(LONG_RUNS)).filter(|name| name.starts_with("KOEL_"));
    set.filter(|name| !read.contains(name)).map(|name| format!("no test reads {name}")).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    #[test]
    fn a_crate_that_no_page_names_is_found() {
        let files = [
            (MAP, "| 1 | [`koel-uci`](crates/koel-uci) |\n| 1 | [`koel`](crates/koel) |\n"),
            (README, "| [`koel-uci`](crates/koel-uci) | [`koel`](crates/koel) |\n"),
            (LICENCES, "GPL: free\n    koel\n\nMIT or so:\n    koel-tt, koel-uci\n"),
            (LICENCE_COMMAND, "koel-tt and koel-uci"),
        ];
        let found = |name, license| {
            crates(&Workspace::of(&files, vec![Package::of(name, license, &[])])).len()
        };
        assert_eq!(found("koel-uci", "MIT"), 0);
        assert_eq!(found("koel", "GPL"), 0);
        assert_eq!(found("koel-uci", "GPL"), 1);
        assert_eq!(found("koel-tt", "MIT"), 2);
        assert_eq!(found("koel-u", "MIT"), 4);
    }

    #[test]
    fn pages_are_compared_with_the_files() {
        let files = [
            ("docs/README.md", "| [a.md](a.md) | the page a |\n"),
            ("docs/a.md", ""),
            ("docs/b.md", ""),
            ("docs/journal/c.md", ""),
            ("crates/koel-search/src/steps/mod.rs", ""),
            ("crates/koel-search/src/steps/razor.rs", ""),
            (LONG_RUNS, "test.env(\"KOEL_DAYS\", \"2\").env(\"KOEL_NIGHTS\", \"2\")"),
            ("tests/long.rs", "var(\"KOEL_NIGHTS\"); var(\"KOEL_DAY\")"),
        ];
        let workspace = Workspace::of(&files, Vec::new());
        let missing = [
            "crates/koel-search/src/steps/razor.rs: no row in docs/search.md",
            "docs/b.md: no row in docs/README.md",
        ];
        assert_eq!(rows_of_files(&workspace), missing);
        assert_eq!(variables(&workspace), ["no test reads KOEL_DAYS"]);
    }

    #[test]
    fn a_wrong_list_of_dependencies_is_found() {
        let found = |listed: &str| {
            let head = "| crate | use |\n|---|---|";
            let map = format!("# A\n\n{DEPENDENCIES}\n\n{head}\n{listed}\n## B\n| `x` | y |\n");
            let packages = vec![
                Package::of("koel", "", &["koel-a", "clap"]),
                Package::of("koel-a", "", &["itoa"]),
                Package::of("koel-b", "", &["serde"]),
            ];
            dependencies(&Workspace::of(&[(MAP, &map)], packages)).len()
        };
        assert_eq!(found("| [`clap`](https://a) | x |\n| `itoa` | y |\n"), 0);
        assert_eq!(found("| `clap` | x |\n"), 1);
        assert_eq!(found("| `clap` | x |\n| `itoa` | y |\n| `serde` | z |\n"), 1);
    }
}
