//! The `go` command: the limits of a search.

use std::fmt;

use crate::error::{CommandError, Found};
use crate::move_text::{MoveText, write_moves};
use crate::number::{Milliseconds, number};
use crate::print::write_field;
use crate::tokens::Tokens;

/// The limits of a search, with the names of the protocol. Absent fields are `None`, false or empty.
/// A repeated field has its last value.
///
/// ```
/// use koel_uci::{Go, Milliseconds};
///
/// let go = Go { depth: Some(12), movetime: Some(Milliseconds(500)), ..Go::default() };
/// assert_eq!(go.to_string(), "go depth 12 movetime 500");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The root moves to search; all legal moves if empty.
    pub searchmoves: Vec<MoveText>,
    /// True for pondering: search during the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's remaining time.
    pub wtime: Option<Milliseconds>,
    /// Black's remaining time.
    pub btime: Option<Milliseconds>,
    /// White's increment per move.
    pub winc: Option<Milliseconds>,
    /// Black's increment per move.
    pub binc: Option<Milliseconds>,
    /// The number of moves to the next time control.
    pub movestogo: Option<u32>,
    /// The depth limit in plies.
    pub depth: Option<u32>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<Milliseconds>,
    /// True to search until `stop`.
    pub infinite: bool,
    /// Run a perft of this depth instead of a search. Not part of the protocol, but supported by most
    /// engines.
    pub perft: Option<u32>,
    /// Words that the parser did not recognise and ignored, as the protocol specifies, for an engine
    /// that wants to report them. Never printed.
    pub ignored: Vec<String>,
}

const MILLISECONDS: &str = "a whole number of milliseconds";
const MOVES: &str = "a whole number of moves";
const NODES: &str = "a whole number of nodes";
const PLIES: &str = "a whole number of plies";

impl Go {
    pub(crate) fn parse(mut tokens: Tokens<'_>) -> Result<Go, CommandError> {
        let mut go = Go::default();
        while let Some(word) = tokens.next() {
            let mut values = Values { tokens: &mut tokens };
            match word {
                "searchmoves" => go.searchmoves = values.moves("searchmoves")?,
                "ponder" => go.ponder = true,
                "wtime" => go.wtime = Some(values.time("wtime")?),
                "btime" => go.btime = Some(values.time("btime")?),
                "winc" => go.winc = Some(values.time("winc")?),
                "binc" => go.binc = Some(values.time("binc")?),
                "movestogo" => go.movestogo = Some(values.take("movestogo", MOVES, number)?),
                "depth" => go.depth = Some(values.take("depth", PLIES, number)?),
                "nodes" => go.nodes = Some(values.take("nodes", NODES, number)?),
                "mate" => go.mate = Some(values.take("mate", MOVES, number)?),
                "movetime" => go.movetime = Some(values.time("movetime")?),
                "infinite" => go.infinite = true,
                "perft" => go.perft = Some(values.take("perft", PLIES, number)?),
                unknown => go.ignored.push(unknown.to_owned()),
            }
        }
        Ok(go)
    }
}

/// The parser of field values.
struct Values<'t, 'a> {
    tokens: &'t mut Tokens<'a>,
}

impl<'a> Values<'_, 'a> {
    fn take<T>(
        &mut self,
        field: &'static str,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, CommandError> {
        self.tokens.accept(read).ok_or_else(|| {
            let found = Found::from(self.tokens.peek());
            CommandError::GoField { field, expected, found }
        })
    }

    fn time(&mut self, field: &'static str) -> Result<Milliseconds, CommandError> {
        self.take(field, MILLISECONDS, Milliseconds::read)
    }

    fn moves(&mut self, field: &'static str) -> Result<Vec<MoveText>, CommandError> {
        let first = self.take(field, "moves such as e2e4", MoveText::read)?;
        Ok(std::iter::once(first).chain(self.tokens.accept_all(MoveText::read)).collect())
    }
}

/// Writes the complete command.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        write_field(f, " wtime ", self.wtime)?;
        write_field(f, " btime ", self.btime)?;
        write_field(f, " winc ", self.winc)?;
        write_field(f, " binc ", self.binc)?;
        write_field(f, " movestogo ", self.movestogo)?;
        write_field(f, " depth ", self.depth)?;
        write_field(f, " nodes ", self.nodes)?;
        write_field(f, " mate ", self.mate)?;
        write_field(f, " movetime ", self.movetime)?;
        write_field(f, " perft ", self.perft)?;
        for (word, is_set) in [("ponder", self.ponder), ("infinite", self.infinite)] {
            if is_set {
                write!(f, " {word}")?;
            }
        }
        write_moves(f, " searchmoves", &self.searchmoves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Result<Go, CommandError> {
        Go::parse(Tokens::new(text))
    }

    fn error(text: &str) -> String {
        go(text).unwrap_err().to_string()
    }

    #[test]
    fn all_clock_fields_are_parsed() {
        let go = go("wtime 300000 btime -50 winc 2000\tbinc 0  movestogo 40 ponder").unwrap();
        assert_eq!((go.wtime, go.btime), (Some(Milliseconds(300_000)), Some(Milliseconds(-50))));
        assert_eq!((go.winc, go.binc), (Some(Milliseconds(2000)), Some(Milliseconds(0))));
        assert_eq!((go.movestogo, go.ponder, go.infinite), (Some(40), true, false));
    }

    #[test]
    fn searchmoves_end_at_the_first_other_word() {
        let go = go("searchmoves e2e4 d2d4 nodes 99999999999999999999999").unwrap();
        assert_eq!(go.searchmoves.len(), 2);
        assert_eq!(go.nodes, Some(u64::MAX));
        assert_eq!(go.to_string(), "go nodes 18446744073709551615 searchmoves e2e4 d2d4");
    }

    #[test]
    fn unknown_words_are_collected() {
        let go = go("movtime 100 depth 3").unwrap();
        assert_eq!(go.ignored, ["movtime", "100"]);
        assert_eq!(go.depth, Some(3));
    }

    #[test]
    fn errors_name_the_wrong_value() {
        assert_eq!(error("depth abc"), "go: depth needs a whole number of plies, found `abc`");
        assert_eq!(error("depth -3"), "go: depth needs a whole number of plies, found `-3`");
        assert_eq!(error("wtime"), "go: wtime needs a whole number of milliseconds, found nothing");
        assert_eq!(error("searchmoves x"), "go: searchmoves needs moves such as e2e4, found `x`");
    }
}
