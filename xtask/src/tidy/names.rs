//! Names of files.

use super::Finding;
use super::house::House;

/// Names that say nothing about what is inside.
const SAY_NOTHING: &[&str] = &["common", "defs", "helpers", "misc", "types", "util", "utils"];

pub(crate) fn telling(house: &House) -> Vec<Finding> {
    let says_nothing = |path: &str| {
        path.split('/').any(|name| SAY_NOTHING.contains(&name.trim_end_matches(".rs")))
    };
    house
        .rust_files()
        .filter(|file| says_nothing(&file.path))
        .map(|file| Finding::whole(&file.path, "a name that says nothing"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_found() {
        let files =
            [("a/src/utils.rs", ""), ("a/src/common/table.rs", ""), ("a/src/common_mate.rs", "")];
        assert_eq!(telling(&House::of_files(&files)).len(), 2);
    }
}
