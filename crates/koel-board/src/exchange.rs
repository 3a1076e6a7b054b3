//! Positions with exchanged colours.

use crate::position::Position;

impl Position {
    /// Returns the position with exchanged colours: the board turned over, the other side to move.
    /// It has the same value for the side to move.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// let exchanged = position.with_colors_exchanged();
    /// assert_eq!(exchanged.to_string(), "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1");
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[must_use]
    pub fn with_colors_exchanged(&self) -> Position {
        let fen = self.to_string();
        let mut fields = fen.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let ranks = fields[0].split('/').rev().collect::<Vec<_>>().join("/");
        fields[0] = swap_case(&ranks);
        fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
        fields[2] = swap_case(&fields[2]);
        fields[3] = fields[3].replace(['3', '6'], if fields[3].ends_with('3') { "6" } else { "3" });
        Position::from_fen(&fields.join(" ")).expect("it is as legal as this one")
    }
}

/// Exchanges upper and lower case.
fn swap_case(text: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    text.chars().map(swap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_end_where_those_of_a_fen_do() {
        for (fen, text) in [
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 9999", "e8e7"),
            ("8/8/3k4/8/8/8/6Q1/K7 w - - 9999 1", "g2g3"),
        ] {
            let mut position = Position::from_fen(fen).unwrap();
            position.play(position.parse_uci(text).unwrap());
            assert_eq!(Position::from_fen(&position.to_string()), Ok(position.clone()));
            assert_eq!(position.with_colors_exchanged().with_colors_exchanged(), position);
        }
    }

    #[test]
    fn two_exchanges_cancel_and_the_number_of_moves_stays() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 3 9",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 5 40",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let other = position.with_colors_exchanged();
            assert_ne!(other.turn(), position.turn());
            assert_eq!(other.count_legal_moves(), position.count_legal_moves(), "{fen}");
            assert_eq!(other.with_colors_exchanged().to_string(), position.to_string());
        }
        let other = Position::from_fen("8/2p5/8/KP5r/5p1k/8/4P3/8 b - - 5 40").unwrap();
        assert_eq!(
            other.with_colors_exchanged().to_string(),
            "8/4p3/8/5P1K/kp5R/8/2P5/8 w - - 5 40"
        );
    }
}
