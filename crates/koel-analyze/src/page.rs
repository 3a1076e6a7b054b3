//! The page: games with a board, moves, variations, comments and a chart in one file of HTML that
//! needs no other.
//!
//! Its script knows no chess. Each game is an object of JSON in an element of its own; a position
//! is the one before it with some squares changed.

use std::path::Path;

use koel_board::{Color, Move, Position, Square};
use koel_pgn::{PgnGame, Variation, VariationMove};
use serde_json::{Value, json};

use crate::assessment::{GameAnalysis, Mark};
use crate::chart;
use crate::error::AnalyzeError;
use crate::output::score;
use crate::output_file::OutputFile;
use crate::suggestion::{self, Remarks, Suggestion};
use crate::summary::{Figures, Summary};

const HEAD: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const PIECES: &str = include_str!("page/pieces.svg");
const SCRIPT: &str = include_str!("page/page.js");

/// The line by which a page is known.
const SIGNATURE: &str = "<meta name=\"generator\" content=\"koel analyze\">";

/// A page that is being written.
pub(crate) struct Page {
    file: OutputFile,
}

impl Page {
    /// Returns an error if a page cannot be written to a path: only an earlier page is replaced,
    /// and none of the other files of the analysis.
    pub(crate) fn check<'a>(
        path: &Path,
        mut others: impl Iterator<Item = &'a Path>,
    ) -> Result<(), AnalyzeError> {
        let refused = |reason| Err(AnalyzeError::Page { path: path.to_owned(), reason });
        if others.any(|other| koel_files::is_same_file(path, other)) {
            return refused("the input or the output");
        }
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if extension != "html" && extension != "htm" {
            return refused("not named .html");
        }
        let error = AnalyzeError::of_file(path);
        koel_files::check_kind(path).map_err(&error)?;
        if !path.exists() {
            return Ok(());
        }
        let old = koel_files::read(path, koel_files::IN_MEMORY).map_err(error)?;
        let start = String::from_utf8_lossy(&old[..old.len().min(1000)]).into_owned();
        if start.contains(SIGNATURE) { Ok(()) } else { refused("no page of koel analyze") }
    }

    pub(crate) fn create(path: &Path) -> Result<Page, AnalyzeError> {
        let mut file = OutputFile::create(Some(path))?;
        let parts = [
            ("{page.css}", STYLE),
            ("{pieces.svg}", PIECES),
            ("{version}", env!("CARGO_PKG_VERSION")),
        ];
        let head =
            parts.iter().fold(HEAD.to_owned(), |head, (name, part)| head.replace(name, part));
        file.write(&head)?;
        Ok(Page { file })
    }

    /// Adds a game.
    pub(crate) fn add(
        &mut self,
        number: u64,
        pgn: &PgnGame,
        analysis: &GameAnalysis,
        remarks: Remarks,
    ) -> Result<(), AnalyzeError> {
        let mut data = game(pgn, analysis, remarks);
        data["number"] = json!(number);
        self.write_data("class=\"game\"", &data)
    }

    /// Ends the page with the figures of the players and the script.
    pub(crate) fn finish(&mut self, summary: &Summary) -> Result<(), AnalyzeError> {
        let players = summary.players.iter().map(|player| {
            let [all, ..] = &player.figures;
            json!([player.name, all.games, figures(all)])
        });
        self.write_data("id=\"summary\"", &players.collect())?;
        self.file.write(&format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n"))
    }

    pub(crate) fn into_file(self) -> OutputFile {
        self.file
    }

    /// Writes data that no text in it can end.
    fn write_data(&mut self, attribute: &str, data: &Value) -> Result<(), AnalyzeError> {
        let data = data.to_string().replace('<', "\\u003c");
        self.file.write(&format!("<script type=\"application/json\" {attribute}>{data}</script>\n"))
    }
}

/// Returns the data of a game.
fn game(pgn: &PgnGame, analysis: &GameAnalysis, remarks: Remarks) -> Value {
    let start = pgn.game.start();
    let mut tree = pgn.variations();
    add_unread(pgn, &mut tree);
    let mut remarked = Remarked::new(&tree.comments);
    if let Some(found) = analysis.found(0).filter(|_| tree.moves.is_empty()) {
        // A position without moves has no list of them to show a line in.
        remarked.texts.push(format!("Best: {}", suggestion::sans(start, &found.best).join(" ")));
    }
    let found = pgn.game.positions().skip(analysis.first).zip(&analysis.positions);
    let (evals, best): (Vec<_>, Vec<_>) = found
        .map(|(at, found)| match found {
            Some(found) => (score(found.best.score, &at), squares(found.best.first)),
            None => Default::default(),
        })
        .unzip();
    let expected = analysis.expected.iter().map(|expected| (100.0 * expected).round() as i32);
    let chart = if analysis.moves.is_empty() { String::new() } else { chart::draw_plain(analysis) };
    let players = [true, false].map(|is_white| Figures::of_game(analysis, is_white));
    let half_moves = 2 * start.fullmove_number() + u32::from(!start.turn().is_white());
    json!({
        "tags": pgn.tags.0, "result": pgn.result, "start": board(start), "first": half_moves,
        "comments": remarked.texts, "shapes": remarked.shapes, "offset": analysis.first,
        "moves": main_line(pgn, analysis, remarks, &tree),
        "evals": evals, "best": best,
        "expected": expected.collect::<Vec<_>>(), "chart": chart,
        "figures": players.map(|of| of.map(|of| figures(&of))),
    })
}

