//! The `go` command: the limits of a search.

use std::fmt;
use std::num::NonZeroU32;

use crate::error::ParseError;
use crate::move_text::{MoveText, write_moves};
use crate::number::{Milliseconds, whole_part};
use crate::print::write_field;
use crate::tokens::{Tokens, push_word};

/// The limits of a search, with the names of the protocol. Absent fields are `None`, false or
/// empty. A repeated field has its last valid value.
///
/// Every `go` is owed a `bestmove`, so every line gives a `Go`: what is not understood is passed
/// over and kept in [`errors`](Go::errors), and the rest is obeyed. A field with an invalid value
/// is absent. Fractions are rounded towards zero. [`Go::end`] tells what ends the search.
///
/// ```
/// use koel_uci::{Go, Milliseconds};
///
/// let go = Go::default().with_depth(12).with_movetime(Milliseconds(500));
/// assert_eq!(go.to_string(), "go depth 12 movetime 500");
/// let clocks = [60_000, 55_000].map(Milliseconds);
/// let go = Go::default().with_clocks(clocks, [Milliseconds(600); 2]);
/// assert_eq!(go.to_string(), "go wtime 60000 btime 55000 winc 600 binc 600");
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
    /// The number of moves to the next time control; 0, which negative numbers become, means that
    /// there is none.
    pub movestogo: Option<u32>,
    /// The depth limit in plies.
    pub depth: Option<u32>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<NonZeroU32>,
    /// The time for this move.
    pub movetime: Option<Milliseconds>,
    /// True to search until `stop`.
    pub infinite: bool,
    /// Run a perft of this depth instead of a search. Not part of the protocol, but supported by
    /// most engines.
    pub perft: Option<u32>,
    /// The parts of the line that were passed over, in order; the engine should report them. Never
    /// printed.
    pub errors: Vec<ParseError>,
}

impl Go {
    /// Returns the command with a limit of depth in plies.
    #[must_use]
    pub fn with_depth(self, plies: u32) -> Go {
        Go { depth: Some(plies), ..self }
    }

    /// Returns the command with a limit of nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Go {
        Go { nodes: Some(nodes), ..self }
    }

    /// Returns the command with a time for this move.
    #[must_use]
    pub fn with_movetime(self, time: Milliseconds) -> Go {
        Go { movetime: Some(time), ..self }
    }

    /// Returns the command with the remaining times of White and Black and their increments.
    #[must_use]
    pub fn with_clocks(self, left: [Milliseconds; 2], increment: [Milliseconds; 2]) -> Go {
        let ([wtime, btime], [winc, binc]) = (left.map(Some), increment.map(Some));
        Go { wtime, btime, winc, binc, ..self }
    }
}

const MILLISECONDS: &str = "a whole number of milliseconds";
const MOVES: &str = "a whole number of moves";
const MOVES_TO_MATE: &str = "a whole number of moves from 1";
const NODES: &str = "a whole number of nodes";
const PLIES: &str = "a whole number of plies";

/// The words with a meaning in `go`, which therefore cannot be the value of another word.
const KEYWORDS: &str =
    "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft";

/// The event that ends a search. `stop` ends any search; a ponder search waits for `ponderhit`
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// The first of its limits: a clock, `movetime`, `depth`, `nodes` or `mate`.
    Limit,
    /// `stop` alone: the command was `go infinite`, or had no limit.
    Stop,
    /// A short default limit of the engine: the command was damaged and has no limit left. Without
    /// one, a GUI that set a limit would wait forever for the best move.
    Default,
}

impl Go {
    /// Returns the event that ends the search.
    ///
    /// ```
    /// use koel_uci::{Command, SearchEnd};
    ///
    /// for (line, end) in [
    ///     ("go depth 3 movetime soon", SearchEnd::Limit),
    ///     ("go searchmoves e2e4", SearchEnd::Stop),
    ///     ("go movetime soon", SearchEnd::Default),
    /// ] {
    ///     let Some(Command::Go(go)) = Command::parse(line)? else { panic!("{line}") };
    ///     assert_eq!(go.end(), end, "{line}");
    /// }
    /// # Ok::<(), koel_uci::ParseError>(())
    /// ```
    pub fn end(&self) -> SearchEnd {
        let has_clock = self.wtime.is_some() || self.btime.is_some() || self.movetime.is_some();
        let has_count = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        if self.infinite {
            SearchEnd::Stop
        } else if has_clock || has_count {
            SearchEnd::Limit
        } else if self.errors.is_empty() {
            SearchEnd::Stop
        } else {
            SearchEnd::Default
        }
    }

