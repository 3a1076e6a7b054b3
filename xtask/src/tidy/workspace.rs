//! The input of the rules: all text files of the working tree, and the packages as cargo sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::engine;

/// The working tree in memory.
#[derive(Default)]
pub(crate) struct Workspace {
    /// Sorted by path; files that are not UTF-8 are left out.
    pub(crate) files: Vec<File>,
    /// The members of the workspace.
    pub(crate) packages: Vec<Package>,
    /// Every file and folder, for links.
    pub(crate) paths: BTreeSet<String>,
}

/// A text file.
pub(crate) struct File {
    /// From the root of the workspace, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A member of the workspace.
#[derive(Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder, from the root of the workspace.
    pub(crate) folder: String,
    pub(crate) license: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) rust_version: Option<String>,
    /// The packages linked into it, directly or through others; without what only tests and
    /// examples use.
    pub(crate) linked: BTreeSet<String>,
    /// Those of them that its own manifest names.
    pub(crate) direct: BTreeSet<String>,
    /// The fields that a registry shows; `None` if it is not published.
    pub(crate) published: Option<Published>,
}

/// The fields of a package that a registry shows.
#[derive(Default)]
pub(crate) struct Published {
    pub(crate) version: String,
    pub(crate) repository: String,
    pub(crate) keywords: usize,
    pub(crate) categories: usize,
    /// True if its documentation is built with all features.
    pub(crate) documents_all_features: bool,
}

impl Workspace {
    pub(crate) fn load(shell: &Shell) -> Result<Workspace> {
        let root = shell.current_dir();
        let mut workspace = Workspace::default();
        workspace.walk(&root, "")?;
        workspace.files.sort_by(|a, b| a.path.cmp(&b.path));
        let cargo = crate::cargo();
        let host = engine::host(shell)?;
        // What other platforms link need not be downloaded for this.
        let metadata = cmd!(shell, "{cargo} metadata --format-version 1 --filter-platform {host}");
        let metadata = metadata.quiet().read()?;
        workspace.packages = packages(&serde_json::from_str(&metadata)?)?;
        Ok(workspace)
    }

    /// A workspace of only these files.
    #[cfg(test)]
    pub(crate) fn of_files(files: &[(&str, &str)]) -> Workspace {
        let mut workspace = Workspace::default();
        for &(path, text) in files {
            workspace
                .paths
                .extend(Path::new(path).ancestors().filter_map(Path::to_str).map(str::to_owned));
            workspace.files.push(File { path: path.to_owned(), text: text.to_owned() });
        }
        workspace
    }

    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(crate) fn rust_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.path.ends_with(".rs"))
    }

    fn walk(&mut self, folder: &Path, path: &str) -> Result<()> {
        self.paths.insert(path.to_owned());
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A folder, or in a linked worktree a file that names one.
            if name == ".git" {
                continue;
            }
            let inner = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if fs::metadata(entry.path()).is_ok_and(|metadata| metadata.is_dir()) {
                if !is_skipped(&entry.path(), &inner) {
                    self.walk(&entry.path(), &inner)?;
                }
                continue;
            }
            if let Ok(text) = fs::read_to_string(entry.path()) {
                self.files.push(File { path: inner.clone(), text });
            }
            self.paths.insert(inner);
        }
        Ok(())
    }
}

/// True for build folders, which carry cargo's tag, and for hidden folders except three.
fn is_skipped(folder: &Path, path: &str) -> bool {
    let top = path.split('/').next().unwrap_or_default();
    let is_hidden = top.starts_with('.') && !matches!(top, ".cargo" | ".ci" | ".github");
    is_hidden || matches!(path, "target" | "runs") || folder.join("CACHEDIR.TAG").exists()
}

