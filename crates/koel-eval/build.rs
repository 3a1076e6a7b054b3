//! Selects the network that is built in: the one in the folder `network`, or the file
//! `KOEL_NETWORK`.
#![allow(clippy::print_stdout, reason = "the interface of build scripts")]

mod check_network;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use check_network::check_network;

/// The folder of the default network, which holds that file alone.
const FOLDER: &str = "network";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(FOLDER);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=check_network.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-env-changed=KOEL_NETWORK");
    let default = default_network(&folder)?;
    let chosen = env::var_os("KOEL_NETWORK").filter(|path| !path.is_empty()).map(PathBuf::from);
    let file = chosen.unwrap_or_else(|| default.clone());
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=KOEL_NETWORK_FILE={}", file.display());
    println!("cargo::rustc-env=KOEL_NETWORK_NAME={name}");
    let read = |path: &Path| fs::read(path).map_err(|error| format!("it cannot be read: {error}"));
    let checked = read(&file).and_then(|network| check_network(&network, &read(&default)?));
    if let Err(problem) = checked {
        println!("cargo::error=the network {}: {problem}", file.display());
    }
    Ok(())
}

/// Returns the only network file of a folder.
fn default_network(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "koelnet") {
            files.push(path);
        }
    }
    match <[PathBuf; 1]>::try_from(files) {
        Ok([file]) => Ok(file),
        Err(files) => Err(format!(
            "{} must hold one network file (.koelnet), not {}",
            folder.display(),
            files.len()
        )
        .into()),
    }
}
