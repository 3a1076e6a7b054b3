//! Serialisation of a position as its FEN. A move is its sixteen bits, a key its number.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::Position;

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let fen = String::deserialize(deserializer)?;
        Position::from_fen(&fen).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Move};

    #[test]
    fn what_is_written_is_read_and_errors_are_told() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let position = Position::from_fen(fen).unwrap();
        let json = serde_json::to_string(&(&position, position.key())).unwrap();
        let read: (Position, Key) = serde_json::from_str(&json).unwrap();
        assert!(read == (position.clone(), position.key()), "{json}");
        for m in position.legal_moves() {
            let json = serde_json::to_string(&m).unwrap();
            assert_eq!(serde_json::from_str::<Move>(&json).unwrap(), m);
        }
        let error = serde_json::from_str::<Position>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").unwrap_err();
        assert!(error.to_string().contains("king"), "{error}");
    }
}
