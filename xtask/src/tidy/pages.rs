//! Pages that must keep up with the code.

use super::Finding;
use super::house::House;

const STEPS: &str = "crates/koel-search/src/steps/";
const SEARCH_PAGE: &str = "docs/search.md";

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
}