/// The members of the workspace in the output of `cargo metadata`.
fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let root = text(&metadata["workspace_root"]).context("no workspace root")?;
    let arrows = arrows(metadata);
    let names: BTreeMap<&str, &str> = list(&metadata["packages"])
        .filter_map(|package| Some((package["id"].as_str()?, package["name"].as_str()?)))
        .collect();
    let members: BTreeSet<&str> =
        list(&metadata["workspace_members"]).filter_map(Value::as_str).collect();
    let member = |package: &Value| {
        let id = package["id"].as_str().filter(|id| members.contains(id))?;
        let manifest = text(&package["manifest_path"])?.replace('\\', "/");
        let folder =
            manifest.strip_prefix(&root.replace('\\', "/"))?.strip_suffix("/Cargo.toml")?;
        let named = |ids: &mut dyn Iterator<Item = &str>| {
            ids.filter_map(|id| names.get(id)).map(|&name| name.to_owned()).collect()
        };
        Some(Package {
            name: text(&package["name"])?,
            folder: folder.trim_start_matches('/').to_owned(),
            license: text(&package["license"]),
            description: text(&package["description"]),
            rust_version: text(&package["rust_version"]),
            linked: named(&mut reachable(id, &arrows).into_iter()),
            direct: named(&mut arrows.get(id).into_iter().flatten().copied()),
            published: published(package),
        })
    };
    Ok(list(&metadata["packages"]).filter_map(member).collect())
}

/// `publish` is an empty list for a package that is not published.
fn published(package: &Value) -> Option<Published> {
    let is_private = package["publish"].as_array().is_some_and(Vec::is_empty);
    (!is_private).then(|| Published {
        version: text(&package["version"]).unwrap_or_default(),
        repository: text(&package["repository"]).unwrap_or_default(),
        keywords: list(&package["keywords"]).count(),
        categories: list(&package["categories"]).count(),
        documents_all_features: package["metadata"]["docs"]["rs"]["all-features"] == true,
    })
}

/// From package to package, without the arrows of tests and examples.
fn arrows(metadata: &Value) -> BTreeMap<&str, Vec<&str>> {
    let is_linked = |arrow: &&Value| list(&arrow["dep_kinds"]).any(|kind| kind["kind"] != "dev");
    list(&metadata["resolve"]["nodes"])
        .filter_map(|node| {
            let to =
                list(&node["deps"]).filter(is_linked).filter_map(|arrow| arrow["pkg"].as_str());
            Some((node["id"].as_str()?, to.collect()))
        })
        .collect()
}

fn reachable<'a>(start: &'a str, arrows: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        let next = arrows.get(id).into_iter().flatten();
        open.extend(next.filter(|&&to| reached.insert(to)));
    }
    reached
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn packages_are_read_with_all_that_is_linked_into_them() {
        let arrow = |to: &str, kind: Value| json!({"pkg": to, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "workspace_root": "/w",
            "workspace_members": ["a 1"],
            "packages": [
                {"id": "a 1", "name": "a", "manifest_path": "/w/crates/a/Cargo.toml",
                 "license": "MIT", "description": "A.", "rust_version": "1.95", "keywords": ["x"],
                 "metadata": {"docs": {"rs": {"all-features": true}}}},
                {"id": "b 1", "name": "b", "manifest_path": "/elsewhere/b/Cargo.toml"},
                {"id": "c 1", "name": "c", "manifest_path": "/elsewhere/c/Cargo.toml"},
                {"id": "d 1", "name": "d", "manifest_path": "/elsewhere/d/Cargo.toml"},
            ],
            "resolve": {"nodes": [
                {"id": "a 1", "deps": [arrow("b 1", Value::Null), arrow("d 1", json!("dev"))]},
                {"id": "b 1", "deps": [arrow("c 1", json!("build"))]},
            ]},
        });
        let packages = packages(&metadata).unwrap();
        assert_eq!(packages.len(), 1);
        assert_eq!((&*packages[0].name, &*packages[0].folder), ("a", "crates/a"));
        assert_eq!(packages[0].license.as_deref(), Some("MIT"));
        assert_eq!(packages[0].linked.iter().collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(packages[0].direct.iter().collect::<Vec<_>>(), ["b"]);
        let shown = packages[0].published.as_ref().unwrap();
        assert_eq!((shown.keywords, shown.documents_all_features), (1, true));
        assert!(published(&json!({"publish": []})).is_none());
    }
}
