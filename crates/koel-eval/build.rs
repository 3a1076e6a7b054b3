//! Selects the network that is built in: that of the repository, or the file `KOEL_NETWORK`.
#![allow(clippy::print_stdout, reason = "the interface of build scripts")]

use std::env;
use std::path::{Path, PathBuf};

/// The network of the repository.
const DEFAULT_NETWORK: &str = "../../nets/v9.koelnet";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=KOEL_NETWORK");
    let chosen = env::var_os("KOEL_NETWORK").filter(|path| !path.is_empty()).map(PathBuf::from);
    let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let path = chosen.unwrap_or_else(|| Path::new(&folder).join(DEFAULT_NETWORK));
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=KOEL_NETWORK_FILE={}", path.display());
}
