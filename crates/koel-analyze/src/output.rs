//! The output of `koel analyze` as text: games with comments, rows of CSV, or lines of JSON.

use std::path::Path;

use koel_board::{Bitboard, CastlingNotation, Color, File, Move, Position};
use koel_pgn::{Annotation, PgnGame, Token};
use koel_uci::Score;
use serde_json::{Value, json};

use crate::assessment::{GameAnalysis, Mark};
use crate::earlier_analysis::{self, OwnComment};
use crate::engine::AnalysedLine;
use crate::suggestion::{self, Remarks, Suggestion};
use crate::suite;

/// The version of the lines of JSON: another one when a name or its meaning changes.
const JSON_VERSION: u32 = 1;

/// The columns of CSV: names of JSON, those of its first line included.
const COLUMNS: &str = "game,ply,fen,played,best,centipawns,mate,depth,nodes,line,expected,loss,\
                       mark,san,event,white,black,result";

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Games with comments such as `[%eval 0.31,14]`; scores from White's point of view
    Pgn,
    /// One row per position; scores from White's point of view
    Csv,
    /// One object of JSON on a line per position; scores from White's point of view
    Json,
}

impl Format {
    /// Returns the format that the extension of a path names, in upper or lower case.
    pub(crate) fn of_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "pgn" => Some(Format::Pgn),
            "csv" => Some(Format::Csv),
            "json" | "jsonl" => Some(Format::Json),
            _ => None,
        }
    }

    /// Returns true for a path whose extension is that of another kind of file.
    pub(crate) fn is_another(path: &Path) -> bool {
        const OTHERS: [&str; 8] = ["htm", "html", "svg", "epd", "fen", "gz", "zst", "bz2"];
        let extension = path.extension().unwrap_or_default();
        OTHERS.iter().any(|other| extension.eq_ignore_ascii_case(other))
    }

    /// Returns the first line of the output.
    pub(crate) fn header(self) -> String {
        match self {
            Format::Pgn | Format::Json => String::new(),
            Format::Csv => format!("{COLUMNS}\n"),
        }
    }

    /// Formats a game with its analysis. There are no comments of an earlier one in it.
    pub(crate) fn write(
        self,
        number: u64,
        pgn: &PgnGame,
        analysis: &GameAnalysis,
        remarks: Remarks,
    ) -> String {
        match self {
            Format::Pgn => annotated(pgn, analysis, remarks),
            Format::Csv => rows(number, pgn, analysis).map(|row| csv(&row)).collect(),
            Format::Json => rows(number, pgn, analysis).map(|row| format!("{row}\n")).collect(),
        }
    }

    /// Formats text of a PGN file that is not analysed.
    pub(crate) fn copy(self, text: &str) -> String {
        match self {
            Format::Pgn if !text.is_empty() => format!("{text}\n\n"),
            _ => String::new(),
        }
    }
}

/// Removes what an earlier analysis has written into a game, where it is analysed again.
pub(crate) fn remove_earlier(pgn: &mut PgnGame, analysis: &GameAnalysis) {
    let has_eval = |ply: usize| analysis.found(ply).is_some();
    let is_assessed = |ply: usize| analysis.move_before(ply).is_some();
    earlier_analysis::remove(&mut pgn.movetext, is_assessed, has_eval);
}

/// Returns a game with comments on its positions and variations in place of bad moves.
fn annotated(pgn: &PgnGame, analysis: &GameAnalysis, remarks: Remarks) -> String {
    let (mut before, mut moves) = (None::<Position>, pgn.game.moves().peekable());
    pgn.with_annotations(|ply, position, nags| {
        let before = before.replace(position.clone()).zip(moves.next_if(|_| ply > 0));
        let suggested = before.and_then(|(before, played)| {
            Some((before, remarks.suggestion(analysis, ply - 1, played)?))
        });
        annotation(analysis, ply, position, nags, suggested)
    })
}

/// Returns the mark of the last move, unless it has it already, the comment on the position, and
/// what should have been played in the position before.
fn annotation(
    analysis: &GameAnalysis,
    ply: usize,
    position: &Position,
    nags: &[u32],
    suggested: Option<(Position, Suggestion)>,
) -> Annotation {
    let mark = analysis.move_before(ply).and_then(|m| m.mark());
    let added = mark.filter(|mark| !nags.contains(&mark.nag()));
    let found = analysis.found(ply);
    let eval = found.map(|found| (score(found.best.score, position), found.best.depth));
    let is_empty = eval.is_none() && suggested.is_none();
    let better = suggested.as_ref().map(|(before, suggestion)| before.san(suggestion.best));
    let comment = OwnComment { eval, added, better };
    let variations = suggested.map(|(before, suggestion)| {
        suggestion.lines.iter().map(|line| variation(&before, line)).collect()
    });
    Annotation {
        nag: added.map(Mark::nag),
        comment: if is_empty { Vec::new() } else { comment.words() },
        variations: variations.unwrap_or_default(),
    }
}

/// Returns the tokens of a line, with its score behind the first move.
fn variation(before: &Position, line: &AnalysedLine) -> Vec<Token> {
    let score = score(line.score, before);
    let comment = earlier_analysis::variation_comment(&score, line.depth, 1 + line.rest.len());
    let sans = suggestion::sans(before, line);
    let mut tokens: Vec<Token> = sans.into_iter().map(Token::Move).collect();
    tokens.insert(1, comment);
    tokens
}