/// Adds what is not read of a game, behind a fault or from a null move on, to its last comments.
fn add_unread(pgn: &PgnGame, tree: &mut Variation) {
    let read = pgn.game.moves().len().min(tree.moves.len());
    let (read, behind) = tree.moves.split_at_mut(read);
    let text = match pgn.unread() {
        Some(rest) => rest.split_whitespace().collect::<Vec<_>>(),
        None => behind.iter().map(|m| m.text.as_str()).collect(),
    };
    if !text.is_empty() {
        let comments = read.last_mut().map_or(&mut tree.comments, |last| &mut last.comments);
        comments.push(format!("Not read: {}", text.join(" ")));
    }
}

/// Returns what is said of a player, or null if there are no moves.
fn figures(of: &Figures) -> Value {
    let tenth = |value: f64| (10.0 * value).round() / 10.0;
    let [dubious, mistakes, blunders] = of.marks;
    match of.moves {
        0 => Value::Null,
        moves => {
            let (accuracy, loss) = (tenth(of.accuracy()), tenth(of.centipawn_loss()));
            json!([moves, accuracy, loss, dubious, mistakes, blunders])
        }
    }
}

/// Returns the moves of a game with what its file and the analysis say of them.
fn main_line(
    pgn: &PgnGame,
    analysis: &GameAnalysis,
    remarks: Remarks,
    tree: &Variation,
) -> Vec<Value> {
    let played = pgn.game.positions().zip(pgn.game.moves()).zip(&tree.moves).enumerate();
    let moves = played.map(|(ply, ((position, m), written))| {
        let mark = analysis.move_at(ply).and_then(|assessed| assessed.mark());
        let suggestion = remarks.suggestion(analysis, ply, m);
        let own = suggestion.map_or_else(Vec::new, |found| suggested(&position, &found));
        let given = written.variations.iter().map(|line| variation(&position, line));
        shown(&position, m, mark, written, own.into_iter().chain(given).collect())
    });
    moves.collect()
}

/// Returns a variation of the file: no title, no evaluation, its moves.
fn variation(before: &Position, line: &Variation) -> Value {
    let mut position = before.clone();
    let moves = line.moves.iter().map(|written| {
        let Some(m) = written.played else { return json!([written.text]) };
        let lines = written.variations.iter().map(|line| variation(&position, line));
        let value = shown(&position, m, None, written, lines.collect());
        position.play(m);
        value
    });
    let moves: Vec<Value> = moves.collect();
    json!([line.comments.join(" "), "", moves])
}

/// Returns the lines that should have been played: title, evaluation and moves of each.
fn suggested(before: &Position, suggestion: &Suggestion) -> Vec<Value> {
    let title = format!("{} was best", before.san(suggestion.best));
    let lines = suggestion.lines.iter().map(|line| {
        let mut position = before.clone();
        let moves = line.moves().map(|m| {
            let value = json!([position.san(m), squares(m), changes(&position, m)]);
            position.play(m);
            value
        });
        let moves: Vec<Value> = moves.collect();
        let is_best = line.first == suggestion.best;
        json!([if is_best { &*title } else { "" }, score(line.score, before), moves])
    });
    let lines: Vec<Value> = lines.collect();
    if lines.is_empty() { vec![json!([title, "", []])] } else { lines }
}

/// Returns a move as the script reads it, without what is empty at its end.
fn shown(
    before: &Position,
    m: Move,
    mark: Option<Mark>,
    written: &VariationMove,
    lines: Vec<Value>,
) -> Value {
    let remarked = Remarked::new(&written.comments);
    let of_file = written.nags.iter().filter(|&&nag| Some(nag) != mark.map(Mark::nag));
    let of_file = of_file.map(|&nag| glyph(nag)).filter(|glyph| !glyph.is_empty());
    let glyphs: Vec<&str> = mark.map(Mark::text).into_iter().chain(of_file).collect();
    let mut values = vec![
        json!(before.san(m)),
        json!(squares(m)),
        json!(changes(before, m)),
        json!(glyphs.join(" ")),
        json!(remarked.texts),
        json!(lines),
        json!(remarked.clock),
        json!(remarked.shapes),
    ];
    let is_empty = |value: &Value| *value == json!("") || *value == json!([]);
    while values.last().is_some_and(is_empty) {
        values.pop();
    }
    Value::Array(values)
}

