//! Links between the Markdown files.

use super::workspace::Workspace;

/// Relative links, and those to pages of the repository on its host, lead to a file and a heading.
/// A README that a registry shows has no relative links.
pub(crate) fn resolve(workspace: &Workspace) -> Vec<String> {
    let repository = workspace.packages.first().map_or("", |package| &package.repository);
    let published = workspace.packages.iter().filter(|package| package.is_published);
    let shown: Vec<_> = published.map(|package| format!("{}/README.md", package.folder)).collect();
    let mut findings = Vec::new();
    for (path, text) in workspace.files_ending_in(".md") {
        let is_shown = shown.iter().any(|readme| readme == path);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, target) in targets(text) {
            let on_host = target.strip_prefix(repository).filter(|_| !repository.is_empty());
            let on_main =
                on_host.and_then(|page| page.splitn(3, '/').nth(2)?.strip_prefix("main/"));
            let is_good = match on_main {
                Some(page) => leads_somewhere(workspace, path, "", page),
                // `../../releases` is a page of the host, beside the folder of the branch.
                None if target.contains(':') || target == "../../releases" => true,
                None if is_shown && !target.starts_with('#') => false,
                None => leads_somewhere(workspace, path, folder, target),
            };
            if !is_good {
                findings.push(format!("{path}:{line}: `{target}` leads nowhere"));
            }
        }
    }
    findings
}

/// True if a path from this folder, with an anchor or without, is one of the working tree.
fn leads_somewhere(workspace: &Workspace, from: &str, folder: &str, target: &str) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { Some(from.to_owned()) } else { join(folder, path) };
    let Some(path) = path.filter(|path| path.is_empty() || workspace.contains(path)) else {
        return false;
    };
    let is_page = path.ends_with(".md");
    anchor.is_empty() || !is_page || anchors(workspace.text(&path)).any(|found| found == anchor)
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

/// The targets of a page's links, `[text](target)` and `[name]: target`, with their lines.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut targets = Vec::new();
    for (number, line) in prose(text) {
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

/// The anchors of a page's headings, as forges make them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter(|(_, line)| line.starts_with('#')).map(|(_, line)| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        heading.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

/// The lines outside code blocks, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Package;
    use super::*;

    #[test]
    fn links_to_nowhere_are_found() {
        let text = "# One thing\n[a](b.md) [c](../d/e.rs#L3) [f](nowhere.md)\n[g]: ../d\n\
            [h]: ../../outside\n[i](https://example.org/x) [j](#one-thing) [k](#two)\n\
            ```\n[l](code.md)\n```\n[m](b.md#no-heading)\n\
            [n](https://example.org/x/blob/main/docs/b.md#b) \
            [o](https://example.org/x/blob/main/docs/c.md)\n[p](..)\n";
        let readme = "[q](#x) [r](../a.md)\n# X\n";
        let files =
            [("docs/a.md", text), ("docs/b.md", "# B\n"), ("d/e.rs", ""), ("c/README.md", readme)];
        let repository = "https://example.org/x".to_owned();
        let package = Package::of("c", "MIT", &[]);
        let packages = vec![Package { repository, folder: "c".to_owned(), ..package }];
        let found = resolve(&Workspace::of(&files, packages)).join("\n");
        let targets = found.split('`').skip(1).step_by(2).collect::<Vec<_>>();
        let on_host = "https://example.org/x/blob/main/docs/c.md";
        let expected =
            ["../a.md", "nowhere.md", "../../outside", "#two", "b.md#no-heading", on_host];
        assert_eq!(targets, expected);
    }
}