/// Formats a score as pawns or moves to mate from White's point of view.
pub(crate) fn score(score: Score, position: &Position) -> String {
    match from_white(score, position) {
        Score::Centipawns(centipawns) => {
            let sign = if centipawns < 0 { "-" } else { "" };
            let (pawns, hundredths) = (centipawns.abs() / 100, centipawns.abs() % 100);
            format!("{sign}{pawns}.{hundredths:02}")
        }
        Score::Mate(moves) => format!("#{moves}"),
    }
}

/// Converts a score to White's point of view.
fn from_white(score: Score, position: &Position) -> Score {
    match score {
        score if position.turn().is_white() => score,
        Score::Centipawns(centipawns) => Score::Centipawns(-centipawns),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}

/// Returns an object of JSON for each position of a game that is analysed.
fn rows(number: u64, pgn: &PgnGame, analysis: &GameAnalysis) -> impl Iterator<Item = Value> {
    let played = pgn.game.moves().map(Some).chain([None]);
    let positions = pgn.game.positions().zip(played).enumerate().skip(analysis.first);
    let castling = castling(pgn.game.start());
    let uci = move |m: Move| m.uci(castling);
    positions.zip(&analysis.expected).map(move |((ply, (position, played)), &expected)| {
        let assessed = analysis.move_at(ply);
        let tag = |name| pgn.tags.value(name);
        let mut row = json!({
            "version": JSON_VERSION, "game": number, "ply": ply,
            "event": tag("Event"), "white": tag("White"), "black": tag("Black"),
            "result": pgn.result, "fen": position.to_string(),
            "played": played.map(uci), "san": played.map(|m| position.san(m)),
            "expected": rounded(expected), "loss": assessed.map(|m| rounded(m.loss)),
            "centipawn_loss": assessed.map(|m| m.centipawn_loss),
            "accuracy": assessed.map(|m| rounded(m.accuracy)),
            "phase": assessed.map(|m| m.phase.name()),
            "mark": assessed.and_then(|m| m.mark()).map(Mark::text),
        });
        if let Some(found) = analysis.found(ply) {
            row["best"] = json!(uci(found.best.first));
            row["nodes"] = json!(found.nodes);
            row["since"] = found.since.map_or(Value::Null, |since| {
                let milliseconds = since.time.as_millis() as u64;
                json!({"milliseconds": milliseconds, "nodes": since.nodes, "depth": since.depth})
            });
            row["solved"] = json!(suite::is_solved(pgn, found));
            let line = |line: &AnalysedLine| {
                let (centipawns, mate) = match from_white(line.score, &position) {
                    Score::Centipawns(centipawns) => (Some(centipawns), None),
                    Score::Mate(moves) => (None, Some(moves)),
                };
                let moves = line.moves().map(uci).collect::<Vec<_>>().join(" ");
                let depth = line.depth;
                json!({"centipawns": centipawns, "mate": mate, "depth": depth, "line": moves})
            };
            row["lines"] = found.lines().map(line).collect();
        }
        row
    })
}

/// Returns an object of JSON as a row of CSV.
fn csv(row: &Value) -> String {
    let value = |name| row.get(name).or_else(|| row["lines"][0].get(name)).unwrap_or(&Value::Null);
    let field = |name| match value(name) {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        Value::Number(number) if number.is_f64() => {
            format!("{:.3}", number.as_f64().unwrap_or_default())
        }
        other => other.to_string(),
    };
    COLUMNS.split(',').map(field).collect::<Vec<_>>().join(",") + "\n"
}

/// Returns the notation of castling in a game: that of Chess960 if a king or a rook that may castle
/// does not stand as in chess, where another king's move could be written like it.
fn castling(start: &Position) -> CastlingNotation {
    let is_usual = Color::ALL.into_iter().all(|color| {
        let rooks = start.castling_rooks() & start.color(color);
        rooks.is_empty()
            || rooks.is_subset(Bitboard::CORNERS) && start.king(color).file() == File::E
    });
    if is_usual { CastlingNotation::Standard } else { CastlingNotation::Chess960 }
}

/// Rounds to thousandths.
fn rounded(value: f64) -> f64 {
    (1000.0 * value).round() / 1000.0
}

/// Returns a field of CSV.
fn quoted(field: &str) -> String {
    match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let start = Position::start();
        let black = start.after(start.parse_uci("e2e4").unwrap());
        let pawns = Score::Centipawns;
        for (position, found, expected) in [
            (&start, pawns(31), "0.31"),
            (&start, pawns(-5), "-0.05"),
            (&black, pawns(123), "-1.23"),
            (&black, Score::Mate(3), "#-3"),
        ] {
            assert_eq!(score(found, position), expected);
        }
    }

    #[test]
    fn fields_of_csv_are_quoted_where_it_is_due() {
        let fields = ["Open, A", "the \"best\"", "plain"].map(quoted);
        assert_eq!(fields, ["\"Open, A\"", "\"the \"\"best\"\"\"", "plain"]);
    }
}