/// Returns the text of a numeric glyph, or nothing for one that is seldom shown.
fn glyph(nag: u32) -> &'static str {
    const GLYPHS: [(u32, &str); 17] = [
        (1, "!"),
        (2, "?"),
        (3, "!!"),
        (4, "??"),
        (5, "!?"),
        (6, "?!"),
        (7, "□"),
        (10, "="),
        (13, "∞"),
        (14, "⩲"),
        (15, "⩱"),
        (16, "±"),
        (17, "∓"),
        (18, "+−"),
        (19, "−+"),
        (22, "⨀"),
        (146, "N"),
    ];
    GLYPHS.iter().find(|(number, _)| *number == nag).map_or("", |(_, text)| text)
}

/// Returns the squares from and to of a move; of castling those of the king.
fn squares(m: Move) -> String {
    format!("{}{}", m.from(), m.uci_to(koel_board::CastlingNotation::Standard))
}

/// Returns the pieces from a8 to h1, with a dot for an empty square.
fn board(position: &Position) -> String {
    (0..8)
        .rev()
        .flat_map(|rank| (0..8).map(move |file| 8 * rank + file))
        .map(|square| letter(position, Square::new(square)))
        .collect()
}

fn letter(position: &Position, square: Square) -> char {
    position.piece_at(square).map_or('.', |piece| match piece.color {
        Color::White => piece.role.upper_char(),
        Color::Black => piece.role.char(),
    })
}

/// Returns the squares that a move changes, each with what stands there then: `e2.e4P`.
fn changes(before: &Position, m: Move) -> String {
    let after = before.after(m);
    let changed =
        Square::ALL.into_iter().filter(|&square| before.piece_at(square) != after.piece_at(square));
    changed.map(|square| format!("{square}{}", letter(&after, square))).collect()
}

/// The comments on a move: texts for people, and what programs write between `[%` and `]`.
#[derive(Default)]
struct Remarked {
    texts: Vec<String>,
    clock: String,
    /// Arrows and squares, such as `Gd1h5` and `Ra1`.
    shapes: Vec<String>,
}

impl Remarked {
    fn new(comments: &[String]) -> Remarked {
        let mut remarked = Remarked::default();
        for comment in comments {
            let mut text = String::new();
            let mut rest = comment.as_str();
            while let Some((before, command, after)) = split_command(rest) {
                text += before;
                remarked.take(command);
                rest = after;
            }
            let text = (text + rest).trim().to_owned();
            remarked.texts.extend(Some(text).filter(|text| !text.is_empty()));
        }
        remarked
    }

    fn take(&mut self, command: &str) {
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match name {
            "clk" => value.trim().clone_into(&mut self.clock),
            "cal" | "csl" => {
                let shapes = value.split(',').map(str::trim).filter(|shape| is_shape(shape));
                self.shapes.extend(shapes.map(str::to_owned));
            }
            _ => {}
        }
    }
}

/// Splits a comment at its first command into the text before it, the command, and the rest.
fn split_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("[%")?;
    let (command, after) = rest.split_once(']')?;
    Some((before, command, after))
}

