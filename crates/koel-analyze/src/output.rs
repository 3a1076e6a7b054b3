//! The output of `koel analyze`: games with comments, or rows of CSV.

use std::fmt::Write;
use std::path::Path;

use koel_board::{CastlingNotation, Position};
use koel_pgn::{Annotation, PgnGame};
use koel_uci::{MoveText, UciScore};

use crate::assessment::{GameAnalysis, Mark};
use crate::earlier_analysis::{self, OwnComment};
use crate::engine::PositionAnalysis;

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Games with comments such as `[%eval 0.31,14]`; scores from White's point of view
    Pgn,
    /// One row per position; scores from White's point of view
    Csv,
}

impl Format {
    /// Returns the format that the extension of a path names, in upper or lower case.
    pub(crate) fn of_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?;
        let is_named = |name| extension.eq_ignore_ascii_case(name);
        is_named("csv").then_some(Format::Csv).or(is_named("pgn").then_some(Format::Pgn))
    }

    /// Returns the first line of the output.
    pub(crate) fn header(self) -> &'static str {
        match self {
            Format::Pgn => "",
            Format::Csv => {
                "game,ply,fen,played,best,centipawns,mate,depth,nodes,line,expected,loss,mark\n"
            }
        }
    }

    /// Formats a game with its analysis.
    pub(crate) fn write(self, number: u64, pgn: &mut PgnGame, analysis: &GameAnalysis) -> String {
        if self == Format::Csv {
            return rows(number, pgn, analysis);
        }
        let has_eval = |ply: usize| matches!(analysis.positions.get(ply), Some(Some(_)));
        let is_analysed = |ply| has_eval(ply) || analysis.move_before(ply).is_some();
        earlier_analysis::remove(&mut pgn.movetext, is_analysed, has_eval);
        let better = better_moves(pgn, analysis);
        pgn.with_annotations(|ply, position, nags| {
            let better = ply.checked_sub(1).and_then(|before| better.get(before)?.clone());
            annotation(analysis, ply, position, nags, better)
        })
    }

    /// Formats text of a PGN file that is not analysed.
    pub(crate) fn copy(self, text: &str) -> String {
        match self {
            Format::Csv => String::new(),
            Format::Pgn => format!("{text}\n\n"),
        }
    }
}

/// Returns for each move that deserves a mark the one that should have been played.
fn better_moves(pgn: &PgnGame, analysis: &GameAnalysis) -> Vec<Option<String>> {
    let moves = pgn.game.positions().zip(&analysis.positions).zip(&analysis.moves);
    let better = moves.map(|((position, found), played)| {
        let found = found.as_ref().filter(|_| played.mark().is_some())?;
        Some(position.san(found.best))
    });
    better.collect()
}

/// Returns the mark of the last move, unless it has it already, and the comment on the position.
fn annotation(
    analysis: &GameAnalysis,
    ply: usize,
    position: &Position,
    nags: &[u32],
    better: Option<String>,
) -> Annotation {
    let mark = analysis.move_before(ply).and_then(|m| m.mark());
    let added = mark.filter(|mark| !nags.contains(&mark.nag()));
    let found = analysis.positions.get(ply).and_then(Option::as_ref);
    let eval = found.map(|found| (score(found.score, position), found.depth));
    let is_empty = eval.is_none() && better.is_none();
    let comment = OwnComment { eval, added, better };
    Annotation {
        nag: added.map(Mark::nag),
        comment: if is_empty { Vec::new() } else { comment.words() },
    }
}

/// Formats a score as pawns or moves to mate from White's point of view.
fn score(score: UciScore, position: &Position) -> String {
    match from_white(score, position) {
        UciScore::Centipawns(centipawns) => {
            let sign = if centipawns < 0 { "-" } else { "" };
            let (pawns, hundredths) = (centipawns.abs() / 100, centipawns.abs() % 100);
            format!("{sign}{pawns}.{hundredths:02}")
        }
        UciScore::Mate(moves) => format!("#{moves}"),
    }
}

/// Converts a score to White's point of view.
fn from_white(score: UciScore, position: &Position) -> UciScore {
    match score {
        score if position.turn().is_white() => score,
        UciScore::Centipawns(centipawns) => UciScore::Centipawns(-centipawns),
        UciScore::Mate(moves) => UciScore::Mate(-moves),
    }
}

/// Returns the CSV rows of the positions of a game that are analysed.
fn rows(number: u64, pgn: &PgnGame, analysis: &GameAnalysis) -> String {
    let mut text = String::new();
    let game = &pgn.game;
    let played = game.moves().map(Some).chain([None]);
    let positions = game.positions().zip(played).zip(&analysis.positions).zip(&analysis.expected);
    for (ply, (((position, played), found), expected)) in positions.enumerate() {
        let uci = |m| position.uci(m, CastlingNotation::Standard);
        let played = played.map(uci).unwrap_or_default();
        let _ = write!(text, "{number},{ply},{position},{played},");
        match found {
            Some(found) => text.push_str(&fields(found, &position)),
            None => text.push_str(",,,,,"),
        }
        let _ = write!(text, ",{expected:.3},");
        if let Some(m) = analysis.moves.get(ply) {
            let _ = write!(text, "{:.3}", m.loss);
        }
        let mark = analysis.moves.get(ply).and_then(|m| m.mark());
        let _ = writeln!(text, ",{}", mark.map_or("", Mark::text));
    }
    text
}

/// Returns the CSV fields of an analysis: best move, centipawns, mate, depth, nodes, line.
fn fields(analysis: &PositionAnalysis, position: &Position) -> String {
    let (centipawns, mate) = match from_white(analysis.score, position) {
        UciScore::Centipawns(centipawns) => (centipawns.to_string(), String::new()),
        UciScore::Mate(moves) => (String::new(), moves.to_string()),
    };
    let PositionAnalysis { depth, nodes, .. } = analysis;
    let line = line(position, &analysis.line);
    let best = position.uci(analysis.best, CastlingNotation::Standard);
    format!("{best},{centipawns},{mate},{depth},{nodes},{line}")
}

/// Returns a line in UCI notation with standard castling (king's destination square).
fn line(position: &Position, moves: &[MoveText]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for text in moves {
        let Ok(m) = position.parse_uci(text.as_str()) else { break };
        words.push(position.uci(m, CastlingNotation::Standard));
        position.play(m);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let start = Position::start();
        let black = start.after(start.parse_uci("e2e4").unwrap());
        let pawns = UciScore::Centipawns;
        for (position, found, expected) in [
            (&start, pawns(31), "0.31"),
            (&start, pawns(-5), "-0.05"),
            (&black, pawns(123), "-1.23"),
            (&black, UciScore::Mate(3), "#-3"),
        ] {
            assert_eq!(score(found, position), expected);
        }
    }
}
