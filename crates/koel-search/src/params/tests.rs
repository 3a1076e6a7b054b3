use std::collections::HashSet;
use std::path::Path;

use super::*;

#[test]
fn names_are_unique() {
    let names: HashSet<_> = ALL.iter().map(|param| (param.group, param.name)).collect();
    assert_eq!(names.len(), ALL.len());
}

/// The sources in a folder other than the table of parameters.
fn sources(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = entries.map(|path| match path.is_dir() {
        true => sources(&path),
        false if path.ends_with("params.rs") => String::new(),
        false => std::fs::read_to_string(&path).unwrap(),
    });
    text.collect()
}

#[test]
fn every_parameter_is_read() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The clock is read by the engine, not by the search.
    let text = sources(&here.join("src")) + &sources(&here.join("../koel-engine/src"));
    let is_unread = |param: &&Param| !text.contains(&format!("{}::{}()", param.group, param.name));
    let unread: Vec<_> = ALL.iter().filter(is_unread).map(|p| (p.group, p.name)).collect();
    assert!(unread.is_empty(), "nothing reads {unread:?}");
}

#[test]
fn parameters_of_features_that_are_off_are_not_in_use() {
    let idle = ALL.iter().filter(|param| !param.is_in_use());
    let idle: Vec<_> = idle.map(|param| (param.group, param.name)).collect();
    assert!(idle.contains(&("late_move_reduction", "escapes_threat")));
    assert!(!idle.contains(&("late_move_reduction", "check")));
}
