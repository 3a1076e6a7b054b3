//! Records the commit, the compiler and the target, for the name of the engine and the command
//! `compiler`.
#![allow(clippy::print_stdout, reason = "the output of a build script is read by cargo")]

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output_of(&compiler, &["--version"]);
    println!("cargo::rustc-env=KOEL_COMPILER={}", version.as_deref().unwrap_or("rustc"));
    println!("cargo::rustc-env=KOEL_TARGET={}", env::var("TARGET").unwrap_or_default());
    println!("cargo::rustc-env=KOEL_VERSION={}", engine_version());
}

/// Returns the version of the package; with the date and the commit where the source is a checkout
/// of a commit that is not tagged with that version.
fn engine_version() -> String {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if !is_checkout() {
        return version;
    }
    // HEAD, and the branch that it names.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let tags = git(&["tag", "--points-at", "HEAD"]).unwrap_or_default();
    if tags.lines().any(|tag| tag.trim_start_matches('v') == version) {
        return version;
    }
    let commit = git(&["log", "-1", "--date=format:%Y%m%d", "--abbrev=8", "--format=%cd-%h"]);
    commit.map_or(version.clone(), |commit| format!("{version}-dev-{commit}"))
}

/// Returns true if the package lies in a checkout of its own repository, not in one of another
/// project that holds a copy of it.
fn is_checkout() -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize();
    let top = git(&["rev-parse", "--show-toplevel"]).map(|top| Path::new(&top).canonicalize());
    root.is_ok_and(|root| top.and_then(Result::ok).is_some_and(|top| top == root))
}

fn git(arguments: &[&str]) -> Option<String> {
    output_of("git", arguments)
}

/// Returns what a program prints, if it succeeds.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success());
    text.map(|text| text.trim().to_owned())
}
