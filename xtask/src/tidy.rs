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

/// A rule, a regular expression that no line matches, and the files. (Brackets keep it from
/// matching itself.)
type Pattern = (&'static str, &'static str, &'static [&'static str]);

const PATTERNS: &[Pattern] = &[
    ("clean line ends", "[[:space:]]$", &[]),
    ("no paths of one machine", "(^|[^[:alnum:]._~/})-])/(home|root|tmp|Users|work|mnt)/", &[]),
    ("no work is left open", "//.*\\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\\b", &["*.rs"]),
    (
        "unsafe code is in the modules named for it",
        "^[^/\"]*\\bunsafe\\b",
        &["crates/*.rs", ":!*/simd*", ":!*/prefetch.rs", ":!*/huge_pages.rs"],
    ),
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

pub(crate) fn run(shell: &Shell) -> Result<()> {
    let workspace = Workspace::load(shell)?;
    let of_patterns = PATTERNS.iter().map(|pattern| (pattern.0, lines(pattern, shell)));
    let of_checks = CHECKS.iter().map(|(rule, check)| (*rule, Ok(check(&workspace))));
    let mut total = 0;
    for (rule, findings) in of_patterns.chain(of_checks) {
        let findings = findings?;
        println!("{} {rule}", if findings.is_empty() { "ok " } else { "NOT" });
        findings.iter().for_each(|finding| println!("      {finding}"));
        total += findings.len();
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

/// Returns the lines that match, with path and number.
fn lines(&(_, expression, files): &Pattern, shell: &Shell) -> Result<Vec<String>> {
    let command = cmd!(shell, "git grep --untracked -InE -e {expression} -- {files...}");
    // Without a match it fails, in silence.
    let output = command.quiet().ignore_status().output()?;
    if !output.stderr.is_empty() {
        bail!("git grep: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
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
            "#![forbid(unsafe_code)]\n// unsafe\n    unsafe { x() }\n".to_owned(),
        ];
        let expected: [&[usize]; 4] = [&[1, 2], &[1, 4], &[2], &[3]];
        for ((pattern, text), expected) in PATTERNS.iter().zip(texts).zip(expected) {
            let shell = Shell::new().unwrap();
            let folder = shell.create_temp_dir().unwrap();
            shell.change_dir(folder.path());
            cmd!(shell, "git init --quiet").quiet().run().unwrap();
            shell.write_file("crates/a.rs", text).unwrap();
            let found = lines(pattern, &shell).unwrap();
            let number = |line: &String| line.split(':').nth(1).unwrap().parse::<usize>().unwrap();
            assert_eq!(found.iter().map(number).collect::<Vec<_>>(), expected, "{}", pattern.0);
        }
    }
}