    pub(crate) fn parse(tokens: Tokens<'_>) -> Go {
        let mut go = Go::default();
        let mut values = Values { tokens, errors: Vec::new() };
        while let Some(word) = values.tokens.next() {
            match word {
                "searchmoves" => values.moves(&mut go.searchmoves),
                "ponder" => go.ponder = true,
                "wtime" => values.read(("wtime", MILLISECONDS), &mut go.wtime, time),
                "btime" => values.read(("btime", MILLISECONDS), &mut go.btime, time),
                "winc" => values.read(("winc", MILLISECONDS), &mut go.winc, time),
                "binc" => values.read(("binc", MILLISECONDS), &mut go.binc, time),
                "movestogo" => values.read(("movestogo", MOVES), &mut go.movestogo, moves_to_go),
                "depth" => values.read(("depth", PLIES), &mut go.depth, whole_part),
                "nodes" => values.read(("nodes", NODES), &mut go.nodes, whole_part),
                "mate" => values.read(("mate", MOVES_TO_MATE), &mut go.mate, moves_to_mate),
                "movetime" => values.read(("movetime", MILLISECONDS), &mut go.movetime, time),
                "infinite" => go.infinite = true,
                "perft" => values.read(("perft", PLIES), &mut go.perft, whole_part),
                unknown => values.pass_over(unknown),
            }
        }
        go.errors = values.errors;
        go
    }
}

/// The parser of field values, and the errors so far. A field keeps its old value if the new one is
/// invalid.
struct Values<'a> {
    tokens: Tokens<'a>,
    errors: Vec<ParseError>,
}

impl<'a> Values<'a> {
    /// Reads the value of a field. An invalid value is consumed, unless it is a keyword.
    fn read<T>(
        &mut self,
        (name, expected): (&'static str, &'static str),
        field: &mut Option<T>,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) {
        let word = self.value_word();
        match word.and_then(read) {
            Some(value) => *field = Some(value),
            None => {
                let found = word.or_else(|| self.tokens.peek()).map(str::to_owned);
                let (command, field) = ("go", Some(name));
                self.errors.push(ParseError::Argument { command, field, expected, found });
            }
        }
    }

    /// Reads moves up to the next keyword, at least one.
    fn moves(&mut self, field: &mut Vec<MoveText>) {
        let mut moves = Vec::new();
        loop {
            let mut next = None;
            self.read(("searchmoves", "moves such as e2e4"), &mut next, MoveText::read);
            moves.extend(next);
            if self.tokens.peek().is_none_or(is_keyword) {
                break;
            }
        }
        if !moves.is_empty() {
            *field = moves;
        }
    }

    /// Consumes the next word unless it is a keyword.
    fn value_word(&mut self) -> Option<&'a str> {
        self.tokens.accept(|word| (!is_keyword(word)).then_some(word))
    }

    /// Passes over an unknown word and those that follow it.
    fn pass_over(&mut self, unknown: &str) {
        let mut words = unknown.to_owned();
        while let Some(word) = self.value_word() {
            push_word(&mut words, word);
        }
        self.errors.push(ParseError::Ignored(words));
    }
}

fn time(word: &str) -> Option<Milliseconds> {
    whole_part(word).map(Milliseconds)
}

fn moves_to_go(word: &str) -> Option<u32> {
    whole_part::<i64>(word).map(|moves| moves.clamp(0, u32::MAX.into()) as u32)
}

