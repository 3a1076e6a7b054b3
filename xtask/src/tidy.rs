//! `cargo xtask tidy`: the rules of the workspace that no compiler checks.
//!
//! A rule is a function from the [`Workspace`] to its findings, listed in [`RULES`]. Its tests
//! build small workspaces from strings.

mod circles;
mod files;
mod imports;
mod layering;
mod links;
mod lists;
mod names;
mod packages;
mod pages;
mod publishing;
mod source;
mod text;
mod workspace;

use std::fmt;

use anyhow::{Result, bail};
use xshell::Shell;

use workspace::Workspace;

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    /// From 1; 0 when the whole file or package is meant.
    line: usize,
    message: String,
}

impl Finding {
    fn whole(path: &str, message: impl Into<String>) -> Finding {
        Finding::at(path, 0, message)
    }

    fn at(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

struct Rule {
    name: &'static str,
    check: fn(&Workspace) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "dependencies between crates point to lower layers", check: layering::downward },
    Rule { name: "crates for other authors know no board", check: layering::board_free },
    Rule { name: "licences follow from what is linked", check: layering::licences },
    Rule { name: "the engine is Rust alone", check: layering::pure_rust },
    Rule { name: "below koel: no output, clock or thread", check: layering::sealed },
    Rule { name: "input files are opened through koel-files", check: files::checked },
    Rule { name: "files do not import each other in a circle", check: circles::none },
    Rule { name: "public types of different crates differ in name", check: names::distinct },
    Rule { name: "every package is described and has a README", check: packages::described },
    Rule { name: "every package inherits lints and Rust version", check: packages::inheriting },
    Rule { name: "a registry shows what a package is", check: publishing::shown },
    Rule { name: "a package contains its licences", check: publishing::licensed },
    Rule { name: "a package's README stands alone", check: publishing::introduced },
    Rule { name: "files have at most 400 lines", check: text::short },
    Rule { name: "file names are meaningful", check: names::meaningful },
    Rule { name: "no work is left open", check: text::finished },
    Rule { name: "doc comments do not begin like a question", check: text::described },
    Rule { name: "unsafe code is in the modules named for it", check: layering::unsafe_modules },
    Rule { name: "the map lists all unsafe code", check: lists::unsafe_places },
    Rule { name: "the README lists what the engine links", check: lists::dependencies },
    Rule { name: "clean line ends", check: text::clean_lines },
    Rule { name: "no paths of one machine", check: text::no_machine_paths },
    Rule { name: "links into the repository resolve", check: links::resolve },
    Rule { name: "every step of the search has a row in its page", check: pages::steps },
    Rule { name: "every page is in the index", check: pages::index },
    Rule { name: "every crate is on the map and under its licence", check: pages::crates },
    Rule { name: "the map states what each crate links", check: pages::links },
    Rule { name: "a test reads each variable of the long runs", check: pages::variables },
];

pub(crate) fn run(shell: &Shell) -> Result<()> {
    let workspace = Workspace::load(shell)?;
    let mut total = 0;
    for rule in RULES {
        let mut findings = (rule.check)(&workspace);
        findings.sort();
        let mark = if findings.is_empty() { "ok " } else { "NOT" };
        println!("{mark} {}", rule.name);
        findings.iter().for_each(|finding| println!("      {finding}"));
        total += findings.len();
    }
    if total > 0 {
        bail!("{total} findings against the rules of the workspace");
    }
    println!("{} files, {} packages: tidy", workspace.files.len(), workspace.packages.len());
    Ok(())
}
