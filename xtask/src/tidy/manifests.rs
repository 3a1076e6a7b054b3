//! Rules for the manifest of every package.

use super::workspace::Workspace;

/// The oldest Rust for the crates under the MIT and Apache licences, which other projects use.
/// Clippy rejects what the standard library got later, and the workflow `ci` builds them with that
/// version.
const RUST_FOR_OTHERS: &str = "1.88";

/// A crate under the MIT licence does not link shakmaty, which is under the GPL (`deny.toml` looks
/// at what is linked through others too), and a published package contains its licences.
pub(crate) fn licences(workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        if package.is_permissive() && package.linked.contains("shakmaty") {
            findings.push(format!("{}: links shakmaty", package.folder));
        }
        for licence in package.license.split(" OR ").filter(|_| package.is_published) {
            let name = licence.split('-').next().unwrap_or_default().to_uppercase();
            let copy = format!("{}/LICENSE-{name}", package.folder);
            if workspace.text(&copy).is_empty()
                || workspace.text(&copy) != workspace.text(&format!("LICENSE-{name}"))
            {
                findings.push(format!("{copy}: is not LICENSE-{name} of the repository"));
            }
        }
    }
    findings
}

const RESTRICT: &str =
    "#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]";

/// A member that forgets `rust-version` may pull in a shakmaty that needs a newer compiler; one
/// that forgets the lints has none. The attribute is one that no manifest can give to a library
/// without its tests.
pub(crate) fn inheriting(workspace: &Workspace) -> Vec<String> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let path = format!("{}/Cargo.toml", package.folder);
        let rust_version = match package.is_permissive() {
            true => format!("rust-version = \"{RUST_FOR_OTHERS}\""),
            false => "rust-version.workspace = true".to_owned(),
        };
        let fields = ["version", "edition", "authors", "repository"];
        let fields = fields.map(|field| format!("{field}.workspace = true"));
        let due = fields.into_iter().chain([rust_version, "[lints]\nworkspace = true".to_owned()]);
        let manifest = format!("\n{}", workspace.text(&path));
        let is_missing = |due: &String| !manifest.contains(&format!("\n{due}\n"));
        findings.extend(due.filter(is_missing).map(|due| format!("{path}: wants `{due}`")));
        let root = ["lib", "main"].map(|name| format!("{}/src/{name}.rs", package.folder));
        let root = root.map(|path| workspace.text(&path)).concat();
        if package.folder.starts_with("crates/") && !root.contains(RESTRICT) {
            findings.push(format!("{}: wants `{RESTRICT}`", package.folder));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    #[test]
    fn licences_match_what_is_linked() {
        let found = |license: &str, linked: &[&str], copy: &str| {
            let files = [("LICENSE-GPL", "Share."), ("crates/a/LICENSE-GPL", copy)];
            licences(&Workspace::of(&files, vec![Package::of("a", license, linked)])).len()
        };
        assert_eq!(found("GPL-3.0", &["shakmaty"], "Share."), 0);
        assert_eq!(found("GPL-3.0", &["shakmaty"], "Keep."), 1);
        assert_eq!(found("MIT", &["libc"], ""), 1);
        assert_eq!(found("MIT", &["shakmaty"], ""), 2);
    }

    #[test]
    fn packages_inherit() {
        let manifest = "[package]\nversion.workspace = true\nedition.workspace = true\n\
            rust-version.workspace = true\nauthors.workspace = true\n\
            repository.workspace = true\n\n[lints]\nworkspace = true\n";
        let found = |manifest: &str, license: &str| {
            let package = Package::of("a", license, &[]);
            let files = [("crates/a/Cargo.toml", manifest), ("crates/a/src/lib.rs", RESTRICT)];
            inheriting(&Workspace::of(&files, vec![package])).len()
        };
        assert_eq!(found(manifest, "GPL"), 0);
        assert_eq!(found(&manifest.replace("rust-version.workspace = true\n", ""), "GPL"), 1);
        assert_eq!(found(&manifest.replace("[lints]", "[lints.rust]"), "GPL"), 1);
        let old = manifest.replace("rust-version.workspace = true", "rust-version = \"1.88\"");
        assert_eq!((found(&old, "GPL"), found(&old, "MIT")), (1, 0));
        let without_root = [("crates/a/Cargo.toml", manifest)];
        let package = Package::of("a", "GPL", &[]);
        assert_eq!(inheriting(&Workspace::of(&without_root, vec![package])).len(), 1);
    }
}
