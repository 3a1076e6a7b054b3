//! The verdict on an engine's answer to a question.

use anyhow::Result;
use koel_uci::{Go, MoveText, Score};

use super::case::{Case, Question};

/// A score this far from a draw is none, in centipawns.
const CLEAR: i32 = 50;

/// A score this far from a draw, without the game, shows that the position itself is no draw.
const DECISIVE: i32 = 150;

/// Scores up to this are shown for a draw: some engines vary the value of a draw.
const DRAWN: i32 = 1;

/// Depths of the searches that show 0. After the repeating move, a further repetition of any
/// position needs four plies, more than are left.
const SHALLOW: [u32; 2] = [2, 4];

/// Depths of the searches of the position without the game.
const WITHOUT_GAME: [u32; 2] = [3, 7];

/// The answer of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The last exact score.
    pub(super) score: Score,
    /// The best move.
    pub(super) best: String,
}

/// An engine that can be asked.
pub(super) trait Search {
    /// Searches a position in a new game; `None` without an exact score.
    fn search(&mut self, position: &str, go: &Go) -> Result<Option<Answer>>;
}

/// The verdict on one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The engine does not search the given move alone, or shows no score.
    NotJudged,
    Right,
    /// The answer is wrong: the scores, and the commands that show them.
    Finding(String),
}

/// Puts a question to an engine. `depth` is that of the searches that must see a draw.
///
/// # Errors
/// If the engine fails.
pub(super) fn examine(case: &Case, depth: u32, engine: &mut dyn Search) -> Result<Verdict> {
    match case.question {
        Question::DrawInHand => {
            let go = Go { depth: Some(depth), ..Go::default() };
            let answer = engine.search(&case.position, &go)?;
            Ok(judge(answer, |score| score <= -CLEAR, || case.finding(&case.position, &go)))
        }
        Question::ThirdOccurrence => {
            let go = case.repeating_at(depth)?;
            let answer =
                engine.search(&case.position, &go)?.filter(|answer| case.is_of_move(answer));
            let is_wrong = |score: i32| score.abs() >= CLEAR;
            Ok(judge(answer, is_wrong, || case.finding(&case.position, &go)))
        }
        Question::SecondOccurrence => examine_second_occurrence(case, engine),
    }
}

fn judge(
    answer: Option<Answer>,
    is_wrong: impl Fn(i32) -> bool,
    finding: impl Fn() -> String,
) -> Verdict {
    match answer {
        None => Verdict::NotJudged,
        Some(answer) if is_wrong(answer.score.to_centipawns()) => {
            Verdict::Finding(format!("{}, {}", shown(answer.score), finding()))
        }
        Some(_) => Verdict::Right,
    }
}

fn examine_second_occurrence(case: &Case, engine: &mut dyn Search) -> Result<Verdict> {
    for depth in SHALLOW {
        let answer = engine.search(&case.position, &case.repeating_at(depth)?)?;
        match answer.filter(|answer| case.is_of_move(answer)) {
            None => return Ok(Verdict::NotJudged),
            Some(answer) if answer.score.to_centipawns().abs() > DRAWN => {
                return Ok(Verdict::Right);
            }
            Some(_) => {}
        }
    }
    // It shows a draw. Without the game, is the position one?
    let mut scores = Vec::new();
    for depth in WITHOUT_GAME {
        let go = Go { depth: Some(depth), ..Go::default() };
        scores.extend(engine.search(&case.without_game, &go)?.map(|answer| answer.score));
    }
    let values = scores.iter().copied().map(Score::to_centipawns).collect::<Vec<_>>();
    let is_decisive = values.len() == WITHOUT_GAME.len()
        && (values.iter().all(|&value| value >= DECISIVE)
            || values.iter().all(|&value| value <= -DECISIVE));
    if !is_decisive {
        return Ok(Verdict::Right);
    }
    let go = case.repeating_at(SHALLOW[1])?;
    let scores = scores.into_iter().map(shown).collect::<Vec<_>>().join(" and ");
    let [near, far] = WITHOUT_GAME;
    Ok(Verdict::Finding(format!(
        "0, but {scores} for the opponent after the move without the game (depth {near} and \
                     {far}), {}",
        case.finding(&case.position, &go)
    )))
}

