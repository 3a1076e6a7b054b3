//! Pages and lists that must agree with the code: the page of the search, the variables of the long
//! runs, the lists of crates and of their dependencies, the index of the documentation.

use std::collections::BTreeSet;

use super::Finding;
use super::source::words;
use super::workspace::Workspace;

const STEPS: &str = "crates/koel-search/src/steps/";
const SEARCH_PAGE: &str = "docs/search.md";
const LONG_RUNS: &str = "xtask/src/ci.rs";
const MAP: &str = "ARCHITECTURE.md";
const README: &str = "README.md";
const INDEX: &str = "docs/README.md";
const LICENCES: &str = "LICENSE";
/// The text of the command `license`.
const LICENCE_COMMAND: &str = "crates/koel/src/license.txt";

/// Every step of the search has a row in its page.
pub(crate) fn steps(workspace: &Workspace) -> Vec<Finding> {
    let page = workspace.file(SEARCH_PAGE).map_or("", |file| file.text.as_str());
    let is_step = |path: &&str| path.ends_with(".rs") && !path.ends_with("/mod.rs");
    let steps = workspace.files.iter().map(|file| file.path.as_str());
    steps
        .filter(|path| path.starts_with(STEPS))
        .filter(is_step)
        .filter(|path| !page.contains(path))
        .map(|path| Finding::whole(path, format!("no row in {SEARCH_PAGE}")))
        .collect()
}

/// A test reads each variable that the long runs set: with another name it would run as usual and
/// nobody would notice.
pub(crate) fn variables(workspace: &Workspace) -> Vec<Finding> {
    let long_runs = workspace.file(LONG_RUNS).map_or("", |file| file.text.as_str());
    let is_read = |name: &str| {
        let mut others = workspace.rust_files().filter(|file| file.path != LONG_RUNS);
        others.any(|file| words(&file.text).any(|word| word == name))
    };
    words(long_runs)
        .filter(|name| name.starts_with("KOEL_") && !is_read(name))
        .map(|name| Finding::whole(LONG_RUNS, format!("no test reads {name}")))
        .collect()
}

/// Every crate is on the map, shown to authors of engines, and named where its licence is explained.
pub(crate) fn crates(workspace: &Workspace) -> Vec<Finding> {
    let text = |path| workspace.file(path).map_or("", |file| file.text.as_str());
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let is_for_others = package.folder.starts_with("crates/");
        for page in [Some(MAP), is_for_others.then_some(README)].into_iter().flatten() {
            if !text(page).contains(&format!("]({})", package.folder)) {
                findings.push(Finding::whole(&package.folder, format!("no row in {page}")));
            }
        }
        let is_permissive = package.license.as_deref().is_some_and(|name| name.starts_with("MIT"));
        if is_permissive && !names(text(LICENCE_COMMAND)).any(|name| name == package.name) {
            findings.push(Finding::whole(&package.folder, format!("not in {LICENCE_COMMAND}")));
        }
        let licence = package.license.as_deref().unwrap_or_default();
        let mut paragraphs = text(LICENCES).split("\n\n");
        let named = paragraphs.find(|paragraph| paragraph.starts_with(licence)).unwrap_or_default();
        if !names(named).any(|name| name == package.name) {
            let message = format!("{LICENCES} does not name it under {licence}");
            findings.push(Finding::whole(&package.folder, message));
        }
    }
    findings
}

/// The words of a list with commas.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(|c: char| c.is_whitespace() || c == ',')
}

/// The index of the documentation has a line for each page.
pub(crate) fn index(workspace: &Workspace) -> Vec<Finding> {
    let index = workspace.file(INDEX).map_or("", |file| file.text.as_str());
    let pages = workspace.files.iter().filter_map(|file| file.path.strip_prefix("docs/"));
    pages
        .filter(|page| page.ends_with(".md") && !page.contains('/') && *page != "README.md")
        .filter(|page| !index.contains(&format!("]({page})")))
        .map(|page| Finding::whole(&format!("docs/{page}"), format!("no line in {INDEX}")))
        .collect()
}