/// Returns true for a colour and one or two squares.
fn is_shape(text: &str) -> bool {
    let Some(squares) = text.strip_prefix(['G', 'R', 'Y', 'B']) else { return false };
    let is_square =
        |at: usize| squares.get(at..at + 2).is_some_and(|s| s.parse::<Square>().is_ok());
    match squares.len() {
        2 => is_square(0),
        4 => is_square(0) && is_square(2),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use koel_pgn::{GameReader, PgnEntry};

    use super::*;

    fn data(text: &str) -> Value {
        let pgn = match GameReader::new(text.as_bytes()).next().unwrap().unwrap() {
            PgnEntry::Game(pgn) => pgn,
            PgnEntry::Faulty(faulty) => faulty.readable.unwrap(),
            PgnEntry::Text(_) => panic!("{text}"),
        };
        game(&pgn, &GameAnalysis::default(), Remarks { variation: 6, best: false })
    }

    #[test]
    fn changed_squares_lead_from_each_position_to_the_next() {
        for (moves, last) in [
            ("1. e4", "e2.e4P"),
            ("1. e4 a6 2. e5 d5 3. exd6", "d5.e5.d6P"),
            ("1. Nf3 a6 2. g3 a5 3. Bg2 a4 4. O-O", "e1.f1Rg1Kh1."),
            ("1. b4 c5 2. bxc5 b6 3. cxb6 h6 4. bxa7 h5 5. axb8=Q", "a7.b8Q"),
        ] {
            let data = data(&format!("{moves} *"));
            assert_eq!(data["moves"].as_array().unwrap().last().unwrap()[2], last, "{moves}");
        }
        let chess960 = "[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. O-O *";
        assert_eq!(data(chess960)["moves"][0], json!(["O-O", "f1g1", "f1Rg1K"]));
        assert_eq!(data("1. e4 *")["start"].as_str().unwrap().len(), 64);
    }

    #[test]
    fn comments_are_texts_clocks_and_shapes() {
        let data = data(
            "{[%csl Ra1,Xb2,Rz9] start} 1. e4 $1 {[%clk 0:01:00] good [%eval 0.3]} \
             {[%cal Ge2e4, Bd1h5]} (1. d4 {so} d5 (1... Nf6)) 1... e5 (1... Ke3 2. d4) *",
        );
        assert_eq!((&data["comments"], &data["shapes"]), (&json!(["start"]), &json!(["Ra1"])));
        let first = &data["moves"][0];
        assert_eq!(
            (&first[3], &first[4], &first[6]),
            (&json!("!"), &json!(["good"]), &json!("0:01:00"))
        );
        assert_eq!(first[7], json!(["Ge2e4", "Bd1h5"]));
        let nested = json!(["", "", [["Nf6", "g8f6", "f6ng8."]]]);
        let queen = json!([
            ["d4", "d2d4", "d2.d4P", "", ["so"]],
            ["d5", "d7d5", "d5pd7.", "", [], [nested]],
        ]);
        // A variation is known in its own position only.
        assert_eq!(first[5], json!([["", "", queen]]));
        assert_eq!(data["moves"][1][5], json!([["", "", [["Ke3"], ["d4"]]]]));
    }

    #[test]
    fn what_is_not_read_is_shown() {
        let last = |text| data(text)["moves"].as_array().unwrap().last().unwrap()[4].clone();
        assert_eq!(last("1. e4 e5 2. Ke3 {so} Nf6 *"), json!(["Not read: 2. Ke3 {so} Nf6 *"]));
        assert_eq!(last("1. e4 {good} -- 2. d4 *"), json!(["good", "Not read: -- d4"]));
        assert_eq!(data("-- 1. d4 *")["comments"], json!(["Not read: -- d4"]));
    }

    #[test]
    fn glyphs_of_a_file_follow_the_mark() {
        let glyphs = |text| data(text)["moves"][0][3].clone();
        assert_eq!(glyphs("1. e4 $6 $13 $300 *"), "?! ∞");
    }

    #[test]
    fn no_text_of_a_game_ends_its_data() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let name = "</script><!-- & \u{2028} <b>\\ 'x'";
        let text = format!("[White \"{name}\"]\n\n1. e4 {{{name}}} (1. d4 {{{name}}}) *");
        let Some(Ok(PgnEntry::Game(pgn))) = GameReader::new(text.as_bytes()).next() else {
            panic!("{text}")
        };
        let mut page = Page::create(&path).unwrap();
        page.add(1, &pgn, &GameAnalysis::default(), Remarks { variation: 6, best: false }).unwrap();
        page.finish(&Summary::default()).unwrap();
        page.into_file().commit().unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        let opened =
            written.split("<script type=\"application/json\" class=\"game\">").nth(1).unwrap();
        let data: Value = serde_json::from_str(opened.split("</script>").next().unwrap()).unwrap();
        assert_eq!(data["tags"][0][1], name);
        assert_eq!(data["moves"][0][4][0], name);
        assert!(!written.contains("<b>") && written.matches("<script").count() == 3);
        // A page is replaced, and nothing else.
        let check = |path: &Path| Page::check(path, std::iter::empty());
        check(&path).unwrap();
        std::fs::write(&path, "<!DOCTYPE html><p>mine").unwrap();
        assert!(check(&path).unwrap_err().to_string().contains("no page of koel analyze"));
        assert!(check(&path.with_extension("pgn")).is_err());
    }

    #[test]
    fn the_page_names_no_address_but_that_of_svg() {
        let page = [HEAD, STYLE, PIECES, SCRIPT].concat().replace("http://www.w3.org/2000/svg", "");
        for word in ["://", "url(h", "@import", "src=\"", "fetch(", "XMLHttp"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(HEAD.contains("default-src 'none'"));
    }

    #[test]
    fn the_script_is_javascript() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/page.js");
        match std::process::Command::new("node").args(["--check", script]).output() {
            Ok(checked) => assert!(checked.status.success(), "{checked:?}"),
            Err(error) => println!("skipped: no node: {error}"),
        }
    }
}
