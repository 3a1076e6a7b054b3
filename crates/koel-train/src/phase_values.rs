//! Values that depend on the phase of the game.

use std::array;
use std::fmt;
use std::str::FromStr;

use koel_board::Position;
use serde::{Deserialize, Serialize};

/// The phases: more than 24 pieces, kings included, 17 to 24, and fewer.
const PHASES: usize = 3;

/// A value for each phase of the game: more than 24 pieces on the board, 17 to 24, and fewer.
///
/// As text three values with commas, or one that is the same in every phase: `6000,6000,600`,
/// `250`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "OneOrEach<T>", into = "OneOrEach<T>")]
#[serde(bound(
    serialize = "T: Copy + PartialEq + Serialize",
    deserialize = "T: Copy + Deserialize<'de>"
))]
pub(crate) struct PhaseValues<T>([T; PHASES]);

impl<T: Copy> PhaseValues<T> {
    /// Creates values that are the same in every phase.
    pub(crate) const fn uniform(value: T) -> PhaseValues<T> {
        PhaseValues([value; PHASES])
    }

    /// Returns the value in the phase of a position.
    pub(crate) fn at(&self, position: &Position) -> T {
        let [opening, middlegame, endgame] = self.0;
        match position.occupied().count() {
            25.. => opening,
            17..=24 => middlegame,
            _ => endgame,
        }
    }

    /// Returns the results of a function of each value.
    pub(crate) fn map(self, of_value: impl FnMut(T) -> T) -> PhaseValues<T> {
        PhaseValues(self.0.map(of_value))
    }
}

impl<T: FromStr> FromStr for PhaseValues<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<PhaseValues<T>, String> {
        let error = || format!("`{text}` is neither a number nor three with commas");
        let values: Vec<&str> = text.split(',').collect();
        if ![1, PHASES].contains(&values.len()) {
            return Err(error());
        }
        let parsed: [_; PHASES] = array::from_fn(|phase| values[phase % values.len()].parse().ok());
        let values: Option<Vec<T>> = parsed.into_iter().collect();
        values.and_then(|values| values.try_into().ok()).map(PhaseValues).ok_or_else(error)
    }
}

impl<T: fmt::Display + PartialEq> fmt::Display for PhaseValues<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [opening, middlegame, endgame] = &self.0;
        if opening == middlegame && middlegame == endgame {
            return write!(f, "{opening}");
        }
        write!(f, "{opening},{middlegame},{endgame}")
    }
}

/// The form of the values in files of settings. Those of earlier versions state a single value.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum OneOrEach<T> {
    One(T),
    Each([T; PHASES]),
}

impl<T: Copy> From<OneOrEach<T>> for PhaseValues<T> {
    fn from(values: OneOrEach<T>) -> PhaseValues<T> {
        match values {
            OneOrEach::One(value) => PhaseValues::uniform(value),
            OneOrEach::Each(values) => PhaseValues(values),
        }
    }
}

impl<T: Copy + PartialEq> From<PhaseValues<T>> for OneOrEach<T> {
    fn from(PhaseValues(values): PhaseValues<T>) -> OneOrEach<T> {
        let [one, others @ ..] = values;
        if others == [one; PHASES - 1] { OneOrEach::One(one) } else { OneOrEach::Each(values) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_values_agree() {
        let values = PhaseValues([6_000, 6_000, 600]);
        for (text, expected) in [("6000,6000,600", values), ("250", PhaseValues([250; 3]))] {
            assert_eq!(text.parse(), Ok(expected));
            assert_eq!(expected.to_string(), text);
        }
        for invalid in ["", "1,2", "1,2,3,4", "1,a,3", "-1"] {
            assert!(invalid.parse::<PhaseValues<u64>>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn phases_follow_from_the_number_of_pieces() {
        let values = PhaseValues(["opening", "middlegame", "endgame"]);
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
            ("soft_nodes = 250\n", PhaseValues([250; 3])),
            ("soft_nodes = [6000, 6000, 600]\n", PhaseValues([6_000, 6_000, 600])),
        ] {
            let settings = Settings { soft_nodes };
            assert_eq!(toml::from_str::<Settings>(text), Ok(settings));
            assert_eq!(toml::to_string(&Settings { soft_nodes }).unwrap(), text);
        }
    }
}