/// The column "links" of the map: the crates of the workspace that a crate links itself, and
/// shakmaty, without the prefix `koel-`.
pub(crate) fn links(workspace: &Workspace) -> Vec<Finding> {
    let map = workspace.file(MAP).map_or("", |file| file.text.as_str());
    let members: BTreeSet<&str> =
        workspace.packages.iter().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let is_row = |line: &&str| line.contains(&format!("]({})", package.folder));
        let Some(row) = map.lines().filter(|line| line.starts_with('|')).find(is_row) else {
            continue;
        };
        let column = row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
        let stated: BTreeSet<&str> =
            column.split(',').map(str::trim).filter(|name| *name != NO_LINKS).collect();
        let is_listed = |name: &&str| members.contains(name) || *name == "shakmaty";
        let linked = package.direct.iter().map(String::as_str).filter(is_listed);
        let linked: BTreeSet<&str> =
            linked.map(|name| name.strip_prefix("koel-").unwrap_or(name)).collect();
        if stated != linked {
            let linked = linked.into_iter().collect::<Vec<_>>().join(", ");
            let message = format!("{MAP} says that it links `{}`, not `{linked}`", column.trim());
            findings.push(Finding::whole(&package.folder, message));
        }
    }
    findings
}

/// The entry of a crate that links none.
const NO_LINKS: &str = "none";

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
        let package = |name: &str, licence: &str| Package {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            license: Some(licence.to_owned()),
            ..Package::default()
        };
        let found = |name, licence| {
            let packages = vec![package(name, licence)];
            crates(&Workspace { packages, ..Workspace::of_files(&files) }).len()
        };
        assert_eq!(found("koel-uci", "MIT"), 0);
        assert_eq!(found("koel", "GPL"), 0);
        assert_eq!(found("koel-uci", "GPL"), 1);
        assert_eq!(found("koel-tt", "MIT"), 2);
        assert_eq!(found("koel-u", "MIT"), 4);
    }

    #[test]
    fn a_page_that_is_not_in_the_index_is_found() {
        let files = [
            (INDEX, "| [a.md](a.md) | the page a |\n"),
            ("docs/a.md", ""),
            ("docs/b.md", ""),
            ("docs/history/c.md", ""),
        ];
        let found = index(&Workspace::of_files(&files));
        assert_eq!(found, [Finding::whole("docs/b.md", "no line in docs/README.md")]);
    }

    #[test]
    fn a_wrong_column_of_links_is_found() {
        let found = |row: &str, direct: &[&str]| {
            let package = |name: &str, direct: &[&str]| Package {
                name: name.to_owned(),
                folder: format!("crates/{name}"),
                direct: direct.iter().map(|&name| name.to_owned()).collect(),
                ..Package::default()
            };
            let packages = vec![package("koel-a", direct), package("koel-b", &[])];
            let map = format!("| 2 | [`koel-a`](crates/koel-a) | the letter a | {row} |\n");
            links(&Workspace { packages, ..Workspace::of_files(&[(MAP, &map)]) }).len()
        };
        assert_eq!(found("b, shakmaty", &["koel-b", "shakmaty", "arrayvec"]), 0);
        assert_eq!(found("none", &["arrayvec"]), 0);
        assert_eq!(found("b", &["koel-b", "shakmaty"]), 1);
        assert_eq!(found("b", &[]), 1);
        assert_eq!(found("none", &["koel-b"]), 1);
    }

    #[test]
    fn a_step_without_a_row_is_found() {
        let files = [
            ("crates/koel-search/src/steps/mod.rs", ""),
            ("crates/koel-search/src/steps/razor.rs", ""),
            ("crates/koel-search/src/steps/probcut.rs", ""),
            (SEARCH_PAGE, "| [`razor`](../crates/koel-search/src/steps/razor.rs) | |\n"),
        ];
        let findings = steps(&Workspace::of_files(&files));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].path.ends_with("probcut.rs"));
    }

    #[test]
    fn a_variable_that_no_test_reads_is_found() {
        let files = [
            (LONG_RUNS, "test.env(\"KOEL_DAYS\", \"2\").env(\"KOEL_NIGHTS\", \"2\")"),
            ("tests/long.rs", "var(\"KOEL_NIGHTS\"); var(\"KOEL_DAY\")"),
        ];
        let findings = variables(&Workspace::of_files(&files));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].message.ends_with("KOEL_DAYS"));
    }
}
