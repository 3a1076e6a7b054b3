//! The layering between the crates.

use super::Finding;
use super::source::{split, without_tests, words};
use super::workspace::{File, Workspace};

/// A crate and its layer.
struct Member {
    name: &'static str,
    layer: u8,
    /// True if it links no board and is under MIT or Apache-2.0, for other authors.
    is_board_free: bool,
}

const MEMBERS: &[Member] = &[
    Member { name: "koel-board", layer: 1, is_board_free: false },
    Member { name: "koel-chart", layer: 1, is_board_free: true },
    Member { name: "koel-cuckoo", layer: 1, is_board_free: true },
    Member { name: "koel-files", layer: 1, is_board_free: true },
    Member { name: "koel-random", layer: 1, is_board_free: true },
    Member { name: "koel-tt", layer: 1, is_board_free: true },
    Member { name: "koel-uci", layer: 1, is_board_free: true },
    Member { name: "koel-analyze", layer: 2, is_board_free: false },
    Member { name: "koel-eval", layer: 2, is_board_free: false },
    Member { name: "koel-syzygy", layer: 2, is_board_free: false },
    Member { name: "koel-search", layer: 3, is_board_free: false },
    Member { name: "koel", layer: 4, is_board_free: false },
    Member { name: "koel-arena", layer: 4, is_board_free: false },
    Member { name: "koel-train", layer: 4, is_board_free: false },
    Member { name: "koel-lab", layer: 5, is_board_free: false },
    Member { name: "xtask", layer: 5, is_board_free: false },
];

/// The lowest layer that may use input, output, time and threads.
const FIRST_OPEN_LAYER: u8 = 4;

/// Packages under the GPL: every crate that links one of them is under the GPL too.
const BOARDS: &[&str] = &["shakmaty", "shakmaty-syzygy", "pgn-reader", "koel-board"];

const PERMISSIVE: &str = "MIT OR Apache-2.0";
const COPYLEFT: &str = "GPL-3.0-or-later";

/// Files and folders of these names may hold `unsafe`.
const UNSAFE_MODULES: &[&str] = &["prefetch", "huge_pages", "simd"];

fn member(name: &str) -> Option<&'static Member> {
    MEMBERS.iter().find(|member| member.name == name)
}

pub(crate) fn downward(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let Some(here) = member(&package.name) else {
            let message = format!("{} has no layer: give it one in {}", package.name, file!());
            findings.push(Finding::whole(&package.folder, message));
            continue;
        };
        let upward = package.linked.iter().filter_map(|name| member(name));
        for other in upward.filter(|other| other.layer >= here.layer) {
            let message = format!(
                "{} (layer {}) links {} (layer {})",
                here.name, here.layer, other.name, other.layer
            );
            findings.push(Finding::whole(&package.folder, message));
        }
    }
    findings
}

pub(crate) fn board_free(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let is_board_free = member(&package.name).is_some_and(|member| member.is_board_free);
        for board in package.linked.iter().filter(|name| BOARDS.contains(&name.as_str())) {
            if is_board_free {
                let message = format!("{} links {board}", package.name);
                findings.push(Finding::whole(&package.folder, message));
            }
        }
    }
    findings
}

pub(crate) fn licences(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let is_board_free = member(&package.name).is_some_and(|member| member.is_board_free);
        let due = if is_board_free { PERMISSIVE } else { COPYLEFT };
        let found = package.license.as_deref().unwrap_or("none");
        if found != due {
            let message = format!("{} must be under {due}, not {found}", package.name);
            findings.push(Finding::whole(&package.folder, message));
        }
    }
    findings
}

/// Crates that compile C or C++, or need a compiler of them.
const FOREIGN: &[&str] = &["bindgen", "cc", "cmake"];

/// The engine links no C or C++: `cargo install --path crates/koel` needs only Rust.
pub(crate) fn pure_rust(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in workspace.packages.iter().filter(|package| package.name == "koel") {
        for foreign in package.linked.iter().filter(|name| FOREIGN.contains(&name.as_str())) {
            let message = format!("links {foreign}: see `cargo tree -p koel -i {foreign}`");
            findings.push(Finding::whole(&package.folder, message));
        }
    }
    findings
}

/// Macros and types of input, output and time.
const MACROS_OUT: &[&str] = &["print", "println", "eprint", "eprintln"];
const TYPES_OUT: &[&str] = &["Stdin", "Stdout", "Stderr", "Instant", "SystemTime"];
/// Modules of std for input, output, time and threads, when they are part of a path.
const MODULES_OUT: &[&str] = &["env", "fs", "io", "net", "process", "thread"];
/// Exceptions: a table of many gibibytes is cleared by several threads, and is read and written
/// through any reader and writer; files, also those of games and endgame tables, are opened for the
/// upper layers.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("koel-tt", "thread"),
    ("koel-tt", "io"),
    ("koel-files", "fs"),
    ("koel-files", "io"),
    ("koel-syzygy", "fs"),
    ("koel-syzygy", "io"),
    ("koel-analyze", "fs"),
    ("koel-analyze", "io"),
];

