//! ThreadSanitizer on searches with four threads, and on random requests to an engine.
//!
//! It needs a nightly compiler. With `rust-src` the standard library is instrumented too; without
//! it the sanitizer misses some synchronisation of that library, and `sanitize.suppressions` lists
//! the false reports that result.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Cmd, Shell, cmd};

/// The UCI dialogue: searches of several kinds, some of them interrupted, and changes of the
/// transposition table between them.
const DIALOGUE: &str = "\
setoption name Threads value 4
setoption name Hash value 1
go depth 9
wait
ucinewgame
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
go movetime 3000
wait
setoption name Clear Hash
setoption name Hash value 5
position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
go infinite
stop
setoption name Threads value 3
go nodes 200000
wait
quit
";

/// Builds the engine with the sanitizer, and runs the dialogue and the requests. Without a nightly
/// compiler the check is skipped with a message.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    let rustc = |argument: &str| {
        let command = cmd!(shell, "rustup run nightly rustc {argument}");
        command.quiet().ignore_stderr().read().ok()
    };
    let Some((version, sysroot)) = rustc("-vV").zip(rustc("--print=sysroot")) else {
        println!("skipped: no nightly compiler; `rustup toolchain install nightly -c rust-src`");
        return Ok(());
    };
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not name its host")?;
    let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/Cargo.lock");
    // The first race ends a program, with an exit status that is no success.
    let mut options = "halt_on_error=1 exitcode=66".to_owned();
    let (build_std, flags) = if source.exists() {
        (Some("-Zbuild-std"), "-Zsanitizer=thread")
    } else {
        println!("without rust-src: reports about the standard library's own code are suppressed");
        let suppressions = shell.current_dir().join("xtask/src/sanitize.suppressions");
        options += &format!(" suppressions={}", suppressions.display());
        (None, "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer")
    };
    let target = "target/sanitizer";
    let sanitized = |command: Cmd<'_>| {
        let command = command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", target);
        command.env("TSAN_OPTIONS", &options).run()
    };
    let cargo = |command: &str| {
        cmd!(shell, "rustup run nightly cargo {command} {build_std...} --target {host}")
    };
    sanitized(cargo("build").args(["-p", "koel", "--bin", "koel"]))?;
    let engine = format!("{target}/{host}/debug/koel");
    sanitized(cmd!(shell, "{engine}").stdin(DIALOGUE))
        .context("the sanitizer reported a race, or the engine failed")?;
    let test = ["-p", "koel-engine", "--test", "requests", "each_go", "--", "--nocapture"];
    sanitized(cargo("test").args(test).env("KOEL_REQUESTS", "10000"))
        .context("the sanitizer reported a race in random requests, or one of them failed")
}
