//! `cargo xtask panics`: checks that no code of the node loop can panic or allocate.
//!
//! The release build is disassembled: a bounds check that the compiler could not remove is a call
//! there. Every function is followed that the search functions call, directly or through others.
//! Indirect calls (the supervisor, endgame tables) are not followed.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::engine;

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
    let engine = engine::build(shell)?;
    let text = cmd!(shell, "objdump --disassemble --demangle --no-show-raw-insn {engine}")
        .quiet()
        .read()
        .context("the engine cannot be disassembled")?;
    let program = Program::parse(&text);
    let (functions, findings) = program.search()?;
    for ((caller, callee), count) in &findings {
        println!("{caller}\n    {count} x {callee}");
    }
    ensure!(findings.is_empty(), "the node loop can panic or allocate");
    println!("{functions} functions in the node loop: none panics, none allocates");
    Ok(())
}

/// The functions of a program by their address.
struct Program<'a> {
    functions: HashMap<u64, Function<'a>>,
}

#[derive(Default)]
struct Function<'a> {
    name: &'a str,
    /// The addresses that its instructions name: mostly calls and jumps.
    references: Vec<Reference<'a>>,
}

struct Reference<'a> {
    address: u64,
    name: &'a str,
}

/// The number of forbidden calls by caller and callee.
type Findings<'a> = BTreeMap<(&'a str, &'a str), usize>;

impl<'a> Program<'a> {
    /// Parses the output of `objdump`.
    fn parse(text: &'a str) -> Program<'a> {
        let mut functions = HashMap::new();
        let mut here = Function::default();
        let mut at = None;
        for line in text.lines() {
            if let Some(begins) = line.strip_suffix(':').and_then(reference) {
                let name = begins.name;
                let before = std::mem::replace(&mut here, Function { name, ..Function::default() });
                at.replace(begins.address).map(|address| functions.insert(address, before));
            } else if let Some((_, instruction)) = line.split_once(":\t") {
                here.references.extend(reference(instruction));
            }
        }
        at.map(|address| functions.insert(address, here));
        Program { functions }
    }

    /// Returns the number of functions that the entry points reach, and the forbidden calls.
    fn search(&self) -> Result<(usize, Findings<'a>)> {
        let mut open = Vec::new();
        for (module, name) in ENTRIES {
            let is_page = |function: &Function<'_>| {
                function.name.starts_with(module) && function.name.ends_with(name)
            };
            let before = open.len();
            open.extend(self.functions.iter().filter(|(_, f)| is_page(f)).map(|(&at, _)| at));
            if open.len() == before {
                bail!("there is no function {module}..{name}: was it renamed?");
            }
        }
        let mut seen: HashSet<u64> = open.iter().copied().collect();
        let mut findings = Findings::new();
        while let Some(function) = open.pop().and_then(|at| self.functions.get(&at)) {
            for reference in &function.references {
                let is_function = self.functions.contains_key(&reference.address);
                if reference.is_forbidden(is_function) {
                    *findings.entry((function.name, reference.name)).or_default() += 1;
                } else if is_function && seen.insert(reference.address) {
                    open.push(reference.address);
                }
            }
        }
        Ok((seen.len(), findings))
    }
}

impl Reference<'_> {
    /// Returns true if the target panics, allocates or frees memory.
    fn is_forbidden(&self, is_function: bool) -> bool {
        if let Some((import, _)) = self.name.split_once('@') {
            return IMPORTS.contains(&import);
        }
        let name = self.name.trim_start_matches('<');
        is_function
            && (name.starts_with("alloc::")
                || name.contains("__rust_")
                || name.contains("panic")
                || name.starts_with("core::") && name.contains("_fail"))
    }
}

/// Parses the target of an instruction: `call   2e5fc0 <name>` or
/// `call   *0x2(%rip)   # 3c3a90 <name>`.
fn reference(instruction: &str) -> Option<Reference<'_>> {
    let (before, name) = instruction.split_once(" <")?;
    let address = before.rsplit(char::is_whitespace).next()?;
    let address = u64::from_str_radix(address, 16).ok()?;
    Some(Reference { address, name: name.strip_suffix('>')? })
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

    fn findings(program: &str) -> Vec<(String, usize)> {
        let program = Program::parse(program);
        let (_, findings) = program.search().unwrap();
        findings.iter().map(|((_, callee), &count)| ((*callee).to_owned(), count)).collect()
    }

    #[test]
    fn unreached_functions_may_panic() {
        let program = Program::parse(PROGRAM);
        assert_eq!(program.functions.len(), 7);
        let (functions, findings) = program.search().unwrap();
        assert_eq!((functions, findings.len()), (5, 0));
    }

    #[test]
    fn reached_functions_may_not() {
        for (instead, callee) in [
            (
                "call   600 <core::panicking::panic_bounds_check>",
                "core::panicking::panic_bounds_check",
            ),
            ("jae    600 <core::option::expect_failed>", "core::option::expect_failed"),
            (
                "call   600 <alloc::raw_vec::RawVec<T,A>::grow_one>",
                "alloc::raw_vec::RawVec<T,A>::grow_one",
            ),
            ("call   *0x300(%rip)        # 900 <malloc@GLIBC_2.2.5>", "malloc@GLIBC_2.2.5"),
        ] {
            let changed = PROGRAM.replace(" 206:\tret", &format!(" 206:\t{instead}"));
            assert_eq!(findings(&changed), [(callee.to_owned(), 1)], "{instead}");
        }
    }

    #[test]
    fn a_missing_entry_point_is_an_error() {
        assert!(Program::parse(&PROGRAM.replace("::quiesce", "::calm")).search().is_err());
    }
}