impl Case {
    /// Returns the command that searches the repeating move alone.
    fn repeating_at(&self, depth: u32) -> Result<Go> {
        let searchmoves = vec![self.repeating.parse::<MoveText>()?];
        Ok(Go { depth: Some(depth), searchmoves, ..Go::default() })
    }

    fn is_of_move(&self, answer: &Answer) -> bool {
        answer.best == self.repeating
    }

    fn finding(&self, position: &str, go: &Go) -> String {
        format!("{} repeats ({})\n{position}\n{go}", self.repeating, self.id)
    }
}

fn shown(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("cp {value}"),
        Score::Mate(moves) => format!("mate {moves}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine with these scores for searches of the game and without it.
    struct Fixed {
        in_game: i32,
        without_game: i32,
        best: &'static str,
    }

    impl Search for Fixed {
        fn search(&mut self, position: &str, _: &Go) -> Result<Option<Answer>> {
            let is_game = position.contains("moves");
            let score = if is_game { self.in_game } else { self.without_game };
            Ok(Some(Answer { score: Score::Centipawns(score), best: self.best.to_owned() }))
        }
    }

    fn verdict(question: Question, in_game: i32, without_game: i32) -> Verdict {
        verdict_of(question, &mut Fixed { in_game, without_game, best: "g8h8" })
    }

    fn verdict_of(question: Question, engine: &mut dyn Search) -> Verdict {
        let case = Case {
            id: "a/1".to_owned(),
            question,
            position: "position startpos moves a1b1".to_owned(),
            repeating: "g8h8".to_owned(),
            without_game: "position startpos".to_owned(),
        };
        examine(&case, 10, engine).unwrap()
    }

    fn is_finding(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Finding(_))
    }

    #[test]
    fn a_score_below_a_draw_in_hand_is_a_finding() {
        assert_eq!(verdict(Question::DrawInHand, 300, 0), Verdict::Right);
        assert_eq!(verdict(Question::DrawInHand, -20, 0), Verdict::Right);
        let Verdict::Finding(text) = verdict(Question::DrawInHand, -60, 0) else { panic!() };
        assert!(text.starts_with("cp -60, g8h8 repeats (a/1)\nposition startpos moves a1b1\n"));
        assert!(text.ends_with("\ngo depth 10"), "{text}");
    }

    #[test]
    fn any_clear_score_of_a_third_occurrence_is_a_finding() {
        assert_eq!(verdict(Question::ThirdOccurrence, 12, 500), Verdict::Right);
        assert!(is_finding(&verdict(Question::ThirdOccurrence, 50, 500)));
        let Verdict::Finding(text) = verdict(Question::ThirdOccurrence, -50, 0) else { panic!() };
        assert!(text.ends_with("\ngo depth 10 searchmoves g8h8"), "{text}");
    }

    #[test]
    fn a_draw_score_for_a_second_occurrence_needs_a_position_that_is_no_draw() {
        assert!(is_finding(&verdict(Question::SecondOccurrence, 0, 400)));
        assert!(is_finding(&verdict(Question::SecondOccurrence, -1, -400)));
        assert_eq!(verdict(Question::SecondOccurrence, 0, 100), Verdict::Right);
        assert_eq!(verdict(Question::SecondOccurrence, 40, 400), Verdict::Right);
    }

    #[test]
    fn an_engine_that_searches_other_moves_is_not_judged() {
        let mut other = Fixed { in_game: 0, without_game: 400, best: "a2a4" };
        assert_eq!(verdict_of(Question::SecondOccurrence, &mut other), Verdict::NotJudged);
        assert_eq!(verdict_of(Question::ThirdOccurrence, &mut other), Verdict::NotJudged);
        assert_eq!(verdict_of(Question::DrawInHand, &mut other), Verdict::Right);
    }
}
