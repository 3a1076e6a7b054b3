//! `cargo xtask panics`: nothing panics and nothing allocates while nodes are searched.
//!
//! Asked of the release build, as its disassembly: what the compiler could not prove to be in range
//! is a call there. Every function is followed that the pages of the search name, and that these
//! name in turn. Calls through a table of functions (the supervisor, endgame tables) are the
//! world outside, and end there.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::engines;

/// Where the node loop begins: the module and the name of each page.
const PAGES: [(&str, &str); 3] = [
    ("koel_search::search_node::", "::search_node"),
    ("koel_search::quiesce::", "::quiesce"),
    ("koel_eval::evaluator::", "::evaluate"),
];

/// Functions of the C library that take or give memory, or end the program.
const IMPORTS: [&str; 7] =
    ["abort", "aligned_alloc", "calloc", "free", "malloc", "posix_memalign", "realloc"];

/// Builds the engine and looks. Where there is no `objdump`, says so.
pub(crate) fn run(shell: &Shell) -> Result<()> {
    if cmd!(shell, "objdump --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        println!("skipped: there is no objdump (Debian has it in binutils)");
        return Ok(());
    }
    let engine = engines::resolve(shell, "koel")?.command;
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
    println!("{functions} functions of the node loop: none panics, none allocates");
    Ok(())
}

/// The functions of a program by their address.
struct Program<'a> {
    functions: HashMap<u64, Function<'a>>,
}

#[derive(Default)]
struct Function<'a> {
    name: &'a str,
    /// What its instructions name by address: mostly calls and jumps.
    mentions: Vec<Mention<'a>>,
}

struct Mention<'a> {
    address: u64,
    name: &'a str,
}

/// How often a function calls what it should not.
type Findings<'a> = BTreeMap<(&'a str, &'a str), usize>;

impl<'a> Program<'a> {
    /// Reads what `objdump` prints.
    fn parse(text: &'a str) -> Program<'a> {
        let mut functions = HashMap::new();
        let mut here = Function::default();
        let mut at = None;
        for line in text.lines() {
            if let Some(begins) = line.strip_suffix(':').and_then(mention) {
                let name = begins.name;
                let before = std::mem::replace(&mut here, Function { name, ..Function::default() });
                at.replace(begins.address).map(|address| functions.insert(address, before));
            } else if let Some((_, instruction)) = line.split_once(":\t") {
                here.mentions.extend(mention(instruction));
            }
        }
        at.map(|address| functions.insert(address, here));
        Program { functions }
    }

    /// How many functions can be reached from the pages, and what they call that they should not.
    fn search(&self) -> Result<(usize, Findings<'a>)> {
        let mut open = Vec::new();
        for (module, name) in PAGES {
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
            for mention in &function.mentions {
                let is_function = self.functions.contains_key(&mention.address);
                if mention.is_forbidden(is_function) {
                    *findings.entry((function.name, mention.name)).or_default() += 1;
                } else if is_function && seen.insert(mention.address) {
                    open.push(mention.address);
                }
            }
        }
        Ok((seen.len(), findings))
    }
}

impl Mention<'_> {
    /// Whether it panics or has to do with memory.
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

/// What an instruction names: `call   2e5fc0 <name>` or `call   *0x2(%rip)   # 3c3a90 <name>`.
fn mention(instruction: &str) -> Option<Mention<'_>> {
    let (before, name) = instruction.split_once(" <")?;
    let address = before.rsplit(char::is_whitespace).next()?;
    let address = u64::from_str_radix(address, 16).ok()?;
    Some(Mention { address, name: name.strip_suffix('>')? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "
koel:     file format elf64-x86-64

0000000000000100 <koel_search::search_node::<impl koel_search::search::Search>::search_node>:
 100:	push   %rbp
 101:	call   200 <koel_search::picker::Picker::advance>
 106:	jne    103 <koel_search::search_node::<impl koel_search::search::Search>::search_node+0x3>
 108:	call   *0x20(%r13)
 10c:	jmp    300 <koel_search::quiesce::<impl koel_search::search::Search>::quiesce>

0000000000000200 <koel_search::picker::Picker::advance>:
 200:	call   *0x300(%rip)        # 900 <memcpy@GLIBC_2.14>
 206:	ret

0000000000000300 <koel_search::quiesce::<impl koel_search::search::Search>::quiesce>:
 300:	call   100 <koel_search::search_node::<impl koel_search::search::Search>::search_node>
 305:	jmp    400 <koel_eval::evaluator::Evaluator::evaluate>

0000000000000400 <koel_eval::evaluator::Evaluator::evaluate>:
 400:	ret

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
    fn what_the_pages_do_not_reach_may_panic() {
        let program = Program::parse(PROGRAM);
        assert_eq!(program.functions.len(), 6);
        let (functions, findings) = program.search().unwrap();
        assert_eq!((functions, findings.len()), (4, 0));
    }

    #[test]
    fn what_they_reach_may_not() {
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
    fn a_page_that_is_missed_is_an_error() {
        assert!(Program::parse(&PROGRAM.replace("::quiesce", "::calm")).search().is_err());
    }
}
