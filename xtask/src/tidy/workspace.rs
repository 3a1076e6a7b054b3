//! The input of the rules: the text files that git knows, and the packages as cargo sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

/// The working tree in memory.
#[derive(Default)]
pub(crate) struct Workspace {
    /// The text of each file by its path from the root; empty if it is not UTF-8.
    pub(crate) files: BTreeMap<String, String>,
    /// The members of the workspace.
    pub(crate) packages: Vec<Package>,
}

/// A member of the workspace.
#[derive(Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder, from the root of the workspace.
    pub(crate) folder: String,
    pub(crate) license: String,
    pub(crate) repository: String,
    /// True if it can be published in a registry.
    pub(crate) is_published: bool,
    /// The packages that it links itself, on any platform; without those of its tests and examples.
    pub(crate) linked: BTreeSet<String>,
}

impl Workspace {
    pub(crate) fn load(shell: &Shell) -> Result<Workspace> {
        let listed = cmd!(shell, "git ls-files -z --cached --others --exclude-standard");
        let listed = listed.quiet().read()?;
        let files = listed.split('\0').map(|path| (path, shell.current_dir().join(path)));
        let files = files.filter(|(_, on_disk)| on_disk.is_file());
        let files = files.map(|(path, on_disk)| {
            (path.to_owned(), fs::read_to_string(on_disk).unwrap_or_default())
        });
        let files = files.collect();
        let cargo = crate::cargo();
        let metadata = cmd!(shell, "{cargo} metadata --format-version 1 --no-deps");
        let packages = packages(&serde_json::from_str(&metadata.quiet().read()?)?)?;
        Ok(Workspace { files, packages })
    }

    /// A workspace of only these files and packages.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)], packages: Vec<Package>) -> Workspace {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned()));
        Workspace { files: files.collect(), packages }
    }

    /// True if there is a file or folder at this path.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let inner = format!("{path}/");
        self.files.contains_key(path) || self.files.keys().any(|file| file.starts_with(&inner))
    }

    /// Returns the text of a file, empty if there is none.
    pub(crate) fn text(&self, path: &str) -> &str {
        self.files.get(path).map_or("", String::as_str)
    }

    pub(crate) fn files_ending_in(&self, ending: &str) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        files.filter(move |(path, _)| path.ends_with(ending))
    }
}

impl Package {
    /// True if it is under the licences for crates that other projects use.
    pub(crate) fn is_permissive(&self) -> bool {
        self.license.starts_with("MIT")
    }

    /// A package with these names in its manifest.
    #[cfg(test)]
    pub(crate) fn of(name: &str, license: &str, linked: &[&str]) -> Package {
        Package {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            license: license.to_owned(),
            linked: linked.iter().map(|&name| name.to_owned()).collect(),
            is_published: true,
            ..Package::default()
        }
    }
}

/// The members of the workspace in the output of `cargo metadata`.
fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let root = metadata["workspace_root"].as_str().context("no workspace root")?;
    let package = |package: &Value| {
        let folder = package["manifest_path"].as_str()?.strip_prefix(root)?.replace('\\', "/");
        // loom is linked by builds for its own tests.
        let is_linked = |other: &&Value| other["kind"] != "dev" && other["target"] != "cfg(loom)";
        let linked = list(&package["dependencies"]).filter(is_linked);
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        Some(Package {
            name: text("name"),
            folder: folder.strip_suffix("/Cargo.toml")?.trim_start_matches('/').to_owned(),
            license: text("license"),
            repository: text("repository"),
            // An empty list of registries means none.
            is_published: package["publish"].as_array().is_none_or(|list| !list.is_empty()),
            linked: linked.filter_map(|other| Some(other["name"].as_str()?.to_owned())).collect(),
        })
    };
    Ok(list(&metadata["packages"]).filter_map(package).collect())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn packages_are_read_with_what_they_link() {
        let metadata = json!({
            "workspace_root": "/w",
            "packages": [
                {"name": "a", "manifest_path": "/w/crates/a/Cargo.toml", "license": "MIT",
                 "publish": [], "dependencies": [
                    {"name": "b", "kind": null, "target": null},
                    {"name": "c", "kind": "dev", "target": null},
                    {"name": "d", "kind": null, "target": "cfg(unix)"},
                    {"name": "loom", "kind": null, "target": "cfg(loom)"},
                ]},
                {"name": "b", "manifest_path": "/w/b/Cargo.toml", "publish": null},
            ],
        });
        let [a, b] = &packages(&metadata).unwrap()[..] else { panic!("two members") };
        assert_eq!((&*a.name, &*a.folder, &*a.license), ("a", "crates/a", "MIT"));
        assert_eq!(a.linked.iter().collect::<Vec<_>>(), ["b", "d"]);
        assert_eq!((a.is_published, b.is_published), (false, true));
    }
}
