//! Rules for the packages that are published in a registry: a package there stands alone.

use super::Finding;
use super::links;
use super::workspace::{Package, Published, Workspace};

/// The registry shows a package with its repository, keywords, categories and the documentation of
/// all features.
pub(crate) fn shown(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, published) in packages(workspace) {
        let mut miss = |message: &str| findings.push(Finding::whole(&package.folder, message));
        if !published.repository.starts_with("https://") {
            miss("no repository in Cargo.toml");
        }
        if !(1..=5).contains(&published.keywords) {
            miss("needs one to five keywords");
        }
        if published.categories == 0 {
            miss("no categories in Cargo.toml");
        }
        if !published.documents_all_features {
            miss("needs `all-features = true` in [package.metadata.docs.rs]");
        }
    }
    findings
}

/// A package contains the text of each of its licences.
pub(crate) fn licensed(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, _) in packages(workspace) {
        for licence in package.license.as_deref().unwrap_or_default().split(" OR ") {
            let name = licence.split('-').next().unwrap_or_default().to_uppercase();
            let path = format!("{}/LICENSE-{name}", package.folder);
            let text = |path: &str| workspace.file(path).map(|file| file.text.as_str());
            if text(&path).is_none() || text(&path) != text(&format!("LICENSE-{name}")) {
                let message = format!("no LICENSE-{name} with the text of the repository");
                findings.push(Finding::whole(&package.folder, message));
            }
        }
    }
    findings
}

/// A README is complete without the repository: it has the line that adds the package to a project, its
/// links are absolute, and its examples have no lines that only rustdoc hides.
pub(crate) fn introduced(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, published) in packages(workspace) {
        let Some(readme) = workspace.file(&format!("{}/README.md", package.folder)) else {
            continue;
        };
        let dependency = format!("{} = \"{}\"", package.name, minor(&published.version));
        if !readme.text.lines().any(|line| line == dependency) {
            findings.push(Finding::whole(&readme.path, format!("no line `{dependency}`")));
        }
        for (line, target) in links::targets(readme) {
            if !target.contains(':') && !target.starts_with('#') {
                let message =
                    format!("`{target}`: outside the repository only absolute links work");
                findings.push(Finding::at(&readme.path, line, message));
            }
        }
        for (index, line) in readme.text.lines().enumerate() {
            if line.starts_with("# Ok::") {
                let message = "a line for rustdoc: let the example have a `main`";
                findings.push(Finding::at(&readme.path, index + 1, message));
            }
        }
    }
    findings
}

/// The version as a dependency states it: `0.1` for `0.1.0`.
fn minor(version: &str) -> &str {
    version.rsplit_once('.').map_or(version, |(minor, _)| minor)
}

fn packages(workspace: &Workspace) -> impl Iterator<Item = (&Package, &Published)> {
    workspace.packages.iter().filter_map(|package| Some((package, package.published.as_ref()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace_of(readme: &str, published: Option<Published>) -> Workspace {
        let package = Package {
            name: "a".to_owned(),
            folder: "crates/a".to_owned(),
            license: Some("MIT OR Apache-2.0".to_owned()),
            published,
            ..Package::default()
        };
        let files = [
            ("LICENSE-MIT", "Do what you like."),
            ("LICENSE-APACHE", "Do nearly what you like."),
            ("crates/a/LICENSE-MIT", "Do what you like."),
            ("crates/a/LICENSE-APACHE", "Do nothing."),
            ("crates/a/README.md", readme),
        ];
        Workspace { packages: vec![package], ..Workspace::of_files(&files) }
    }

    fn complete() -> Option<Published> {
        Some(Published {
            version: "0.1.0".to_owned(),
            repository: "https://example.org/a".to_owned(),
            keywords: 5,
            categories: 1,
            documents_all_features: true,
        })
    }

    #[test]
    fn what_a_registry_does_not_show_is_found() {
        assert!(shown(&workspace_of("", complete())).is_empty());
        assert_eq!(shown(&workspace_of("", Some(Published::default()))).len(), 4);
        assert!(shown(&workspace_of("", None)).is_empty());
    }

    #[test]
    fn a_licence_without_its_text_is_found() {
        let findings = licensed(&workspace_of("", complete()));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].message.contains("LICENSE-APACHE"));
    }

    #[test]
    fn a_readme_that_needs_the_repository_is_found() {
        let found = |readme: &str| introduced(&workspace_of(readme, complete())).len();
        assert_eq!(found("# a\n```toml\na = \"0.1\"\n```\n[b](https://example.org) [c](#a)\n"), 0);
        assert_eq!(found("# a\na = \"0.2\"\n"), 1);
        assert_eq!(found("a = \"0.1\"\n[b](../b)\n[c]: c.md\n```\n# Ok::<(), E>(())\n```\n"), 3);
    }
}
