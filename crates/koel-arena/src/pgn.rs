//! Games in portable game notation (PGN).

use std::fmt::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use koel_uci::UciScore;
use shakmaty::{CastlingMode, Color, EnPassantMode, Position, fen::Fen};

use crate::game::{PlayedGame, PlayedMove};
use crate::opening::Opening;
use crate::record::{Ending, GameId, Warnings};
use crate::referee::Referee;

/// The tags of a game that do not follow from the game itself.
#[derive(Clone, Debug)]
pub(crate) struct PgnHeader<'h> {
    /// The name of the match.
    pub event: &'h str,
    /// The name of White.
    pub white: &'h str,
    /// The name of Black.
    pub black: &'h str,
    /// The number of the game.
    pub id: GameId,
    /// The limits of White and of Black.
    pub limits: [&'h str; 2],
}

/// Greatest length of a line by the PGN standard; only a longer word exceeds it.
const MAX_LINE_LENGTH: usize = 80;

/// Formats a game, with an empty line after it. The comment of a move has the score from the side of
/// the mover, the depth, and the seconds charged: `{+0.31/12 0.045s}`.
pub(crate) fn format_game(
    heading: &PgnHeader<'_>,
    opening: &Opening,
    game: &PlayedGame,
    mode: CastlingMode,
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_tags(&mut text, heading, opening, game, mode);
    let mut lines = Lines { text: &mut text, length: 0 };
    let start = opening.start(mode).unwrap_or_default();
    let mut number = start.fullmoves().get();
    let mut turn = start.turn();
    let mut referee = Referee::new(start, mode);
    let book = opening.moves.iter().filter_map(|&m| referee.play(m));
    let book: Vec<_> = book.map(|played| (played.san.to_string(), None)).collect();
    let played = game.moves.iter().map(|played| (played.san.clone(), Some(played)));
    for (index, (san, played)) in book.into_iter().chain(played).enumerate() {
        if turn == Color::White {
            lines.word(&format!("{number}."));
        } else if index == 0 {
            lines.word(&format!("{number}..."));
        }
        lines.word(&san);
        lines.comment(&played.map_or_else(|| "book".to_owned(), move_comment));
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
    lines.comment(&final_comment(game));
    lines.word(result(game.winner));
    text.push_str("\n\n");
    text
}

fn write_tags(
    text: &mut String,
    heading: &PgnHeader<'_>,
    opening: &Opening,
    game: &PlayedGame,
    mode: CastlingMode,
) -> fmt::Result {
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]")
    };
    tag("Event", heading.event)?;
    tag("Site", "?")?;
    tag("Date", &today())?;
    tag("Round", &heading.id.to_string())?;
    tag("White", heading.white)?;
    tag("Black", heading.black)?;
    tag("Result", result(game.winner))?;
    if mode == CastlingMode::Chess960 {
        tag("Variant", "Chess960")?;
    }
    if let Ok(start) = opening.start(mode)
        && opening.fen.is_some()
    {
        tag("SetUp", "1")?;
        tag("FEN", &Fen::from_position(&start, EnPassantMode::Legal).to_string())?;
    }
    tag("PlyCount", &(opening.moves.len() + game.moves.len()).to_string())?;
    let [white, black] = heading.limits;
    if white == black {
        tag("TimeControl", white)?;
    } else {
        tag("WhiteTimeControl", white)?;
        tag("BlackTimeControl", black)?;
    }
    tag("Termination", termination(game.ending))?;
    text.push('\n');
    Ok(())
}

/// The value of the `Termination` tag.
fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Rule(_) => "normal",
        Ending::Resignation | Ending::AgreedDraw | Ending::Length | Ending::Tablebases => {
            "adjudication"
        }
        Ending::TimeLoss => "time forfeit",
        Ending::IllegalMove | Ending::UnreadableMove => "rules infraction",
        Ending::Crash | Ending::Stall => "abandoned",
    }
}

fn result(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

fn move_comment(played: &PlayedMove) -> String {
    let mut text = String::new();
    match played.score {
        Some(UciScore::Centipawns(score)) => {
            let _ = write!(text, "{:+.2}", f64::from(score) / 100.0);
        }
        Some(UciScore::Mate(moves)) => {
            let sign = if moves < 0 { '-' } else { '+' };
            let _ = write!(text, "{sign}M{}", moves.unsigned_abs());
        }
        None => {}
    }
    if let Some(depth) = played.depth {
        let _ = write!(text, "/{depth}");
    }
    let gap = if text.is_empty() { "" } else { " " };
    let _ = write!(text, "{gap}{:.4}s", played.elapsed.as_secs_f64());
    text
}

fn final_comment(game: &PlayedGame) -> String {
    let mut text = game.ending.describe().to_owned();
    if !game.remark.is_empty() {
        let _ = write!(text, ": {}", game.remark);
    }
    for (side, warnings) in ["White", "Black"].iter().zip(&game.warnings) {
        for (warning, times) in warnings as &Warnings {
            let _ = write!(text, "; {side}: {warning:?} x{times}");
        }
    }
    text
}

/// Words broken into lines.
struct Lines<'t> {
    text: &'t mut String,
    length: usize,
}

impl Lines<'_> {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.length > 0 && self.length + 1 + length > MAX_LINE_LENGTH {
            self.text.push('\n');
            self.length = 0;
        }
        if self.length > 0 {
            self.text.push(' ');
            self.length += 1;
        }
        self.text.push_str(word);
        self.length += length;
    }

    fn comment(&mut self, comment: &str) {
        // A brace would end the comment early, and `%` at the start of a line escapes it.
        let plain: String = comment
            .chars()
            .filter(|&c| !c.is_control() || c == '\t')
            .map(|c| if matches!(c, '{' | '}' | '%') { '?' } else { c })
            .collect();
        let words: Vec<_> = plain.split_whitespace().collect();
        for (index, word) in words.iter().enumerate() {
            let open = if index == 0 { "{" } else { "" };
            let close = if index + 1 == words.len() { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"));
        }
    }
}

fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_of_day((now.as_secs() / 86_400) as i64)
}

/// Returns the date of a day counted from 1 January 1970. The calculation uses eras of 400 years
/// that begin on 1 March.
fn date_of_day(day: i64) -> String {
    let since_march_0000 = day + 719_468;
    let era = since_march_0000.div_euclid(146_097);
    let day_of_era = since_march_0000.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days_have_their_dates() {
        let known = [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (19_722, "2023.12.31"),
            (19_782, "2024.02.29"),
        ];
        for (day, date) in known {
            assert_eq!(date_of_day(day), date);
        }
    }

    #[test]
    fn comments_cannot_be_ended_early() {
        let mut text = String::new();
        let mut lines = Lines { text: &mut text, length: 0 };
        lines.comment("a } b {\n%c \u{1b}[0m");
        assert_eq!(text, "{a ? b ??c [0m}");
        let mut text = String::new();
        let mut lines = Lines { text: &mut text, length: 0 };
        (0..100).for_each(|_| lines.word("e4"));
        assert!(text.lines().all(|line| line.len() <= MAX_LINE_LENGTH));
    }
}
