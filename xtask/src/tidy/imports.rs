//! The names that a file imports or writes out as paths.

use super::source::words;

/// A name of another module, as the file writes it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// From `crate`, `super`, `self` or the first name on.
    pub(crate) path: Vec<String>,
    /// The name that it gets here, where that is another one.
    alias: Option<String>,
    /// True if the file passes the name on to others.
    pub(crate) is_reexport: bool,
}

impl Import {
    /// The name under which it is known here.
    pub(crate) fn name(&self) -> Option<&String> {
        self.alias.as_ref().or(self.path.last())
    }
}

/// The imports of code without comments and strings, then its paths outside of imports.
pub(crate) fn imports(code: &str) -> Vec<Import> {
    let mut imports = Vec::new();
    let mut rest = String::new();
    for (index, statement) in code.split(';').enumerate() {
        let separator = if index == 0 { "" } else { ";" };
        // The import is the end of the statement: whatever precedes it belongs to items before.
        match use_keyword(statement) {
            Some(at) => {
                let before = &statement[..at];
                let last_line = before.rsplit(['\n', '{', '}']).next().unwrap_or_default();
                let is_reexport = words(last_line).any(|word| word == "pub");
                expand(&statement[at + "use ".len()..], &[], is_reexport, &mut imports);
                rest.push_str(separator);
                rest.push_str(before);
            }
            None => rest.push_str(&format!("{separator}{statement}")),
        }
    }
    imports.extend(written_out(&rest));
    imports
}

/// The place of the keyword that begins an import in a statement.
fn use_keyword(statement: &str) -> Option<usize> {
    let is_keyword = |&(at, _): &(usize, &str)| {
        statement[..at].chars().next_back().is_none_or(char::is_whitespace)
    };
    statement.match_indices("use ").filter(is_keyword).map(|(at, _)| at).last()
}

/// Takes an import with braces apart.
fn expand(tree: &str, prefix: &[String], is_reexport: bool, imports: &mut Vec<Import>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let (path, alias) = match tree.split_once(" as ") {
            Some((path, alias)) => (path, Some(alias.trim().to_owned())),
            None => (tree, None),
        };
        let mut path = [prefix, &names(path)].concat();
        // `use crate::a::{self, ..}` names the module itself.
        if path.len() > 1 && path.last().is_some_and(|name| name == "self" || name == "*") {
            path.pop();
        }
        if !path.is_empty() {
            imports.push(Import { path, alias, is_reexport });
        }
        return;
    };
    let prefix = [prefix, &names(&tree[..open])].concat();
    let inner = tree[open + 1..].trim_end().strip_suffix('}').unwrap_or_default();
    let mut depth = 0;
    let branches = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    branches.filter(|branch| !branch.trim().is_empty()).for_each(|branch| {
        expand(branch, &prefix, is_reexport, imports);
    });
}

fn names(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The paths of more than one name in the code.
fn written_out(code: &str) -> impl Iterator<Item = Import> {
    let is_in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    code.split(move |c| !is_in_path(c))
        .filter(|path| path.contains("::") && !path.starts_with(':'))
        .map(|path| Import { path: names(path), alias: None, is_reexport: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_an_import_is_read() {
        let code = "pub mod a;\nuse std::fmt;\npub(crate) use crate::a::{B, c::{self, D as E}};\n\
            use super::*;\nfn f(x: crate::g::H) -> Vec<self::i::J> { use_it(k::n()); }\n\
            use l::M;\n";
        let paths: Vec<_> = imports(code)
            .iter()
            .map(|import| (import.path.join("::"), import.is_reexport))
            .collect();
        let expected = [
            ("std::fmt", false),
            ("crate::a::B", true),
            ("crate::a::c", true),
            ("crate::a::c::D", true),
            ("super", false),
            ("l::M", false),
            ("crate::g::H", false),
            ("self::i::J", false),
            ("k::n", false),
        ];
        assert_eq!(paths, expected.map(|(path, is_reexport)| (path.to_owned(), is_reexport)));
        assert_eq!(imports(code)[3].name().map(String::as_str), Some("E"));
    }
}
