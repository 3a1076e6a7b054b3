//! Rust source, taken apart into code and comments, so that a rule is not misled by a string.

/// A source text twice, line for line: once with everything but code blanked, once with
/// everything but comments.
pub(crate) struct Parts {
    pub(crate) code: String,
    pub(crate) comments: String,
}

/// Takes a source text apart; strings and characters are in neither part.
pub(crate) fn split(text: &str) -> Parts {
    let mut parts = Parts { code: String::new(), comments: String::new() };
    let mut rest = text;
    let mut before = ' ';
    while !rest.is_empty() {
        let (length, kind) = next_piece(rest, before);
        let (piece, after) = rest.split_at(length);
        before = piece.chars().next_back().unwrap_or(' ');
        rest = after;
        let blank: String = piece.chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        parts.code.push_str(if kind == Kind::Code { piece } else { &blank });
        parts.comments.push_str(if kind == Kind::Comment { piece } else { &blank });
    }
    parts
}

/// The code without the tests, which by custom stand last in a file.
pub(crate) fn without_tests(code: &str) -> &str {
    code.find("#[cfg(test)]\nmod ").map_or(code, |start| &code[..start])
}

/// The identifiers and keywords of a line.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[derive(PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

/// The length in bytes and kind of the piece at the start of `rest`, which is not empty.
fn next_piece(rest: &str, before: char) -> (usize, Kind) {
    let first = rest.chars().next().map_or(1, char::len_utf8);
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), Kind::Comment);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), Kind::Comment);
    }
    if rest.starts_with('"') {
        return (quoted(rest, '"'), Kind::Literal);
    }
    if rest.starts_with('\'') {
        return if is_char_literal(rest) {
            (quoted(rest, '\''), Kind::Literal)
        } else {
            (first, Kind::Code)
        };
    }
    let starts_word = !(before.is_alphanumeric() || before == '_');
    match raw_string(rest).filter(|_| starts_word) {
        Some(length) => (length, Kind::Literal),
        None => (first, Kind::Code),
    }
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a string or character, its quotes included.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Tells `'a'` and `'\n'` from the lifetime `'a`.
fn is_char_literal(rest: &str) -> bool {
    let mut after = rest.chars().skip(1);
    after.next() == Some('\\') || after.next() == Some('\'')
}

/// The length of `r"..."`, `br#"..."#` and the like.
fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| rest.starts_with(prefix))?;
    let hashes = rest[prefix.len()..].chars().take_while(|&c| c == '#').count();
    let open = prefix.len() + hashes;
    let inner = rest[open..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = inner.find(&close).map_or(inner.len(), |at| at + close.len());
    Some(open + 1 + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_not_code() {
        let text = r###"let a = "one // \" one"; // two "two"
/* three /* three */ 'three' */ let b: &'static str = r#"four " four"#;
let c = ['"', '\'', 'é']; let d = b"five"; for_r"six";
"###;
        let parts = split(text);
        for word in ["one", "two", "three", "four", "five", "six"] {
            assert!(!parts.code.contains(word), "{word}");
        }
        for word in ["let a", "let b", "static", "str", "let c", "let d", "for_r"] {
            assert!(parts.code.contains(word), "{word}");
            assert!(!parts.comments.contains(word), "{word}");
        }
        assert!(parts.comments.contains("two \"two\"") && parts.comments.contains("'three' */"));
        assert_eq!(parts.code.lines().count(), text.lines().count());
        assert_eq!(parts.comments.lines().count(), text.lines().count());
    }

    #[test]
    fn an_unfinished_text_ends() {
        for text in ["\"a", "/* a", "r#\"a", "'\\", "// a", "'"] {
            split(text);
        }
    }

    #[test]
    fn tests_are_cut_off() {
        assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests {}\n"), "a\n");
        assert_eq!(without_tests("#[cfg(test)]\nfn a() {}\n"), "#[cfg(test)]\nfn a() {}\n");
    }

    #[test]
    fn words_end_at_signs() {
        let found: Vec<_> = words("forbid(unsafe_code); std::time::x").collect();
        assert_eq!(found, ["forbid", "unsafe_code", "std", "time", "x"]);
    }
}
