//! Extended Position Description (EPD): a position with named operations, on one line.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::fen_error::FenError;
use crate::position::Position;

/// A position and the operations that follow it, such as `bm Qg6; id "WAC.001";`.
///
/// # Examples
/// ```
/// use koel_board::Epd;
///
/// let epd: Epd = r#"4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "castle; please";"#.parse()?;
/// assert_eq!(epd.operand("id"), Some("castle; please"));
/// # Ok::<(), koel_board::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position; its clocks are those of a FEN or of the operations `hmvc` and `fmvn`, or `0
    /// 1`. They are written as these operations only.
    pub position: Position,
    /// The operations, in order.
    pub operations: Vec<Operation>,
}

/// One operation: a name with its operands.
///
/// ```
/// use koel_board::Epd;
///
/// let epd: Epd = "4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O O-O-O;".parse()?;
/// assert_eq!(epd.operations[0].opcode, "bm");
/// assert_eq!(epd.operations[0].operands, ["O-O", "O-O-O"]);
/// # Ok::<(), koel_board::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The name: `bm`, `id`, `D5`.
    pub opcode: String,
    /// The operands, without quotation marks.
    pub operands: Vec<String>,
}

/// The error for a line that is not an EPD.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A quotation mark is not closed.
    #[error("operation `{0}`: a quotation mark is not closed")]
    OpenQuote(String),
}

impl Epd {
    /// Returns the first operand of the first operation with this name.
    #[must_use]
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        operation.operands.first().map(String::as_str)
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    /// Parses the four fields of a position, the two clocks of a FEN if present, and operations.
    fn from_str(text: &str) -> Result<Epd, EpdError> {
        let (fields, mut rest) = split_fields(text, 4);
        let mut clocks = String::new();
        let (both, after_clocks) = split_fields(rest, 2);
        if both.split_ascii_whitespace().all(is_number) {
            (clocks, rest) = (both.to_owned(), after_clocks);
        }
        let operations = parse_operations(rest)?;
        let mut epd =
            Epd { position: Position::from_fen(&format!("{fields} {clocks}"))?, operations };
        if epd.operand("hmvc").is_some() || epd.operand("fmvn").is_some() {
            let clock = epd.position.halfmove_clock().to_string();
            let number = epd.position.fullmove_number().to_string();
            let clock = epd.operand("hmvc").unwrap_or(&clock);
            let number = epd.operand("fmvn").unwrap_or(&number);
            epd.position = Position::from_fen(&format!("{fields} {clock} {number}"))?;
        }
        Ok(epd)
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_string();
        f.write_str(split_fields(&fen, 4).0)?;
        for Operation { opcode, operands } in &self.operations {
            // A number would be read as a clock.
            write_word(f, opcode, !is_number(opcode))?;
            operands.iter().try_for_each(|operand| write_word(f, operand, true))?;
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// Writes a word after a space, in quotation marks if it is to be or must be. EPD knows no
/// quotation mark in one.
fn write_word(f: &mut fmt::Formatter<'_>, word: &str, may_be_plain: bool) -> fmt::Result {
    let word = word.replace('"', "'");
    let is_plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == ';');
    if is_plain && may_be_plain { write!(f, " {word}") } else { write!(f, " \"{word}\"") }
}

/// Returns true for digits alone: the clocks of a FEN, not the name of an operation.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Splits a text after its first `count` words, which may be written without a blank before a `;`.
fn split_fields(text: &str, count: usize) -> (&str, &str) {
    let text = text.trim();
    let mut rest = text;
    for _ in 0..count {
        rest = rest.trim_start();
        let ends_word = |c: char| c.is_whitespace() || c == ';';
        rest = &rest[rest.find(ends_word).unwrap_or(rest.len())..];
    }
    (text[..text.len() - rest.len()].trim_end(), rest.trim_start())
}

fn parse_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                finish_word(&mut words, &mut word);
                let quoted = characters.as_str();
                let end = quoted.find('"').ok_or_else(|| EpdError::OpenQuote(words.join(" ")))?;
                words.push(quoted[..end].to_owned());
                characters = quoted[end + 1..].chars();
            }
            ';' => {
                finish_word(&mut words, &mut word);
                finish_operation(&mut operations, &mut words);
            }
            _ if character.is_whitespace() => finish_word(&mut words, &mut word),
            _ => word.push(character),
        }
    }
    finish_word(&mut words, &mut word);
    finish_operation(&mut operations, &mut words);
    Ok(operations)
}

fn finish_word(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

fn finish_operation(operations: &mut Vec<Operation>, words: &mut Vec<String>) {
    let mut words = std::mem::take(words).into_iter();
    if let Some(opcode) = words.next() {
        operations.push(Operation { opcode, operands: words.collect() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_survive_a_round_trip() {
        let line = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 Qh4; \
                    c0 \"quoted; and spaced\"; id \"WAC.001\";";
        let epd: Epd = line.parse().unwrap();
        assert_eq!(epd.operations[0].operands, ["Qg6", "Qh4"]);
        assert_eq!(epd.operand("c0"), Some("quoted; and spaced"));
        assert_eq!(epd.to_string().parse::<Epd>().unwrap(), epd);
        let mut quoted = epd.clone();
        quoted.operations[2].operands[0] = "the \"first\"".to_owned();
        let read: Epd = quoted.to_string().parse().unwrap();
        assert_eq!(read.operand("id"), Some("the 'first'"));
    }

    #[test]
    fn clocks_and_perft_counts_are_parsed() {
        let epd: Epd = "4k3/8/8/8/8/8/8/4K2R w K - 7 30 ;D1 15 ;D2 66".parse().unwrap();
        assert_eq!(epd.position.halfmove_clock(), 7);
        assert_eq!(epd.operand("D2"), Some("66"));
        let epd: Epd = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 12; fmvn 40;".parse().unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (12, 40));
        let epd: Epd = "4k3/8/8/8/8/8/8/4K2R w K - fmvn 40;".parse().unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (0, 40));
    }

    #[test]
    fn no_blank_is_needed_before_a_semicolon() {
        let spaced: Epd = "4k3/8/8/8/8/8/8/4K2R w K - ; bm O-O; id \"a;b\";".parse().unwrap();
        let dense: Epd = "4k3/8/8/8/8/8/8/4K2R w K -;bm O-O;id \"a;b\";".parse().unwrap();
        assert_eq!(dense, spaced);
        let clocks: Epd = "4k3/8/8/8/8/8/8/4K2R w K - 7 30;bm O-O;".parse().unwrap();
        assert_eq!(clocks.position.halfmove_clock(), 7);
    }

    #[test]
    fn errors_are_typed() {
        assert!(matches!("4k3/8".parse::<Epd>(), Err(EpdError::Fen(_))));
        let open = "4k3/8/8/8/8/8/8/4K3 w - - id \"open".parse::<Epd>();
        assert_eq!(open, Err(EpdError::OpenQuote("id".to_owned())));
    }
}
