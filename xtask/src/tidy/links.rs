//! Links between the Markdown files.

use super::Finding;
use super::workspace::{File, Workspace};

/// Relative links, and those to pages of the repository on its host.
pub(crate) fn resolve(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in workspace.files.iter().filter(|file| file.path.ends_with(".md")) {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, target) in targets(file) {
            let is_good = match path_on_host(workspace, target) {
                Some(path) => leads_somewhere(workspace, file, "", path),
                None => target.contains(':') || leads_somewhere(workspace, file, folder, target),
            };
            if !is_good {
                findings.push(Finding::at(&file.path, line, format!("`{target}` leads nowhere")));
            }
        }
    }
    findings
}

/// The path of a page of the main branch, from the root of the repository.
fn path_on_host<'a>(workspace: &Workspace, target: &'a str) -> Option<&'a str> {
    let published = workspace.packages.iter().find_map(|package| package.published.as_ref())?;
    let page = target.strip_prefix(published.repository.as_str())?;
    page.strip_prefix("/blob/main/").or_else(|| page.strip_prefix("/tree/main/"))
}

/// True if a path from this folder, with an anchor or without, is one of the working tree.
fn leads_somewhere(workspace: &Workspace, from: &File, folder: &str, target: &str) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { Some(from.path.clone()) } else { join(folder, path) };
    let Some(path) = path.filter(|path| workspace.paths.contains(path)) else { return false };
    let page = workspace.file(&path).filter(|file| file.path.ends_with(".md"));
    anchor.is_empty() || page.is_none_or(|page| anchors(page).any(|a| a == anchor))
}

/// The path from the root, or `None` if it leaves the working tree.
fn join(folder: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            _ => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// The targets of a file's links, `[text](target)` and `[name]: target`, with their lines.
pub(super) fn targets(file: &File) -> Vec<(usize, &str)> {
    let mut targets = Vec::new();
    for (number, line) in prose(file) {
        if let Some((_, target)) = line.split_once("]: ").filter(|_| line.starts_with('[')) {
            targets.push((number, target.trim()));
        }
        for (at, _) in line.match_indices("](") {
            let target = &line[at + 2..];
            let end = target.find([')', ' ']).unwrap_or(target.len());
            targets.push((number, &target[..end]));
        }
    }
    targets
}

/// The anchors of a file's headings, as forges make them.
fn anchors(file: &File) -> impl Iterator<Item = String> {
    prose(file).filter(|(_, line)| line.starts_with('#')).map(|(_, line)| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        heading.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

/// The lines outside code blocks, numbered from 1.
fn prose(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    file.text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

#[cfg(test)]
mod tests {
    use super::super::workspace::{Package, Published};
    use super::*;

    #[test]
    fn links_to_nowhere_are_found() {
        let text = "# One thing\n[a](b.md) [c](../d/e.rs#L3) [f](nowhere.md)\n[g]: ../d\n\
            [h]: ../../outside\n[i](https://example.org/x) [j](#one-thing) [k](#two)\n\
            ```\n[l](code.md)\n```\n[m](b.md#no-heading)\n[n](https://example.org/x/blob/main/docs/b.md#b) \
            [o](https://example.org/x/blob/main/docs/c.md)\n";
        let files = [("docs/a.md", text), ("docs/b.md", "# B\n"), ("d/e.rs", "")];
        let published = Some(Published {
            repository: "https://example.org/x".to_owned(),
            ..Published::default()
        });
        let packages = vec![Package { published, ..Package::default() }];
        let workspace = Workspace { packages, ..Workspace::of_files(&files) };
        let found: Vec<String> = resolve(&workspace).into_iter().map(|f| f.message).collect();
        let expected = [
            "`nowhere.md`",
            "`../../outside`",
            "`#two`",
            "`b.md#no-heading`",
            "`https://example.org/x/blob/main/docs/c.md`",
        ];
        assert_eq!(found, expected.map(|target| format!("{target} leads nowhere")));
    }
}
