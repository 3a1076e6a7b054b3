//! What was found, as games with comments or as a table.

use std::fmt::Write;

use koel_board::{CastlingNotation, Position};
use koel_uci::{MoveText, UciScore};

use super::Format;
use super::analyst::Finding;
use super::subject::Subject;
use crate::pgn::NO_BREAK;

/// Writes findings.
pub(crate) struct Form {
    format: Format,
}

impl Form {
    pub(crate) fn new(format: Format) -> Form {
        Form { format }
    }

    /// What stands before everything else.
    pub(crate) fn head(&self) -> &'static str {
        match self.format {
            Format::Pgn => "",
            Format::Csv => "game,ply,fen,played,best,centipawns,mate,depth,nodes,line\n",
        }
    }

    /// A game, with what was found of each of its positions.
    pub(crate) fn write(
        &mut self,
        number: usize,
        subject: &Subject,
        findings: &[Option<Finding>],
    ) -> String {
        match self.format {
            Format::Csv => rows(number, subject, findings),
            Format::Pgn => subject.recorded.written(|ply, position| {
                findings[ply].as_ref().map(|finding| comment(finding, position))
            }),
        }
    }
}

/// As lichess and many programs read it: pawns or moves to mate from White's view, and the depth.
fn comment(finding: &Finding, position: &Position) -> String {
    let score = match from_white(finding.score, position) {
        UciScore::Centipawns(centipawns) => {
            let sign = if centipawns < 0 { "-" } else { "" };
            let (pawns, hundredths) = (centipawns.abs() / 100, centipawns.abs() % 100);
            format!("{sign}{pawns}.{hundredths:02}")
        }
        UciScore::Mate(moves) => format!("#{moves}"),
    };
    let best = position.san(finding.best);
    format!("{{ [%eval{NO_BREAK}{score},{}] best {best} }}", finding.depth)
}

fn from_white(score: UciScore, position: &Position) -> UciScore {
    match score {
        score if position.turn().is_white() => score,
        UciScore::Centipawns(centipawns) => UciScore::Centipawns(-centipawns),
        UciScore::Mate(moves) => UciScore::Mate(-moves),
    }
}

fn rows(number: usize, subject: &Subject, findings: &[Option<Finding>]) -> String {
    let mut text = String::new();
    let game = &subject.recorded.game;
    let played = game.moves().map(Some).chain([None]);
    for (ply, ((position, played), finding)) in
        game.positions().zip(played).zip(findings).enumerate()
    {
        let uci = |m| position.uci(m, CastlingNotation::Standard);
        let played = played.map(uci).unwrap_or_default();
        let _ = write!(text, "{number},{ply},{position},{played},");
        let Some(finding) = finding else {
            text.push_str(",,,,,\n");
            continue;
        };
        let (centipawns, mate) = match from_white(finding.score, &position) {
            UciScore::Centipawns(centipawns) => (centipawns.to_string(), String::new()),
            UciScore::Mate(moves) => (String::new(), moves.to_string()),
        };
        let Finding { depth, nodes, .. } = finding;
        let line = line(&position, &finding.line);
        let best = uci(finding.best);
        let _ = writeln!(text, "{best},{centipawns},{mate},{depth},{nodes},{line}");
    }
    text
}

/// A line with castling in the usual notation.
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

    fn finding(position: &Position, best: &str, score: UciScore) -> Finding {
        let line = vec![best.parse().unwrap()];
        Finding { best: position.parse_uci(best).unwrap(), score, depth: 9, nodes: 1, line }
    }

    #[test]
    fn comments_are_from_whites_view() {
        let start = Position::start();
        let black = start.after(start.parse_uci("e2e4").unwrap());
        let comment = |position: &Position, best, score| {
            comment(&finding(position, best, score), position).replace(NO_BREAK, " ")
        };
        let pawns = UciScore::Centipawns;
        assert_eq!(comment(&start, "g1f3", pawns(31)), "{ [%eval 0.31,9] best Nf3 }");
        assert_eq!(comment(&start, "g1f3", pawns(-5)), "{ [%eval -0.05,9] best Nf3 }");
        assert_eq!(comment(&black, "e7e5", pawns(123)), "{ [%eval -1.23,9] best e5 }");
        assert_eq!(comment(&black, "e7e5", UciScore::Mate(3)), "{ [%eval #-3,9] best e5 }");
    }
}
