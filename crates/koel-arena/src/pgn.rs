//! Games in portable game notation (PGN).

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use koel_pgn::{MovetextWriter, Tags, Token};
use koel_uci::Score;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

use crate::game::{PlayedGame, PlayedMove};
use crate::match_config::Match;
use crate::move_limits::MoveLimits;
use crate::opening::Opening;
use crate::record::{Ending, GameId, Warnings};
use crate::referee::Referee;

/// Formats a game, with an empty line after it. The comment of a move has the score from the side
/// of the mover, the depth, and the seconds charged: `{+0.31/12 0.045s}`, the form of other
/// runners. With details follow nodes, nodes a second, time left and PV:
/// `n=9000, nps=200000, tl=7.9s, pv="e4 e5"`.
pub(crate) fn format_game(
    config: &Match,
    id: GameId,
    opening: &Opening,
    game: &PlayedGame,
) -> String {
    let mode = config.mode;
    let start = opening.start(mode).unwrap_or_default();
    let tags = tags(config, id, opening, &start, game);
    let position = opening.fen.as_deref().map(koel_board::Position::from_fen);
    let mut movetext = MovetextWriter::new(&position.and_then(Result::ok).unwrap_or_default());
    let mut referee = Referee::new(start, mode);
    for played in opening.moves.iter().filter_map(|&m| referee.play(m)) {
        movetext.san(&played.san.to_string());
        movetext.token(&Token::Comment("book".to_owned()));
    }
    for played in &game.moves {
        movetext.san(&played.san);
        movetext.token(&Token::Comment(move_comment(played, config.has_details)));
    }
    movetext.comment(words(&final_comment(game)));
    movetext.token(&Token::Result(game.result()));
    format!("{}\n{}\n\n", tags.text(), movetext.finish())
}

fn tags(config: &Match, id: GameId, opening: &Opening, start: &Chess, game: &PlayedGame) -> Tags {
    let players = config.players(id);
    let mut tags = Vec::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.chars().filter(|c| !c.is_control()).collect();
        tags.push((name.to_owned(), value));
    };
    tag("Event", &config.event);
    tag("Site", "?");
    tag("Date", &date_and_time(game.started)[..10].replace('-', "."));
    tag("Round", &id.to_string());
    tag("White", config.name(players[0]));
    tag("Black", config.name(players[1]));
    tag("Result", game.result());
    if start.castles().mode() == CastlingMode::Chess960 {
        tag("Variant", "Chess960");
    }
    if opening.fen.is_some() {
        tag("SetUp", "1");
        tag("FEN", &Fen::from_position(start, EnPassantMode::Legal).to_string());
    }
    for (name, value) in &opening.names {
        tag(name, value);
    }
    let duration = game.started.elapsed().unwrap_or_default();
    tag("GameStartTime", &date_and_time(game.started));
    tag("GameEndTime", &date_and_time(game.started + duration));
    tag("GameDuration", &time_of_day(duration.as_secs()));
    tag("PlyCount", &(opening.moves.len() + game.moves.len()).to_string());
    // The tag of the standard, which knows only time, and one of our own for other limits.
    let limits = players.map(|index| config.engines[index].limits);
    let times = limits.map(time_control);
    let others = limits.map(|limits| (time_control(limits) == "-").then(|| limits.to_string()));
    for (name, values) in [("TimeControl", times.map(Some)), ("Limit", others)] {
        match values {
            [None, None] => {}
            [white, black] if white == black => tag(name, &white.unwrap_or_default()),
            both => {
                for (color, value) in ["White", "Black"].iter().zip(both) {
                    tag(&format!("{color}{name}"), value.as_deref().unwrap_or("-"));
                }
            }
        }
    }
    tag("Termination", termination(game.ending));
    Tags(tags)
}

/// The value of the `TimeControl` tag by the standard: seconds and increment, moves and seconds, or
/// `-` without real time.
fn time_control(limits: MoveLimits) -> String {
    match limits {
        MoveLimits::Clock(control) if control.nodes_per_millisecond.is_none() => {
            control.to_string().trim_end_matches("+0").to_owned()
        }
        MoveLimits::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
        _ => "-".to_owned(),
    }
}

/// The value of the `Termination` tag.
fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Resignation | Ending::AgreedDraw | Ending::Length | Ending::Tablebases => {
            "adjudication"
        }
        Ending::TimeLoss => "time forfeit",
        Ending::IllegalMove | Ending::UnreadableMove | Ending::IgnoredLimit => "rules infraction",
        Ending::Crash | Ending::Stall => "abandoned",
        _ => "normal",
    }
}

fn move_comment(played: &PlayedMove, has_details: bool) -> String {
    let mut text = String::new();
    match played.score {
        Some(Score::Centipawns(score)) => {
            let _ = write!(text, "{:+.2}", f64::from(score) / 100.0);
        }
        Some(Score::Mate(moves)) => {
            let sign = if moves < 0 { '-' } else { '+' };
            let _ = write!(text, "{sign}M{}", moves.unsigned_abs());
        }
        None => {}
    }
    if let Some(depth) = played.depth {
        let _ = write!(text, "/{depth}");
    }
    let gap = if text.is_empty() { "" } else { " " };
    let seconds = played.elapsed.as_secs_f64();
    let _ = write!(text, "{gap}{seconds:.4}s");
    if has_details {
        if let Some(nodes) = played.nodes {
            let _ = write!(text, ", n={nodes}, nps={:.0}", nodes as f64 / seconds.max(1e-6));
        }
        if let Some(left) = played.left {
            let _ = write!(text, ", tl={:.3}s", left.as_secs_f64());
        }
        let _ = write!(text, ", pv=\"{}\"", played.pv.join(" "));
    }
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

/// Splits a comment into words, without what would end it early: a brace, or `%` at the start of a
/// line, which escapes it.
fn words(comment: &str) -> Vec<String> {
    let plain = |word: &str| word.replace(['{', '}', '%'], "?").replace(char::is_control, "");
    comment.split_whitespace().map(plain).collect()
}

/// Returns a time like `2026-11-29T03:33:16 +0000`.
fn date_and_time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time.max(UNIX_EPOCH)).to_string().replace('Z', " +0000")
}

fn time_of_day(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_is_written_as_other_runners_do() {
        let time = UNIX_EPOCH + Duration::from_secs(19_782 * 86_400 + 12_345);
        assert_eq!(date_and_time(time), "2024-02-29T03:25:45 +0000");
        let before = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(date_and_time(before), date_and_time(UNIX_EPOCH));
    }

    #[test]
    fn a_time_control_is_written_by_the_standard() {
        let clock = |text: &str| time_control(MoveLimits::Clock(text.parse().unwrap()));
        for (control, written) in [
            ("8+0.08", "8+0.08"),
            ("40/60+0.5", "40/60+0.5"),
            ("300+0", "300"),
            ("8+0.08@500", "-"),
        ] {
            assert_eq!(clock(control), written);
        }
        assert_eq!(time_control(MoveLimits::MoveTime(Duration::from_millis(50))), "1/0.05");
        assert_eq!(time_control(MoveLimits::Nodes(500)), "-");
    }

    #[test]
    fn comments_cannot_be_ended_early() {
        assert_eq!(words("a } b {\n%c \u{1b}[0m").join(" "), "a ? b ? ?c [0m");
    }
}
