//! `cargo xtask panics`: checks that no code of the node loop can panic or allocate.
//!
//! The release build is disassembled: a bounds check that the compiler could not remove is a call
//! there. Every function is followed that the search functions call, directly or through others.
//! Indirect calls (the supervisor, endgame tables) are not followed.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

/// The entry points of the node loop: the module and the name of each function.
const ENTRIES: [(&str, &str); 4] = [
    ("koel_search::search_node::", "::search_node"),
    ("koel_search::quiesce::", "::quiesce"),
    ("koel_eval::network::simd::", "::run_avx2"),
    ("koel_eval::network::simd::", "::run_avx512"),
];

/// Functions of the C library that allocate or free memory, or end the program.
const IMPORTS: [&str; 7] =
    ["abort", "aligned_alloc", "calloc", "free", "malloc", "posix_memalign", "realloc"];

/// Builds the engine and checks it. On other processors than x86-64 and without `objdump` the check
/// is skipped with a message.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    if !cfg!(target_arch = "x86_64") {
        println!("skipped: the check reads x86-64 code only");
        return Ok(());
    }
    if cmd!(shell, "objdump --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        println!("skipped: there is no objdump (Debian has it in binutils)");
        return Ok(());
    }
    let engine = build(shell)?;
    let text = cmd!(shell, "objdump --disassemble --demangle --no-show-raw-insn {engine}")
        .quiet()
        .read()
        .context("the engine cannot be disassembled")?;
    let (reached, findings) = search(&functions(&text))?;
    for ((caller, callee), count) in &findings {
        println!("{caller}\n    {count} x {callee}");
    }
    ensure!(findings.is_empty(), "the node loop can panic or allocate");
    println!("{reached} functions in the node loop: none panics, none allocates");
    Ok(())
}

/// Builds the engine in release mode and returns the program.
fn build(shell: &Shell) -> Result<String> {
    let cargo = crate::cargo();
    let build = cmd!(shell, "{cargo} build --release --bin koel --message-format json");
    let messages = build.quiet().read()?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| Some(message["executable"].as_str()?.into()));
    programs.next_back().context("cargo names no executable")
}

/// The functions of a program by their address: the name, and the references of the instructions,
/// mostly calls and jumps.
type Functions<'a> = HashMap<u64, (&'a str, Vec<Reference<'a>>)>;

/// The address that an instruction names, and what is there.
type Reference<'a> = (u64, &'a str);

/// The number of forbidden calls by caller and callee.
type Findings<'a> = BTreeMap<(&'a str, &'a str), usize>;

/// Parses the output of `objdump`.
fn functions(text: &str) -> Functions<'_> {
    let mut functions = Functions::new();
    let mut at = 0;
    for line in text.lines() {
        if let Some((address, name)) = line.strip_suffix(':').and_then(reference) {
            at = address;
            functions.insert(at, (name, Vec::new()));
        } else if let Some((_, instruction)) = line.split_once(":\t")
            && let Some((_, references)) = functions.get_mut(&at)
        {
            references.extend(reference(instruction));
        }
    }
    functions
}

/// Returns the number of functions that the entry points reach, and the forbidden calls.
fn search<'a>(functions: &Functions<'a>) -> Result<(usize, Findings<'a>)> {
    let mut open = Vec::new();
    for (module, end) in ENTRIES {
        let is_entry = |name: &str| name.starts_with(module) && name.ends_with(end);
        let before = open.len();
        open.extend(functions.iter().filter(|(_, (name, _))| is_entry(name)).map(|(&at, _)| at));
        ensure!(open.len() > before, "there is no function {module}..{end}: was it renamed?");
    }
    let mut seen: HashSet<u64> = open.iter().copied().collect();
    let mut findings = Findings::new();
    while let Some((caller, references)) = open.pop().and_then(|at| functions.get(&at)) {
        for &(address, callee) in references {
            let is_function = functions.contains_key(&address);
            if is_forbidden(callee, is_function) {
                *findings.entry((*caller, callee)).or_default() += 1;
            } else if is_function && seen.insert(address) {
                open.push(address);
            }
        }
    }
    Ok((seen.len(), findings))
}

/// Returns true if what is called panics, allocates or frees memory.
fn is_forbidden(name: &str, is_function: bool) -> bool {
    if let Some((import, _)) = name.split_once('@') {
        return IMPORTS.contains(&import);
    }
    let name = name.trim_start_matches('<');
    is_function
        && (name.starts_with("alloc::")
            || name.contains("__rust_")
            || name.contains("panic")
            || name.starts_with("core::") && name.contains("_fail"))
}

/// Parses the target of an instruction: `call   2e5fc0 <name>` or
/// `call   *0x2(%rip)   # 3c3a90 <name>`.
fn reference(instruction: &str) -> Option<Reference<'_>> {
    let (before, name) = instruction.split_once(" <")?;
    let address = before.rsplit(char::is_whitespace).next()?;
    Some((u64::from_str_radix(address, 16).ok()?, name.strip_suffix('>')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "
koel:     file format elf64-x86-64

0000000000000100 <koel_search::search_node::<impl koel_search::search::Search>::search_node>:
 100:	push   %rbp
 101:	call   200 <koel_search::move_picker::MovePicker::advance>
 106:	jne    103 <koel_search::search_node::<impl koel_search::search::Search>::search_node+0x3>
 108:	call   *0x20(%r13)
 10c:	jmp    300 <koel_search::quiesce::<impl koel_search::search::Search>::quiesce>

0000000000000200 <koel_search::move_picker::MovePicker::advance>:
 200:	call   *0x300(%rip)        # 900 <memcpy@GLIBC_2.14>
 206:	ret

0000000000000300 <koel_search::quiesce::<impl koel_search::search::Search>::quiesce>:
 300:	call   100 <koel_search::search_node::<impl koel_search::search::Search>::search_node>
 305:	jmp    400 <koel_eval::network::simd::run_avx2>

0000000000000400 <koel_eval::network::simd::run_avx2>:
 400:	ret

0000000000000480 <koel_eval::network::simd::run_avx512>:
 480:	jmp    400 <koel_eval::network::simd::run_avx2>

0000000000000500 <koel_search::iterate::iterate>:
 500:	call   600 <core::panicking::panic_bounds_check>

0000000000000600 <core::panicking::panic_bounds_check>:
 600:	ud2
";

    #[test]
    fn what_is_reached_neither_panics_nor_allocates() {
        let all = functions(PROGRAM);
        let (reached, findings) = search(&all).unwrap();
        assert_eq!((all.len(), reached, findings.len()), (7, 5, 0));
        for (address, callee) in [
            ("600", "core::panicking::panic_bounds_check"),
            ("600", "core::option::expect_failed"),
            ("600", "alloc::raw_vec::RawVec<T,A>::grow_one"),
            ("*0x300(%rip)        # 900", "malloc@GLIBC_2.2.5"),
        ] {
            let call = format!(" 206:\tcall   {address} <{callee}>");
            let changed = PROGRAM.replace(" 206:\tret", &call);
            let (_, findings) = search(&functions(&changed)).unwrap();
            let caller = "koel_search::move_picker::MovePicker::advance";
            assert_eq!(findings, Findings::from([((caller, callee), 1)]));
        }
    }

    #[test]
    fn a_missing_entry_point_is_an_error() {
        assert!(search(&functions(&PROGRAM.replace("::quiesce", "::calm"))).is_err());
    }
}
