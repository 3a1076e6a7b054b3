//! The sets of positions.

use std::path::Path;

use anyhow::{Context, Result};
use koel_board::Position;
use koel_files::IN_MEMORY;

/// Middlegames, endgames and locked endings, 100 positions each.
pub(super) fn sets() -> Vec<(&'static str, Vec<Position>)> {
    [
        ("middlegames", include_str!("middlegames.txt")),
        ("endgames", include_str!("endgames.txt")),
        ("locked endings", include_str!("locked.txt")),
    ]
    .map(|(name, text)| (name, built_in(text)))
    .to_vec()
}

fn built_in(text: &str) -> Vec<Position> {
    parse(text).expect("the built-in positions are legal")
}

/// Reads the positions of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Position>> {
    let name = || path.display().to_string();
    parse(&koel_files::read_to_string(path, IN_MEMORY).with_context(name)?).with_context(name)
}

/// Parses one FEN per line; lines that begin with `#` are comments.
fn parse(text: &str) -> Result<Vec<Position>> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| Position::from_fen(line).with_context(|| format!("line {number}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_sets_are_complete() {
        for (_, positions) in sets() {
            assert_eq!(positions.len(), 100);
        }
    }

    #[test]
    fn an_illegal_position_is_reported_with_its_line() {
        let error = parse("# one\n8/8/8/8/8/8/8/8 w - - 0 1\n").unwrap_err();
        assert!(format!("{error:#}").starts_with("line 2: "), "{error:#}");
    }
}
