//! The `info` line: the progress of a search.

use std::fmt;

use crate::move_text::{MoveText, write_moves};
use crate::number::{Milliseconds, number};
use crate::print::{OneLine, write_field, write_number};
use crate::score::{ScoreReport, Wdl};
use crate::tokens::Tokens;

/// The fields of an `info` line, with the names of the protocol. Absent fields are `None` or empty.
///
/// Parsing never fails: invalid parts in the line of another engine (`nps inf`) are collected in
/// [`Info::ignored`], and the rest of the line is used.
///
/// ```
/// use koel_uci::{Info, Score};
///
/// let score = Some(Score::Centipawns(31).into());
/// let info = Info { depth: Some(9), score, ..Info::default() };
/// assert_eq!(info.to_string(), "info depth 9 score cp 31");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The selective search depth: the length of the longest line in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line in multi-PV mode, from 1 (the best).
    pub multipv: Option<u32>,
    /// The score from the point of view of the side to move.
    pub score: Option<ScoreReport>,
    /// The win, draw and loss probabilities of the side to move.
    pub wdl: Option<Wdl>,
    /// The root move being searched.
    pub currmove: Option<MoveText>,
    /// The number of that root move, from 1.
    pub currmovenumber: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
    /// The speed in nodes per second.
    pub nps: Option<u64>,
    /// The occupancy of the hash table in permille.
    pub hashfull: Option<u32>,
    /// The number of positions found in the endgame tablebases.
    pub tbhits: Option<u64>,
    /// The time since the start of the search.
    pub time: Option<Milliseconds>,
    /// The principal variation.
    pub pv: Vec<MoveText>,
    /// Text for the user, with its spaces; always the last field of a line.
    pub string: Option<String>,
    /// Words that the parser did not recognise, among them the fields `cpuload`, `currline` and
    /// `refutation`, which few engines print. Never printed.
    pub ignored: Vec<String>,
}

impl Info {
    pub(crate) fn parse(mut tokens: Tokens<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = tokens.next() {
            if word == "string" {
                info.string = Some(tokens.verbatim());
                break;
            }
            if info.read(word, &mut tokens).is_none() {
                info.ignored.push(word.to_owned());
            }
        }
        info
    }

    /// Parses the value of a field. Returns `None` without consuming a word if the field is unknown
    /// or its value invalid.
    fn read(&mut self, field: &str, tokens: &mut Tokens<'_>) -> Option<()> {
        match field {
            "depth" => self.depth = Some(tokens.accept(number)?),
            "seldepth" => self.seldepth = Some(tokens.accept(number)?),
            "multipv" => self.multipv = Some(tokens.accept(number)?),
            "score" => self.score = Some(ScoreReport::read(tokens)?),
            "wdl" => self.wdl = Some(Wdl::read(tokens)?),
            "currmove" => self.currmove = Some(tokens.accept(MoveText::read)?),
            "currmovenumber" => self.currmovenumber = Some(tokens.accept(number)?),
            "nodes" => self.nodes = Some(tokens.accept(number)?),
            "nps" => self.nps = Some(tokens.accept(number)?),
            "hashfull" => self.hashfull = Some(tokens.accept(number)?),
            "tbhits" => self.tbhits = Some(tokens.accept(number)?),
            "time" => self.time = Some(tokens.accept(Milliseconds::read)?),
            "pv" => self.pv = tokens.accept_all(MoveText::read),
            _ => return None,
        }
        Some(())
    }
}

/// Writes the complete line, with the fields in the customary order.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_number(f, " depth ", self.depth)?;
        write_number(f, " seldepth ", self.seldepth)?;
        write_number(f, " multipv ", self.multipv)?;
        write_field(f, " score ", self.score)?;
        write_field(f, " wdl ", self.wdl)?;
        write_field(f, " currmove ", self.currmove)?;
        write_number(f, " currmovenumber ", self.currmovenumber)?;
        write_number(f, " nodes ", self.nodes)?;
        write_number(f, " nps ", self.nps)?;
        write_number(f, " hashfull ", self.hashfull)?;
        write_number(f, " tbhits ", self.tbhits)?;
        write_number(f, " time ", self.time.map(|time| time.0))?;
        write_moves(f, " pv", &self.pv)?;
        write_field(f, " string ", self.string.as_deref().map(OneLine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn parse(text: &str) -> Info {
        Info::parse(Tokens::new(text))
    }

    #[test]
    fn fields_are_printed_in_the_customary_order() {
        let text = "depth 12 seldepth 20 multipv 1 score cp 35 lowerbound wdl 100 800 100 \
                    nodes 12345 nps 1000000 hashfull 7 tbhits 0 time 12 pv e2e4 e7e5";
        assert_eq!(parse(text).to_string(), format!("info {text}"));
        assert!(parse(text).ignored.is_empty());
        let text = "depth 30 currmove g1f3 currmovenumber 4";
        assert_eq!(parse(text).to_string(), format!("info {text}"));
    }

    #[test]
    fn lines_of_other_engines_are_parsed() {
        let info = parse("pv e2e4 e7e5 score mate -0 nps inf seldepth 0 wobble 17 depth 3 time -1");
        assert_eq!(info.pv.len(), 2);
        assert_eq!(info.score, Some(Score::Mate(0).into()));
        assert_eq!(info.nps, None);
        assert_eq!((info.depth, info.seldepth), (Some(3), Some(0)));
        assert_eq!(info.time, Some(Milliseconds(-1)));
        assert_eq!(info.ignored, ["nps", "inf", "wobble", "17"]);
        assert_eq!(parse("currline 2 e2e4 pv d1h5 cpuload 990").pv.len(), 1);
    }

    #[test]
    fn a_string_keeps_its_spaces() {
        let info = parse("depth 1 string   pv depth  2 \r\n");
        assert_eq!(info.string.as_deref(), Some("  pv depth  2 "));
        assert_eq!(parse("string\r\n").string.as_deref(), Some(""));
    }
}