fn moves_to_mate(word: &str) -> Option<NonZeroU32> {
    whole_part(word).and_then(NonZeroU32::new)
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword == word)
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

    fn go(text: &str) -> Go {
        Go::parse(Tokens::new(text))
    }

    fn errors(text: &str) -> Vec<String> {
        go(text).errors.iter().map(ParseError::to_string).collect()
    }

    #[test]
    fn all_clock_fields_are_parsed() {
        let go = go("wtime 300000 btime -50 winc 2000\tbinc 0  movestogo 40 ponder");
        assert_eq!((go.wtime, go.btime), (Some(Milliseconds(300_000)), Some(Milliseconds(-50))));
        assert_eq!((go.winc, go.binc), (Some(Milliseconds(2000)), Some(Milliseconds(0))));
        assert_eq!((go.movestogo, go.ponder, go.infinite), (Some(40), true, false));
    }

    #[test]
    fn searchmoves_end_at_the_next_keyword() {
        let go = go("searchmoves e2e4 Nf3 d2d4 nodes 99999999999999999999999");
        assert_eq!(go.nodes, Some(u64::MAX));
        assert_eq!(go.to_string(), "go nodes 18446744073709551615 searchmoves e2e4 d2d4");
        assert_eq!(go.errors.len(), 1);
    }

    #[test]
    fn unknown_words_are_passed_over() {
        let go = go("movtime 100 depth 3");
        assert_eq!(go.depth, Some(3));
        assert_eq!(errors("movtime 100 depth 3"), ["go: ignored `movtime 100`"]);
    }

    #[test]
    fn errors_name_the_wrong_value() {
        let plies = "go: depth needs a whole number of plies, found";
        assert_eq!(errors("depth abc"), [format!("{plies} `abc`")]);
        assert_eq!(errors("depth -3"), [format!("{plies} `-3`")]);
        let time = "needs a whole number of milliseconds, found";
        assert_eq!(errors("wtime"), [format!("go: wtime {time} nothing")]);
        let both = [format!("go: wtime {time} `btime`"), format!("go: btime {time} nothing")];
        assert_eq!(errors("wtime btime"), both);
        let moves = "go: searchmoves needs moves such as e2e4, found";
        assert_eq!(errors("searchmoves x depth 3"), [format!("{moves} `x`")]);
        assert_eq!(errors("searchmoves depth 3"), [format!("{moves} `depth`")]);
        assert_eq!(errors("mate 0"), ["go: mate needs a whole number of moves from 1, found `0`"]);
    }

    #[test]
    fn an_invalid_value_is_no_value_and_the_rest_is_obeyed() {
        for (text, obeyed) in [
            ("depth", "go"),
            ("depth 3.9", "go depth 3"),
            ("depth 3 depth x", "go depth 3"),
            ("depth x depth 3", "go depth 3"),
            ("wtime 100.7 btime 100.", "go wtime 100 btime 100"),
            ("wtime 1e3 btime 1e3", "go"),
            ("wtime -0.5 btime -20.9", "go wtime 0 btime -20"),
            ("movestogo -1 wtime 100 btime 100", "go wtime 100 btime 100 movestogo 0"),
            ("movestogo soon wtime 100 btime 100", "go wtime 100 btime 100"),
            ("wtime 100 winc NaN btime 100", "go wtime 100 btime 100"),
            ("nodes -5", "go"),
            ("nodes 1.x mate -1 perft .5", "go"),
            ("depth infinite", "go infinite"),
            ("depth 3 searchmoves zzzz", "go depth 3"),
        ] {
            assert_eq!(go(text).to_string(), obeyed, "{text}");
        }
    }

    #[test]
    fn a_damaged_command_without_a_limit_does_not_search_until_stop() {
        for (text, end) in [
            ("", SearchEnd::Stop),
            ("ponder", SearchEnd::Stop),
            ("winc 10 movestogo 3", SearchEnd::Stop),
            ("infinite depth x", SearchEnd::Stop),
            ("infinite depth 3", SearchEnd::Stop),
            ("depth x nodes 5", SearchEnd::Limit),
            ("btime -5", SearchEnd::Limit),
            ("depth x", SearchEnd::Default),
            ("ponder wtime", SearchEnd::Default),
            ("quickly", SearchEnd::Default),
        ] {
            assert_eq!(go(text).end(), end, "{text}");
        }
    }
}
