//! Programs by their paths and names.
#![cfg(feature = "cli")]
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use std::env;

use koel_arena::cli::find_program;

#[test]
fn a_path_is_a_file_and_a_name_is_on_the_search_path() {
    let this = env::current_exe().unwrap();
    let found = find_program(&this.to_string_lossy()).unwrap();
    assert_eq!(found.command, this);
    assert!(this.to_string_lossy().contains(&found.name));
    assert!(find_program("./no-such-engine").is_none());
    assert!(find_program("no-such-engine").is_none());
}
