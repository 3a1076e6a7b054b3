//! The positions.

use std::fs;
use std::path::Path;

use koel_board::Position;

/// Middlegames, endgames and locked endings, a hundred of each.
pub(super) fn all() -> Vec<(&'static str, Vec<Position>)> {
    [
        ("middlegames", include_str!("middlegames.txt")),
        ("endgames", include_str!("endgames.txt")),
        ("locked endings", include_str!("locked.txt")),
    ]
    .map(|(name, text)| (name, known(text)))
    .to_vec()
}

/// Locked endings that are small enough for the truth.
pub(super) fn truth() -> Vec<Position> {
    known(include_str!("truth.txt"))
}

fn known(text: &str) -> Vec<Position> {
    parse(text).expect("the positions of the program are sound")
}

/// Those of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Position>, Box<dyn std::error::Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// One FEN a line, and comments behind `#`.
fn parse(text: &str) -> Result<Vec<Position>, String> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            Position::from_fen(line).map_err(|error| format!("line {number}: {error}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_what_they_say() {
        for (_, positions) in all() {
            assert_eq!(positions.len(), 100);
        }
        assert_eq!(truth().len(), 405);
        let error = parse("# one\n8/8/8/8/8/8/8/8 w - - 0 1\n").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
