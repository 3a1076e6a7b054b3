//! `cargo xtask tidy`: the rules of the workspace that no other tool checks.
//!
//! Rules for the text of files are regular expressions; rules for manifests and pages are functions
//! of the [`Workspace`].

mod links;
mod manifests;
mod module_circles;
mod pages;
mod workspace;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use workspace::Workspace;

/// A regular expression that no line matches. (Brackets keep it from matching itself.)
struct Pattern {
    rule: &'static str,
    expression: &'static str,
    files: &'static [&'static str],
}

const PATTERNS: &[Pattern] = &[
    Pattern { rule: "clean line ends", expression: "[[:space:]]$", files: &[] },
    Pattern {
        rule: "no paths of one machine",
        expression: "(^|[^[:alnum:]._~/})-])/(home|root|tmp|Users|work|mnt)/",
        files: &[],
    },
    Pattern {
        rule: "no work is left open",
        expression: "//.*\\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\\b",
        files: &["*.rs"],
    },
    Pattern {
        rule: "a doc comment says what an item is or does",
        expression: "^[[:space:]]*//[/!] (What|How|Whether|The same)\\b",
        files: &["*.rs"],
    },
    Pattern {
        rule: "unsafe code is in the modules named for it",
        expression: "^[^/\"]*\\bunsafe\\b",
        files: &["crates/*.rs", ":!*/simd*", ":!*/prefetch.rs", ":!*/huge_pages.rs"],
    },
];

/// A function from the workspace to its findings, each with the path.
type Check = fn(&Workspace) -> Vec<String>;

const CHECKS: &[(&str, Check)] = &[
    ("no line of Rust over 100 columns", wide_lines),
    ("licences follow from what is linked", manifests::licences),
    ("every package inherits lints and Rust version", manifests::inheriting),
    ("links into the repository resolve", links::resolve),
    ("no module imports one that imports it", module_circles::find),
    ("every page and every step of the search has a row", pages::rows_of_files),
    ("every crate is on the map and under its licence", pages::crates),
    ("the map lists what the engine links", pages::dependencies),
    ("a test reads each variable of the long runs", pages::variables),
];

/// A file of more lines than this is mentioned: a type or a module may be missing.
const MANY_LINES: usize = 600;

pub(crate) fn run(shell: &Shell) -> Result<()> {
    let workspace = Workspace::load(shell)?;
    let of_patterns = PATTERNS.iter().map(|pattern| (pattern.rule, pattern.find(shell)));
    let of_checks = CHECKS.iter().map(|(rule, check)| (*rule, Ok(check(&workspace))));
    let mut total = 0;
    for (rule, findings) in of_patterns.chain(of_checks) {
        let findings = findings?;
        println!("{} {rule}", if findings.is_empty() { "ok " } else { "NOT" });
        findings.iter().for_each(|finding| println!("      {finding}"));
        total += findings.len();
    }
    for (path, text) in workspace.files_ending_in(".rs") {
        let lines = text.lines().count();
        if lines > MANY_LINES {
            println!("note: {path} has {lines} lines");
        }
    }
    if total > 0 {
        bail!("{total} findings against the rules of the workspace");
    }
    println!("{} files, {} packages: tidy", workspace.files.len(), workspace.packages.len());
    Ok(())
}

/// The width to which rustfmt keeps code, but neither comments nor strings.
const MAX_WIDTH: usize = 100;

fn wide_lines(workspace: &Workspace) -> Vec<String> {
    let lines = workspace.files_ending_in(".rs").flat_map(|(path, text)| {
        let wide = text.lines().enumerate().filter(|(_, line)| line.chars().count() > MAX_WIDTH);
        wide.map(move |(index, line)| format!("{path}:{}: {line}", index + 1))
    });
    lines.collect()
}

impl Pattern {
    /// Returns the lines that match, with path and number.
    fn find(&self, shell: &Shell) -> Result<Vec<String>> {
        let (expression, files) = (self.expression, self.files);
        let command = cmd!(shell, "git grep --untracked -InE -e {expression} -- {files...}");
        // Without a match it fails, in silence.
        let output = command.quiet().ignore_status().output()?;
        if !output.stderr.is_empty() {
            bail!("git grep: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_what_they_should_and_nothing_else() {
        let [home, root] = ["home", "root"].map(|folder| format!("/{folder}/"));
        let todo = ["TO", "DO"].concat();
        let texts = [
            "a \nb\r\n\tc\nd\n".to_owned(),
            format!("see {home}me\nsee ..{home}me\nx{root}y\n\"{root}y\"\n"),
            format!("let todo = 1;\nx // {todo}: more\n// todo\n\"{todo}\"\n"),
            "//! What it is.\n/// The sum.\n    /// Whether it is one.\n// How\n/// Whatever\n"
                .to_owned(),
            "#![forbid(unsafe_code)]\n// unsafe\n    unsafe { x() }\n".to_owned(),
        ];
        let expected: [&[usize]; 5] = [&[1, 2], &[1, 4], &[2], &[1, 3], &[3]];
        for ((pattern, text), expected) in PATTERNS.iter().zip(texts).zip(expected) {
            let shell = Shell::new().unwrap();
            let folder = shell.create_temp_dir().unwrap();
            shell.change_dir(folder.path());
            cmd!(shell, "git init --quiet").quiet().run().unwrap();
            shell.write_file("crates/a.rs", text).unwrap();
            let found = pattern.find(&shell).unwrap();
            let number = |line: &String| line.split(':').nth(1).unwrap().parse::<usize>().unwrap();
            assert_eq!(found.iter().map(number).collect::<Vec<_>>(), expected, "{}", pattern.rule);
        }
    }
}
