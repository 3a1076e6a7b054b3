//! The output of `koel analyze`: games with comments, or rows of CSV.

use std::fmt::Write;

use koel_board::{CastlingNotation, Position};
use koel_uci::{MoveText, UciScore};

use super::engine_session::PositionAnalysis;
use super::format::Format;
use crate::pgn::{NO_BREAK, PgnGame};

/// A writer of analysed games.
pub(crate) struct ReportWriter {
    format: Format,
}

impl ReportWriter {
    pub(crate) fn new(format: Format) -> ReportWriter {
        ReportWriter { format }
    }

    /// Returns the first line of the output.
    pub(crate) fn header(&self) -> &'static str {
        match self.format {
            Format::Pgn => "",
            Format::Csv => "game,ply,fen,played,best,centipawns,mate,depth,nodes,line\n",
        }
    }

    /// Formats a game with the analyses of its positions.
    pub(crate) fn write(
        &mut self,
        number: usize,
        pgn: &PgnGame,
        analyses: &[Option<PositionAnalysis>],
    ) -> String {
        match self.format {
            Format::Csv => rows(number, pgn, analyses),
            Format::Pgn => pgn.with_comments(|ply, position| {
                analyses[ply].as_ref().map(|analysis| comment(analysis, position))
            }),
        }
    }
}

/// Returns a comment in the format of Lichess: pawns or moves to mate from White's point of view,
/// and the depth.
fn comment(analysis: &PositionAnalysis, position: &Position) -> String {
    let score = match from_white(analysis.score, position) {
        UciScore::Centipawns(centipawns) => {
            let sign = if centipawns < 0 { "-" } else { "" };
            let (pawns, hundredths) = (centipawns.abs() / 100, centipawns.abs() % 100);
            format!("{sign}{pawns}.{hundredths:02}")
        }
        UciScore::Mate(moves) => format!("#{moves}"),
    };
    let best = position.san(analysis.best);
    format!("{{ [%eval{NO_BREAK}{score},{}] best {best} }}", analysis.depth)
}

/// Converts a score to White's point of view.
fn from_white(score: UciScore, position: &Position) -> UciScore {
    match score {
        score if position.turn().is_white() => score,
        UciScore::Centipawns(centipawns) => UciScore::Centipawns(-centipawns),
        UciScore::Mate(moves) => UciScore::Mate(-moves),
    }
}

/// Returns the CSV rows of a game.
fn rows(number: usize, pgn: &PgnGame, analyses: &[Option<PositionAnalysis>]) -> String {
    let mut text = String::new();
    let game = &pgn.game;
    let played = game.moves().map(Some).chain([None]);
    for (ply, ((position, played), analysis)) in
        game.positions().zip(played).zip(analyses).enumerate()
    {
        let uci = |m| position.uci(m, CastlingNotation::Standard);
        let played = played.map(uci).unwrap_or_default();
        let _ = write!(text, "{number},{ply},{position},{played},");
        let Some(analysis) = analysis else {
            text.push_str(",,,,,\n");
            continue;
        };
        let (centipawns, mate) = match from_white(analysis.score, &position) {
            UciScore::Centipawns(centipawns) => (centipawns.to_string(), String::new()),
            UciScore::Mate(moves) => (String::new(), moves.to_string()),
        };
        let PositionAnalysis { depth, nodes, .. } = analysis;
        let line = line(&position, &analysis.line);
        let best = uci(analysis.best);
        let _ = writeln!(text, "{best},{centipawns},{mate},{depth},{nodes},{line}");
    }
    text
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

    fn analysis(position: &Position, best: &str, score: UciScore) -> PositionAnalysis {
        let line = vec![best.parse().unwrap()];
        PositionAnalysis {
            best: position.parse_uci(best).unwrap(),
            score,
            depth: 9,
            nodes: 1,
            line,
        }
    }

    #[test]
    fn comments_are_from_whites_point_of_view() {
        let start = Position::start();
        let black = start.after(start.parse_uci("e2e4").unwrap());
        let comment = |position: &Position, best, score| {
            comment(&analysis(position, best, score), position).replace(NO_BREAK, " ")
        };
        let pawns = UciScore::Centipawns;
        assert_eq!(comment(&start, "g1f3", pawns(31)), "{ [%eval 0.31,9] best Nf3 }");
        assert_eq!(comment(&start, "g1f3", pawns(-5)), "{ [%eval -0.05,9] best Nf3 }");
        assert_eq!(comment(&black, "e7e5", pawns(123)), "{ [%eval -1.23,9] best e5 }");
        assert_eq!(comment(&black, "e7e5", UciScore::Mate(3)), "{ [%eval #-3,9] best e5 }");
    }
}
