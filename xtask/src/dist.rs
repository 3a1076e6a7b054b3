//! `cargo xtask dist`: the archives of a release, for the platform that runs it.
//!
//! A release is built by `.github/workflows/release.yml` with this command on each platform, so
//! that it can be tried on any machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use sha2::{Digest, Sha256};
use xshell::{Shell, cmd};

use crate::bench;

/// A program of a release.
#[derive(Debug)]
struct Build {
    /// The name of its archive, after the version.
    name: &'static str,
    target: &'static str,
    /// The oldest processor that it runs on, as the compiler names it.
    cpu: &'static str,
}

/// All programs of a release, the one for most machines first on each platform.
const BUILDS: &[Build] = &[
    Build { name: "linux-x86-64", target: "x86_64-unknown-linux-gnu", cpu: "x86-64" },
    Build { name: "linux-x86-64-v3", target: "x86_64-unknown-linux-gnu", cpu: V3 },
    Build { name: "linux-arm64", target: "aarch64-unknown-linux-gnu", cpu: "generic" },
    Build { name: "windows-x86-64", target: "x86_64-pc-windows-msvc", cpu: "x86-64" },
    Build { name: "windows-x86-64-v3", target: "x86_64-pc-windows-msvc", cpu: V3 },
    Build { name: "macos-x86-64", target: "x86_64-apple-darwin", cpu: "x86-64" },
    Build { name: "macos-x86-64-v3", target: "x86_64-apple-darwin", cpu: V3 },
    Build { name: "macos-arm64", target: "aarch64-apple-darwin", cpu: "apple-m1" },
];

/// Processors with AVX2 and BMI2: Intel from Haswell (2013), AMD from Zen (2017).
const V3: &str = "x86-64-v3";

/// An emulator of x86-64, and a processor from before SSSE3, POPCNT and AVX.
const EMULATOR: &str = "qemu-x86_64";
const EMULATED_CPU: &str = "Opteron_G1";
/// The depth of the bench under emulation, which is some fifty times slower.
const EMULATED_DEPTH: &str = "6";

/// The tag of this version.
const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// Files that go into an archive beside the program, with the pages of `docs` to which they and
/// `--help` refer.
const DOCUMENTS: &[&str] =
    &["README.md", "CHANGELOG.md", "LICENSE", "LICENSE-GPL", "LICENSE-MIT", "LICENSE-APACHE"];

#[derive(Args, Default)]
pub(crate) struct Dist {
    /// Make this archive alone, such as linux-x86-64-v3
    #[arg(long, value_name = "NAME")]
    build: Option<String>,
    /// Fail unless this tag is that of the version, such as v0.1.0
    #[arg(long)]
    tag: Option<String>,
}

impl Dist {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        if let Some(tag) = &self.tag {
            ensure!(tag[..] == *TAG, "the tag is {tag}, but the version has {TAG}");
        }
        let builds = self.chosen(&host(shell)?)?;
        builds.into_iter().try_for_each(|build| build.make(shell))
    }

    /// Returns the builds for this host that the arguments select.
    fn chosen(&self, host: &str) -> Result<Vec<&'static Build>> {
        let is_named = |build: &&Build| self.build.as_deref().is_none_or(|name| name == build.name);
        let builds = BUILDS.iter().filter(|build| build.target == host);
        let chosen: Vec<_> = builds.filter(is_named).collect();
        ensure!(!chosen.is_empty(), "no release is built on {host} under that name");
        Ok(chosen)
    }
}

/// Makes the first archive of this platform: the quickest check that releases can be made here.
pub(crate) fn make_first(shell: &Shell) -> Result<()> {
    Dist::default().chosen(&host(shell)?)?[0].make(shell)
}

