//! The placement field of a FEN.

/// Marks an empty square.
pub(crate) const EMPTY: char = ' ';

/// Returns the field for the letters of the pieces on the squares a1, b1, ..., h8.
pub(crate) fn placement(squares: &[char; 64]) -> String {
    let rank = |squares: &[char]| {
        let runs = squares.chunk_by(|&a, &b| a == EMPTY && b == EMPTY);
        runs.map(|run| if run[0] == EMPTY { run.len().to_string() } else { run[0].to_string() })
            .collect::<String>()
    };
    squares.chunks(8).rev().map(rank).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_squares_are_counted() {
        let mut squares = [EMPTY; 64];
        (squares[0], squares[3], squares[4], squares[63]) = ('K', 'p', 'p', 'k');
        assert_eq!(placement(&squares), "7k/8/8/8/8/8/8/K2pp3");
    }
}
