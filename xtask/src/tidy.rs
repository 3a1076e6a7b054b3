//! `cargo xtask tidy`: the rules of the house that no compiler checks.
//!
//! A rule is a function from the [`House`] to what it finds wrong, listed in [`RULES`]. Its tests
//! build small houses from strings.

mod house;
mod links;
mod names;
mod packages;
mod pages;
mod source;
mod text;
mod walls;

use std::fmt;

use anyhow::{Result, bail};
use xshell::Shell;

use house::House;

/// Something against a rule.
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
    check: fn(&House) -> Vec<Finding>,
}

const RULES: &[Rule] = &[
    Rule { name: "floors: an arrow between crates points down", check: walls::floors },
    Rule { name: "crates for other authors know no board", check: walls::board_free },
    Rule { name: "licences follow from what is linked", check: walls::licences },
    Rule { name: "the engine is Rust alone", check: walls::pure_rust },
    Rule { name: "below koel: no output, clock or thread", check: walls::sealed },
    Rule { name: "every package is described and has a README", check: packages::described },
    Rule { name: "every package inherits lints and Rust version", check: packages::inheriting },
    Rule { name: "files have at most 400 lines", check: text::short },
    Rule { name: "files have telling names", check: names::telling },
    Rule { name: "nothing is left open", check: text::finished },
    Rule { name: "unsafe stays in its rooms", check: walls::unsafe_rooms },
    Rule { name: "clean line ends", check: text::clean_lines },
    Rule { name: "no paths of one machine", check: text::no_machine_paths },
    Rule { name: "relative links lead somewhere", check: links::resolve },
    Rule { name: "every step of the search has a row in its page", check: pages::steps },
    Rule { name: "every crate is on the map and under its licence", check: pages::crates },
    Rule { name: "a test reads what the long runs set", check: pages::variables },
];

pub(crate) fn run(shell: &Shell) -> Result<()> {
    let house = House::load(shell)?;
    let mut total = 0;
    for rule in RULES {
        let mut findings = (rule.check)(&house);
        findings.sort();
        let mark = if findings.is_empty() { "ok " } else { "NOT" };
        println!("{mark} {}", rule.name);
        findings.iter().for_each(|finding| println!("      {finding}"));
        total += findings.len();
    }
    if total > 0 {
        bail!("{total} things are not as the house wants them");
    }
    println!("{} files, {} packages: tidy", house.files.len(), house.packages.len());
    Ok(())
}