/// Returns the platform of the compiler, such as `x86_64-unknown-linux-gnu`.
fn host(shell: &Shell) -> Result<String> {
    let version = cmd!(shell, "rustc -vV").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

impl Build {
    /// Compiles, checks and packs the program.
    fn make(&self, shell: &Shell) -> Result<()> {
        println!("== {}", self.name);
        let folder = shell.current_dir().join("target/dist");
        let program = self.compile(shell, &folder)?;
        if self.runs_here() {
            bench::compare_with_signature(shell, bench::measure(cmd!(shell, "{program} bench"))?)?;
        } else {
            println!("bench skipped: this machine is older than {V3}");
        }
        self.emulate(shell, &program)?;
        let archive = self.pack(shell, &folder, &program)?;
        write_checksum(&archive)
    }

    /// Compiles the engine, where rustup's component llvm-tools is installed by a profile of the
    /// bench (PGO).
    fn compile(&self, shell: &Shell, folder: &Path) -> Result<PathBuf> {
        // A folder of its own, or builds would replace each other.
        let folder = folder.join("build").join(self.name);
        let libraries = cmd!(shell, "rustc --print target-libdir").quiet().read()?;
        let profdata = Path::new(&libraries).with_file_name("bin").join("llvm-profdata");
        let profdata = profdata.with_extension(env::consts::EXE_EXTENSION);
        if !profdata.exists() || !self.runs_here() {
            println!("no profile: llvm-tools is not installed, or this machine is too old");
            return self.compile_with("", shell, &folder);
        }
        let [counts, profile] = ["counts", "koel.profdata"].map(|name| folder.join(name));
        let counting = format!(" -C profile-generate={}", counts.display());
        let program = self.compile_with(&counting, shell, &folder.join("instrumented"))?;
        shell.remove_path(&counts)?;
        cmd!(shell, "{program} bench").quiet().ignore_stdout().ignore_stderr().run()?;
        cmd!(shell, "{profdata} merge -o {profile} {counts}").run()?;
        self.compile_with(&format!(" -C profile-use={}", profile.display()), shell, &folder)
    }

    /// Compiles with the C library linked into the program, so that it runs on any distribution and
    /// on a Windows without the Visual C++ runtime. (macOS has no static C library.)
    fn compile_with(&self, flags: &str, shell: &Shell, folder: &Path) -> Result<PathBuf> {
        let (cargo, target, cpu) = (crate::cargo(), self.target, self.cpu);
        let statics = if target.contains("apple") { "" } else { " -C target-feature=+crt-static" };
        let flags = format!("-C target-cpu={cpu}{statics}{flags}");
        cmd!(shell, "{cargo} build --release --locked --package koel --bin koel")
            .args(["--target", target, "--target-dir"])
            .arg(folder)
            .env("RUSTFLAGS", flags)
            .run()?;
        Ok(folder.join(target).join("release/koel").with_extension(env::consts::EXE_EXTENSION))
    }

    /// True if this machine runs the program.
    fn runs_here(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.cpu != V3
            || is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        true
    }

    /// Compares a short bench on an emulated processor with the same on this one.
    fn emulate(&self, shell: &Shell, program: &Path) -> Result<()> {
        if self.target != "x86_64-unknown-linux-gnu" || self.cpu == V3 {
            return Ok(());
        }
        if cmd!(shell, "{EMULATOR} --version").quiet().ignore_stderr().read().is_err() {
            println!("emulation skipped: no {EMULATOR} (in Debian's package qemu-user)");
            return Ok(());
        }
        let native = bench::measure(cmd!(shell, "{program} bench {EMULATED_DEPTH}"))?;
        let emulated =
            cmd!(shell, "{EMULATOR} -cpu {EMULATED_CPU} {program} bench {EMULATED_DEPTH}");
        let emulated = bench::measure(emulated)?;
        ensure!(emulated == native, "{emulated} nodes on {EMULATED_CPU}, {native} on this machine");
        println!("{emulated} nodes on {EMULATED_CPU} as on this machine");
        Ok(())
    }

    /// Writes the archive: `.zip` for Windows, `.tar.gz` elsewhere.
    fn pack(&self, shell: &Shell, folder: &Path, program: &Path) -> Result<PathBuf> {
        let name = format!("koel-{}-{}", env!("CARGO_PKG_VERSION"), self.name);
        let content = folder.join(&name);
        shell.remove_path(&content)?;
        shell.create_dir(&content)?;
        shell.copy_file(program, &content)?;
        for document in DOCUMENTS {
            shell.copy_file(document, &content)?;
        }
        for (folder, extension) in [("docs", "md"), ("docs/images", "svg"), ("docs/images", "png")]
        {
            copy_files(shell, folder, extension, &content)?;
        }
        let ending = if self.target.contains("windows") { "zip" } else { "tar.gz" };
        let archive = folder.join(format!("{name}.{ending}"));
        let tar = tar();
        cmd!(shell, "{tar} -a -c -f {archive} -C {folder} {name}").run()?;
        Ok(archive)
    }
}

/// Copies the files of a folder that end so into the same folder of an archive's content.
fn copy_files(shell: &Shell, folder: &str, extension: &str, content: &Path) -> Result<()> {
    let target = content.join(folder);
    shell.create_dir(&target)?;
    let files = shell.read_dir(folder)?;
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == extension)) {
        shell.copy_file(file, &target)?;
    }
    Ok(())
}

/// The archiver: on Windows that of the system, which writes `.zip`; another may come first on the
/// path.
fn tar() -> PathBuf {
    match env::var_os("SystemRoot") {
        Some(root) if cfg!(windows) => Path::new(&root).join("System32").join("tar.exe"),
        _ => "tar".into(),
    }
}

/// Writes the SHA-256 of a file beside it, as `sha256sum --check` reads it.
fn write_checksum(archive: &Path) -> Result<()> {
    let name = archive.file_name().and_then(|name| name.to_str()).context("no file name")?;
    let digest = Sha256::digest(fs::read(archive)?);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{digest}  {name}");
    Ok(fs::write(archive.with_file_name(format!("{name}.sha256")), format!("{digest}  {name}\n"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dist: Dist, host: &str) -> Vec<&'static str> {
        dist.chosen(host).unwrap().iter().map(|build| build.name).collect()
    }

    #[test]
    fn a_platform_makes_its_own_archives() {
        let host = "x86_64-unknown-linux-gnu";
        assert_eq!(names(Dist::default(), host), ["linux-x86-64", "linux-x86-64-v3"]);
        let one = |name: &str| Dist { build: Some(name.to_owned()), ..Dist::default() };
        assert_eq!(names(one("linux-x86-64-v3"), host), ["linux-x86-64-v3"]);
        assert!(one("macos-arm64").chosen(host).is_err());
        assert!(Dist::default().chosen("riscv64gc-unknown-linux-gnu").is_err());
    }

    #[test]
    fn the_workflow_builds_every_archive() {
        let workflow = include_str!("../../.github/workflows/release.yml");
        for build in BUILDS {
            assert!(workflow.contains(&format!("build: {} }}", build.name)), "{}", build.name);
        }
    }

    #[test]
    fn a_wrong_tag_is_refused() {
        let dist = Dist { tag: Some("v0.0.0".to_owned()), ..Dist::default() };
        let error = dist.run(&Shell::new().unwrap()).unwrap_err();
        assert!(error.to_string().contains("v0.0.0"), "{error}");
    }
}
