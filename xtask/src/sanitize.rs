//! ThreadSanitizer on searches with four threads, and on random requests to an engine.
//!
//! It needs a nightly compiler. With `rust-src` the standard library is instrumented too; without
//! it the sanitizer misses some synchronisation of that library, and `sanitize.suppressions` lists
//! the false reports that result.

use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

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

const SUPPRESSIONS: &str = "xtask/src/sanitize.suppressions";

/// Builds the engine with the sanitizer and runs the dialogue. Without a nightly compiler the check
/// is skipped with a message.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    let Some(Nightly { host, has_source }) = Nightly::find(shell) else {
        println!("skipped: there is no nightly compiler");
        println!("`rustup toolchain install nightly --component rust-src` gets one");
        return Ok(());
    };
    let (build_std, flags, options) = if has_source {
        (Some("-Zbuild-std"), "-Zsanitizer=thread", String::new())
    } else {
        println!("without rust-src: reports about the standard library's own code are suppressed");
        let flags = "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer";
        (None, flags, format!(" suppressions={SUPPRESSIONS}"))
    };
    let target = "target/sanitizer";
    cmd!(shell, "rustup run nightly cargo build {build_std...} --target {host} -p koel --bin koel")
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", target)
        .run()?;
    let engine = format!("{target}/{host}/debug/koel");
    // The first race ends it, with an exit status that is no success.
    let options = format!("halt_on_error=1 exitcode=66{options}");
    cmd!(shell, "{engine}")
        .env("TSAN_OPTIONS", &options)
        .stdin(DIALOGUE)
        .run()
        .context("the sanitizer reported a race, or the engine failed")?;
    let test = ["-p", "koel-engine", "--test", "requests", "each_go", "--", "--nocapture"];
    cmd!(shell, "rustup run nightly cargo test {build_std...} --target {host} {test...}")
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", target)
        .env("KOEL_REQUESTS", REQUESTS)
        .env("TSAN_OPTIONS", absolute(shell, &options))
        .run()
        .context("the sanitizer reported a race in random requests, or one of them failed")
}

/// The number of requests.
const REQUESTS: &str = "10000";

/// Returns the options with the path of the suppressions from the root of the workspace: cargo runs
/// a test in the folder of its package.
fn absolute(shell: &Shell, options: &str) -> String {
    let path = shell.current_dir().join(SUPPRESSIONS);
    options.replace(SUPPRESSIONS, &path.to_string_lossy())
}

/// The nightly compiler.
struct Nightly {
    /// The host triple.
    host: String,
    /// True if the source of the standard library is installed.
    has_source: bool,
}

impl Nightly {
    fn find(shell: &Shell) -> Option<Nightly> {
        let read = |arguments: &[&str]| {
            let command = cmd!(shell, "rustup run nightly rustc {arguments...}");
            command.quiet().ignore_stderr().read().ok()
        };
        let root = read(&["--print", "sysroot"])?;
        let source = Path::new(root.trim()).join("lib/rustlib/src/rust/library/Cargo.lock");
        let version = read(&["-vV"])?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "))?;
        Some(Nightly { host: host.to_owned(), has_source: source.exists() })
    }
}
