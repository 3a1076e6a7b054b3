//! Records the compiler version and target for the command `compiler`.
#![allow(clippy::print_stdout, reason = "the output of a build script is read by cargo")]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=KOEL_COMPILER={}", version.as_deref().unwrap_or("rustc").trim());
    println!("cargo::rustc-env=KOEL_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
