//! The questions that a line of the suite puts to an engine.

use std::collections::HashMap;

use anyhow::{Context, Result};
use koel_board::{Game, Key, Position};
use serde::Deserialize;

/// A question with a known answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// A legal move makes a threefold repetition. The score must not be below a draw.
    DrawInHand,
    /// The only move to be searched makes a threefold repetition. The score must be a draw.
    ThirdOccurrence,
    /// The only move to be searched leads to a position that has occurred once, in a game in which
    /// no other position is repeated. A score of 0 must have another reason than this repetition.
    SecondOccurrence,
}

impl Question {
    /// All questions, in the order of their numbers.
    pub(super) const ALL: [Question; 3] =
        [Question::DrawInHand, Question::ThirdOccurrence, Question::SecondOccurrence];

    pub(super) fn name(self) -> &'static str {
        match self {
            Question::DrawInHand => "draw in hand",
            Question::ThirdOccurrence => "third occurrence",
            Question::SecondOccurrence => "second occurrence",
        }
    }
}

/// A question about one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// The record of the suite.
    pub(super) id: String,
    pub(super) question: Question,
    /// The `position` command of the whole game.
    pub(super) position: String,
    /// The move that repeats a position.
    pub(super) repeating: String,
    /// The `position` command of the position after that move, without the game.
    pub(super) without_game: String,
}

/// The fields of a record that the audit needs.
#[derive(Deserialize)]
struct Record {
    id: String,
    fen: String,
    #[serde(default)]
    chess960: bool,
    moves: String,
    returns: Vec<Return>,
}

#[derive(Deserialize)]
struct Return {
    #[serde(rename = "move")]
    played: String,
    plies: Vec<usize>,
}

/// Returns the questions of each `every`-th record of a suite. Records of Chess960 and those with
/// null moves, which no game has, are passed over.
///
/// # Errors
/// If a record is not of the format, or a move is not legal.
pub(super) fn cases(suite: &str, every: usize) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    // The first line is the header.
    for (number, line) in (1..).zip(suite.lines()).skip(1).step_by(every) {
        let record = serde_json::from_str::<Record>(line);
        let record = record.with_context(|| format!("line {number}"))?;
        if record.chess960 || record.moves.contains("0000") {
            continue;
        }
        if let Some(nearest) = record.returns.first() {
            let moves = record.moves.split_whitespace().collect::<Vec<_>>();
            let found = cases_of(&record, nearest, &moves);
            cases.extend(found.with_context(|| format!("line {number}"))?);
        }
    }
    Ok(cases)
}

fn cases_of(record: &Record, nearest: &Return, moves: &[&str]) -> Result<Vec<Case>> {
    let case = |question, moves: &[&str], after: &Position| Case {
        id: record.id.clone(),
        question,
        position: format!("position fen {} moves {}", record.fen, moves.join(" ")),
        repeating: nearest.played.clone(),
        without_game: format!("position fen {after}"),
    };
    let mut cases = Vec::new();
    // The cycle is played once more, so that the returning move is the third occurrence.
    let cycle = &moves[moves.len() - nearest.plies[0]..];
    let twice = [moves, &[nearest.played.as_str()], cycle].concat();
    let game = play(&record.fen, &twice)?;
    let after = play(&record.fen, &[&twice[..], &[nearest.played.as_str()]].concat())?;
    // Otherwise the game would have been a draw before, or would be one for another reason.
    if most_occurrences(&game) == 2 && most_occurrences(&after) == 3 {
        cases.push(case(Question::DrawInHand, &twice, after.position()));
        cases.push(case(Question::ThirdOccurrence, &twice, after.position()));
    }
    if most_occurrences(&play(&record.fen, moves)?) == 1 {
        let after = play(&record.fen, &[moves, &[nearest.played.as_str()]].concat())?;
        cases.push(case(Question::SecondOccurrence, moves, after.position()));
    }
    Ok(cases)
}

fn play(fen: &str, moves: &[&str]) -> Result<Game> {
    let mut game = Game::new(Position::from_fen(fen)?);
    for text in moves {
        game.play(game.position().parse_uci(text)?)?;
    }
    Ok(game)
}

/// Returns the number of occurrences of the position that occurred most often.
fn most_occurrences(game: &Game) -> usize {
    let mut counts = HashMap::<Key, usize>::new();
    game.keys().for_each(|key| *counts.entry(key).or_default() += 1);
    counts.into_values().max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(record: &str) -> String {
        format!("{{\"suite\":\"a header\"}}\n{record}\n")
    }

    const KINGS: &str = concat!(
        r#"{"id":"a/1","fen":"7k/8/8/8/8/8/P7/K7 w - - 0 1","root":0,"moves":"a1b1 h8g8 b1a1","#,
        r#""returns":[{"move":"g8h8","plies":[3],"draw":false}]}"#,
    );

    #[test]
    fn a_cycle_is_played_once_more_for_a_third_occurrence() {
        let cases = cases(&suite(KINGS), 1).unwrap();
        let questions = cases.iter().map(|case| case.question).collect::<Vec<_>>();
        assert_eq!(questions, Question::ALL);
        let [first, second, third] = &cases[..] else { panic!("{cases:?}") };
        let start = "position fen 7k/8/8/8/8/8/P7/K7 w - - 0 1 moves a1b1 h8g8 b1a1";
        assert_eq!(first.position, format!("{start} g8h8 a1b1 h8g8 b1a1"));
        assert_eq!(second.position, first.position);
        assert_eq!((third.position.as_str(), third.repeating.as_str()), (start, "g8h8"));
        assert_eq!(third.without_game, "position fen 7k/8/8/8/8/8/P7/K7 w - - 4 3");
    }

    #[test]
    fn a_game_that_was_a_draw_before_asks_nothing() {
        let moves = "a1b1 h8g8 b1a1 g8h8 a1b1 h8g8 b1a1";
        let drawn = KINGS.replace("a1b1 h8g8 b1a1", moves).replace("[3]", "[3,7]");
        assert!(cases(&suite(&drawn), 1).unwrap().is_empty());
    }

    #[test]
    fn null_moves_and_chess960_are_passed_over_and_errors_have_a_line() {
        assert!(cases(&suite(&KINGS.replace("b1a1", "0000")), 1).unwrap().is_empty());
        let chess960 = KINGS.replace("\"root\"", "\"chess960\":true,\"root\"");
        assert!(cases(&suite(&chess960), 1).unwrap().is_empty());
        let error = cases(&suite(&KINGS.replace("b1a1", "b1h7")), 1).unwrap_err();
        assert!(format!("{error:#}").starts_with("line 2: "), "{error:#}");
    }
}
