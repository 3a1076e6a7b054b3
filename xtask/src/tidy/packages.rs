//! Rules for the manifest and the README of every package.

use super::Finding;
use super::workspace::Workspace;

pub(crate) fn described(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        if package.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
            findings.push(Finding::whole(&package.folder, "no description in Cargo.toml"));
        }
        let readme = workspace.file(&format!("{}/README.md", package.folder));
        if readme.is_none_or(|file| file.text.lines().count() < 3) {
            findings.push(Finding::whole(&package.folder, "no README.md, or an empty one"));
        }
    }
    findings
}

/// The oldest Rust for the crates under MIT or Apache-2.0, which other projects use. Clippy rejects
/// what the standard library got later, and the workflow `ci` builds them with that version.
const RUST_FOR_OTHERS: &str = "1.88";

/// A member that forgets `rust-version` may pull in a shakmaty that needs a newer compiler; one
/// that forgets the lints has none.
pub(crate) fn inheriting(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let path = format!("{}/Cargo.toml", package.folder);
        let manifest = workspace.file(&path).map_or("", |file| file.text.as_str());
        if !inherits_lints(manifest) {
            findings.push(Finding::whole(&path, "wants `[lints]` with `workspace = true`"));
        }
        for field in ["version", "edition", "authors", "repository"] {
            if !manifest.lines().any(|line| line.trim() == format!("{field}.workspace = true")) {
                findings.push(Finding::whole(&path, format!("wants `{field}.workspace = true`")));
            }
        }
        let is_for_others = package.license.as_deref().is_some_and(|name| name.starts_with("MIT"));
        let line = match is_for_others {
            true => format!("rust-version = \"{RUST_FOR_OTHERS}\""),
            false => "rust-version.workspace = true".to_owned(),
        };
        if package.rust_version.is_none() || !manifest.lines().any(|found| found == line) {
            findings.push(Finding::whole(&path, format!("wants `{line}`")));
        }
    }
    findings
}

fn inherits_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim).skip_while(|&line| line != "[lints]").skip(1);
    lines.find(|line| !line.is_empty() && !line.starts_with('#')) == Some("workspace = true")
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    const MANIFEST: &str = "[package]\nversion.workspace = true\nedition.workspace = true\n\
        rust-version.workspace = true\nauthors.workspace = true\nrepository.workspace = true\n\n\
        [lints]\nworkspace = true\n";

    fn workspace_of(manifest: &str, readme: &str, description: Option<&str>) -> Workspace {
        let files = [("crates/a/Cargo.toml", manifest), ("crates/a/README.md", readme)];
        let package = Package {
            folder: "crates/a".to_owned(),
            description: description.map(str::to_owned),
            rust_version: Some("1.95".to_owned()),
            ..Package::default()
        };
        Workspace { packages: vec![package], ..Workspace::of_files(&files) }
    }

    #[test]
    fn packages_are_described() {
        let readme = "# a\n\nWhat it is.\n";
        assert!(described(&workspace_of(MANIFEST, readme, Some("A."))).is_empty());
        assert_eq!(described(&workspace_of(MANIFEST, readme, None)).len(), 1);
        assert_eq!(described(&workspace_of(MANIFEST, "# a\n", Some(" "))).len(), 2);
    }

    #[test]
    fn packages_inherit() {
        assert!(inheriting(&workspace_of(MANIFEST, "", None)).is_empty());
        let without = MANIFEST.replace("rust-version.workspace = true\n", "");
        assert_eq!(inheriting(&workspace_of(&without, "", None)).len(), 1);
        let older = MANIFEST.replace("rust-version.workspace = true", "rust-version = \"1.88\"");
        assert_eq!(inheriting(&workspace_of(&older, "", None)).len(), 1);
        let mut for_others = workspace_of(&older, "", None);
        for_others.packages[0].license = Some("MIT OR Apache-2.0".to_owned());
        assert!(inheriting(&for_others).is_empty());
        let own_lints = MANIFEST.replace("[lints]\nworkspace", "[lints.rust]\nworkspace");
        assert_eq!(inheriting(&workspace_of(&own_lints, "", None)).len(), 1);
    }
}
