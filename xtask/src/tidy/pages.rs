//! What must keep up with the code: a page with the search, a command with the tests.

use super::Finding;
use super::house::House;
use super::source::words;

const STEPS: &str = "crates/koel-search/src/steps/";
const SEARCH_PAGE: &str = "docs/search.md";
const LONG_RUNS: &str = "xtask/src/ci.rs";

/// Every step of the search has a row in its page.
pub(crate) fn steps(house: &House) -> Vec<Finding> {
    let page = house.file(SEARCH_PAGE).map_or("", |file| file.text.as_str());
    let is_step = |path: &&str| path.ends_with(".rs") && !path.ends_with("/mod.rs");
    let steps = house.files.iter().map(|file| file.path.as_str());
    steps
        .filter(|path| path.starts_with(STEPS))
        .filter(is_step)
        .filter(|path| !page.contains(path))
        .map(|path| Finding::whole(path, format!("no row in {SEARCH_PAGE}")))
        .collect()
}

/// A test reads each variable that the long runs set: with another name it would run as usual and
/// nobody would notice.
pub(crate) fn variables(house: &House) -> Vec<Finding> {
    let long_runs = house.file(LONG_RUNS).map_or("", |file| file.text.as_str());
    let is_read = |name: &str| {
        let mut others = house.rust_files().filter(|file| file.path != LONG_RUNS);
        others.any(|file| words(&file.text).any(|word| word == name))
    };
    words(long_runs)
        .filter(|name| name.starts_with("KOEL_") && !is_read(name))
        .map(|name| Finding::whole(LONG_RUNS, format!("no test reads {name}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_without_a_row_is_found() {
        let files = [
            ("crates/koel-search/src/steps/mod.rs", ""),
            ("crates/koel-search/src/steps/razor.rs", ""),
            ("crates/koel-search/src/steps/probcut.rs", ""),
            (SEARCH_PAGE, "| [`razor`](../crates/koel-search/src/steps/razor.rs) | |\n"),
        ];
        let findings = steps(&House::of_files(&files));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].path.ends_with("probcut.rs"));
    }

    #[test]
    fn a_variable_that_no_test_reads_is_found() {
        let files = [
            (LONG_RUNS, "test.env(\"KOEL_DAYS\", \"2\").env(\"KOEL_NIGHTS\", \"2\")"),
            ("tests/long.rs", "var(\"KOEL_NIGHTS\"); var(\"KOEL_DAY\")"),
        ];
        let findings = variables(&House::of_files(&files));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].message.ends_with("KOEL_DAYS"));
    }
}