/// The code of a crate on the lower layers does no input or output and uses no clock or thread; its
/// tests may.
pub(crate) fn sealed(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in MEMBERS.iter().filter(|member| member.layer < FIRST_OPEN_LAYER) {
        let folder = format!("crates/{}/src/", member.name);
        let is_tested = |path: &str| path.starts_with(&folder) && !path.ends_with("/tests.rs");
        for file in workspace.rust_files().filter(|file| is_tested(&file.path)) {
            let code = split(&file.text).code;
            for (index, line) in without_tests(&code).lines().enumerate() {
                let way_out = way_out(line).filter(|way| !EXCEPTIONS.contains(&(member.name, way)));
                if let Some(way) = way_out {
                    let message = format!(
                        "`{way}`: only `koel` does input and output, reads clocks and starts threads"
                    );
                    findings.push(Finding::at(&file.path, index + 1, message));
                }
            }
        }
    }
    findings
}

fn way_out(line: &str) -> Option<&str> {
    let is_in_path = |word: &str| {
        let paths = ["std::".to_owned(), format!("{word}::"), format!("::{word}")];
        paths.iter().any(|path| line.contains(path))
    };
    words(line).find(|word| {
        TYPES_OUT.contains(word)
            || (MACROS_OUT.contains(word) && line.contains(&format!("{word}!")))
            || (MODULES_OUT.contains(word) && is_in_path(word))
    })
}

pub(crate) fn unsafe_modules(workspace: &Workspace) -> Vec<Finding> {
    let is_closed = |file: &&File| {
        let mut names = file.path.split('/').map(|name| name.trim_end_matches(".rs"));
        !names.any(|name| UNSAFE_MODULES.contains(&name))
    };
    let mut findings = Vec::new();
    for file in workspace.rust_files().filter(is_closed) {
        for (index, line) in split(&file.text).code.lines().enumerate() {
            if words(line).any(|word| word == "unsafe") {
                let message = format!("unsafe code belongs in {}", UNSAFE_MODULES.join(", "));
                findings.push(Finding::at(&file.path, index + 1, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    fn workspace_of(name: &str, license: &str, linked: &[&str]) -> Workspace {
        let package = Package {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            license: Some(license.to_owned()),
            linked: linked.iter().map(|&name| name.to_owned()).collect(),
            ..Package::default()
        };
        Workspace { packages: vec![package], ..Workspace::default() }
    }

    #[test]
    fn dependencies_point_down() {
        assert!(
            downward(&workspace_of("koel-search", COPYLEFT, &["koel-eval", "arrayvec"])).is_empty()
        );
        assert_eq!(downward(&workspace_of("koel-eval", COPYLEFT, &["koel-search"])).len(), 1);
        assert_eq!(downward(&workspace_of("koel-board", COPYLEFT, &["koel-tt"])).len(), 1);
        assert_eq!(downward(&workspace_of("koel-attic", COPYLEFT, &[])).len(), 1);
    }

    #[test]
    fn board_free_crates_link_no_board() {
        assert!(board_free(&workspace_of("koel-uci", PERMISSIVE, &["thiserror"])).is_empty());
        assert!(board_free(&workspace_of("koel-eval", COPYLEFT, &["shakmaty"])).is_empty());
        assert_eq!(board_free(&workspace_of("koel-uci", PERMISSIVE, &["shakmaty"])).len(), 1);
    }

    #[test]
    fn licences_match() {
        assert!(licences(&workspace_of("koel-tt", PERMISSIVE, &[])).is_empty());
        assert_eq!(licences(&workspace_of("koel-tt", COPYLEFT, &[])).len(), 1);
        assert_eq!(licences(&workspace_of("koel-eval", PERMISSIVE, &["shakmaty"])).len(), 1);
    }

    #[test]
    fn the_engine_needs_no_other_compiler() {
        assert!(pure_rust(&workspace_of("koel", COPYLEFT, &["clap", "shakmaty"])).is_empty());
        assert_eq!(pure_rust(&workspace_of("koel", COPYLEFT, &["cc", "clap", "cmake"])).len(), 2);
        assert!(pure_rust(&workspace_of("koel-train", COPYLEFT, &["cc"])).is_empty());
    }

    fn lines_of(findings: &[Finding]) -> Vec<usize> {
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn the_search_does_no_input_or_output() {
        let text = "use std::time::Instant;\nuse std::{thread, fmt};\nlet time = print(depth); // Stdout\n\
                    println!();\nuse std::thread;\nstd::io::copy();\n#[cfg(test)]\nmod tests {\n\
                    use std::thread;\n}\n";
        let workspace = Workspace::of_files(&[("crates/koel-search/src/lib.rs", text)]);
        assert_eq!(lines_of(&sealed(&workspace)), [1, 2, 4, 5, 6]);
        let workspace = Workspace::of_files(&[("crates/koel-tt/src/lib.rs", text)]);
        assert_eq!(lines_of(&sealed(&workspace)), [1, 4]);
        assert!(sealed(&Workspace::of_files(&[("crates/koel/src/lib.rs", text)])).is_empty());
    }

    #[test]
    fn unsafe_code_stays_where_it_belongs() {
        let text = "#![forbid(unsafe_code)] // unsafe\nlet x = \"unsafe\";\nunsafe { x() }\n";
        let workspace = Workspace::of_files(&[("crates/koel-tt/src/table.rs", text)]);
        assert_eq!(lines_of(&unsafe_modules(&workspace)), [3]);
        for path in ["crates/koel-tt/src/prefetch.rs", "crates/koel-eval/src/simd/avx2.rs"] {
            assert!(unsafe_modules(&Workspace::of_files(&[(path, text)])).is_empty());
        }
    }
}
