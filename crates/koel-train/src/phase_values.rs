//! Values that depend on the phase of the game.

use std::fmt;
use std::str::FromStr;

use koel_board::Position;
use serde::{Deserialize, Serialize};

/// A value for each phase of the game. As text one number or three with commas: `250`,
/// `6000,6000,600`; in files of settings one or a list.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum PhaseValues<T> {
    /// One value for all phases.
    Uniform(T),
    /// The values with more than 24 pieces on the board, with 17 to 24, and with fewer.
    Each([T; 3]),
}

impl<T: Copy> PhaseValues<T> {
    /// Returns the value in the phase of a position.
    pub(crate) fn at(&self, position: &Position) -> T {
        match (*self, position.occupied().count()) {
            (PhaseValues::Uniform(value), _) => value,
            (PhaseValues::Each([opening, ..]), 25..) => opening,
            (PhaseValues::Each([_, middlegame, _]), 17..) => middlegame,
            (PhaseValues::Each([.., endgame]), _) => endgame,
        }
    }

    /// Returns the results of a function of each value.
    pub(crate) fn map(self, of_value: impl Fn(T) -> T) -> PhaseValues<T> {
        match self {
            PhaseValues::Uniform(value) => PhaseValues::Uniform(of_value(value)),
            PhaseValues::Each(values) => PhaseValues::Each(values.map(of_value)),
        }
    }
}

impl<T: Copy + FromStr> FromStr for PhaseValues<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<PhaseValues<T>, String> {
        let values: Option<Vec<T>> = text.split(',').map(|value| value.parse().ok()).collect();
        match values.as_deref() {
            Some(&[value]) => Ok(PhaseValues::Uniform(value)),
            Some(&[opening, middlegame, endgame]) => {
                Ok(PhaseValues::Each([opening, middlegame, endgame]))
            }
            _ => Err(format!("`{text}` is neither a number nor three with commas")),
        }
    }
}

impl<T: fmt::Display> fmt::Display for PhaseValues<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PhaseValues::Uniform(value) => write!(f, "{value}"),
            PhaseValues::Each([opening, middlegame, endgame]) => {
                write!(f, "{opening},{middlegame},{endgame}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_values_agree() {
        let each = PhaseValues::Each([6_000, 6_000, 600]);
        for (text, expected) in [("6000,6000,600", each), ("250", PhaseValues::Uniform(250))] {
            assert_eq!(text.parse(), Ok(expected));
            assert_eq!(expected.to_string(), text);
        }
        for invalid in ["", "1,2", "1,2,3,4", "1,a,3", "-1"] {
            assert!(invalid.parse::<PhaseValues<u64>>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn phases_follow_from_the_number_of_pieces() {
        let values = PhaseValues::Each(["opening", "middlegame", "endgame"]);
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "opening"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/4K3 w kq - 0 1", "opening"),
            ("rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/4K3 w kq - 0 1", "middlegame"),
            ("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq - 0 1", "middlegame"),
            ("rnbqkbnr/1ppppppp/8/8/8/8/8/4K3 w kq - 0 1", "endgame"),
        ] {
            assert_eq!(values.at(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn a_file_has_one_value_or_three() {
        #[derive(PartialEq, Debug, Serialize, Deserialize)]
        struct Settings {
            soft_nodes: PhaseValues<u64>,
        }
        for (text, soft_nodes) in [
            ("soft_nodes = 250\n", PhaseValues::Uniform(250)),
            ("soft_nodes = [6000, 6000, 600]\n", PhaseValues::Each([6_000, 6_000, 600])),
        ] {
            let settings = Settings { soft_nodes };
            assert_eq!(toml::from_str::<Settings>(text), Ok(settings));
            assert_eq!(toml::to_string(&Settings { soft_nodes }).unwrap(), text);
        }
    }
}
