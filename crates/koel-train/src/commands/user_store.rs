use std::path::PathBuf;

use koel_train::{RunStore, STORE_VARIABLE};

use super::Failure;

/// Returns the store in a folder, by default that of the user.
pub(crate) fn user_store(folder: Option<PathBuf>) -> Result<RunStore, Failure> {
    let store = folder.map(RunStore::new).or_else(RunStore::of_user);
    let hint = || format!("there is no home folder for the games: set {STORE_VARIABLE} or --store");
    Ok(store.ok_or_else(hint)?)
}
