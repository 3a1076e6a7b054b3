//! Games of a match in PGN as training data: those that many machines play for OpenBench.
//!
//! The comment of a move begins with the score of the search that chose it, for the side that moved:
//! `{+0.37 11/15 1163 230240}` as OpenBench writes it, `{+0.37/11 0.16s}` as other match runners do,
//! `+M12` for a mate. Moves before the first score are the opening and not part of the game.

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use koel_board::{Color, Position};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use crate::load_evaluation::IMPORTED;
use crate::selfplay::{GAMES_FILE, SETTINGS_FILE, SelfplaySettings};
use crate::training_game::{GameResult, ScoredMove, TrainingGame};
use crate::viriformat::write_game;

/// The score of a mate in centipawns, beyond every score that is trained with.
const MATE: i16 = 30_000;

/// The games of an import.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ImportTotals {
    /// The games that were written.
    pub games: u32,
    /// Their positions.
    pub positions: u64,
    /// The games that were left out: without a result or scores, ended by a fault of an engine,
    /// or with a move that is not legal.
    pub left_out: u32,
}

/// Writes the games of PGN files to a folder like that of a run of self-play, replacing its games.
/// The commit documents where they come from.
///
/// # Errors
/// A file cannot be read or written.
pub fn import_pgn<R: Read>(
    inputs: impl IntoIterator<Item = R>,
    folder: &Path,
    commit: &str,
) -> io::Result<ImportTotals> {
    fs::create_dir_all(folder)?;
    let settings = SelfplaySettings {
        evaluation: IMPORTED.to_owned(),
        commit: commit.to_owned(),
        ..SelfplaySettings::default()
    };
    let settings = toml::to_string(&settings).map_err(io::Error::other)?;
    koel_files::replace(&folder.join(SETTINGS_FILE), settings)?;
    let mut file = BufWriter::new(koel_files::AtomicFile::create(&folder.join(GAMES_FILE))?);
    let mut totals = ImportTotals::default();
    for input in inputs {
        for game in Reader::new(input).read_games(&mut GameVisitor) {
            match game? {
                Some(game) => {
                    write_game(&game, &mut file)?;
                    totals.games += 1;
                    totals.positions += game.moves.len() as u64;
                }
                None => totals.left_out += 1,
            }
        }
    }
    file.flush()?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()?;
    Ok(totals)
}

/// The tags of a game that matter.
#[derive(Default)]
struct Tags {
    start: Option<Position>,
    result: Option<GameResult>,
    is_faulty: bool,
}

/// A game while it is read.
struct RunningGame {
    position: Position,
    game: TrainingGame,
}

struct GameVisitor;

impl Visitor for GameVisitor {
    type Tags = Tags;
    type Movetext = RunningGame;
    type Output = Option<TrainingGame>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy();
        match name {
            b"FEN" => match Position::from_fen(&value) {
                Ok(position) => tags.start = Some(position),
                Err(_) => tags.is_faulty = true,
            },
            b"Result" => tags.result = result(&value),
            b"Termination" => {
                let faults = ["time forfeit", "abandoned", "illegal", "stall", "unterminated"];
                let value = value.to_lowercase();
                tags.is_faulty |= faults.iter().any(|fault| value.contains(fault));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, RunningGame> {
        let Some(result) = tags.result.filter(|_| !tags.is_faulty) else {
            return ControlFlow::Break(None);
        };
        let position = tags.start.unwrap_or_else(Position::start);
        let game = TrainingGame { start: position.clone(), moves: Vec::new(), result };
        ControlFlow::Continue(RunningGame { position, game })
    }

    fn san(&mut self, running: &mut RunningGame, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(played) = running.position.parse_san(&san.to_string()) else {
            return ControlFlow::Break(None);
        };
        let white_score = ScoredMove::NO_SCORE;
        running.game.moves.push(ScoredMove { played, white_score });
        running.position.play(played);
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        running: &mut RunningGame,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        let score = score(&String::from_utf8_lossy(comment.as_bytes()));
        let is_white = running.position.turn() == Color::Black;
        if let (Some(score), Some(last)) = (score, running.game.moves.last_mut()) {
            last.white_score = if is_white { score } else { -score };
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut RunningGame) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, running: RunningGame) -> Self::Output {
        let TrainingGame { mut start, mut moves, result } = running.game;
        let opening = moves.iter().position(|m| m.white_score != ScoredMove::NO_SCORE)?;
        for scored in moves.drain(..opening) {
            start.play(scored.played);
        }
        Some(TrainingGame { start, moves, result })
    }
}

fn result(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::Win(Color::White)),
        "0-1" => Some(GameResult::Win(Color::Black)),
        "1/2-1/2" => Some(GameResult::Draw),
        _ => None,
    }
}

/// Returns the score at the beginning of a comment, in centipawns for the side that moved.
fn score(comment: &str) -> Option<i16> {
    let word = comment.split([' ', '/', ',']).find(|word| !word.is_empty())?;
    let (sign, number) = match word.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, word.strip_prefix('+').unwrap_or(word)),
    };
    if number.starts_with('M') {
        return Some(sign * MATE);
    }
    let pawns: f64 = number.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some(sign * (pawns * 100.0).round().min(f64::from(MATE)) as i16)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;
    use crate::pipeline::{TrainingJob, train_network};
    use crate::selfplay::{SelfplayGoal, selfplay};
    use crate::testing::Scratch;
    use crate::train::TrainingPlan;
    use crate::viriformat::GameReader;
    use crate::{MATERIAL, load_evaluation};

    fn games(folder: &Path) -> Vec<TrainingGame> {
        let file = fs::File::open(folder.join(GAMES_FILE)).unwrap();
        let mut reader = GameReader::new(BufReader::new(file));
        std::iter::from_fn(|| reader.next_game().unwrap()).collect()
    }

    /// A game as OpenBench's workers write it.
    fn pgn(game: &TrainingGame) -> String {
        let result = match game.result {
            GameResult::Draw => "1/2-1/2",
            GameResult::Win(Color::White) => "1-0",
            GameResult::Win(Color::Black) => "0-1",
        };
        let mut text = format!("[Result \"{result}\"]\n[FEN \"{}\"]\n\n", game.start);
        game.for_each_position(|position, scored| {
            let score = match position.turn() {
                Color::White => scored.white_score,
                Color::Black => -scored.white_score,
            };
            let comment = match scored.white_score {
                ScoredMove::NO_SCORE => "book".to_owned(),
                _ => format!("{:+.2} 11/15 1163 230240", f64::from(score) / 100.0),
            };
            text += &format!("{} {{{comment}}} ", position.san(scored.played));
        })
        .unwrap();
        format!("{text}{result}\n\n")
    }

    /// Plays 200 games, writes them as PGN, imports them and trains a network with them.
    #[test]
    fn imported_games_are_those_that_were_played_and_can_be_trained_with() {
        let [played, imported] = ["played", "imported"].map(Scratch::new);
        let settings = SelfplaySettings {
            evaluation: MATERIAL.to_owned(),
            soft_nodes: 20,
            opening_nodes: 50,
            ..SelfplaySettings::default()
        };
        let material = load_evaluation(MATERIAL, Path::new("")).unwrap();
        let goal = SelfplayGoal::games(200);
        selfplay(&played.0, &settings, &material, goal, 2, &mut |_| ()).unwrap();
        let expected: Vec<TrainingGame> = games(&played.0)
            .into_iter()
            .filter_map(|mut game| {
                let is_scored = |scored: &ScoredMove| scored.white_score != ScoredMove::NO_SCORE;
                let opening = game.moves.iter().position(is_scored)?;
                for scored in game.moves.drain(..opening) {
                    game.start.play(scored.played);
                }
                Some(game)
            })
            .collect();
        let text: String = games(&played.0).iter().map(pgn).collect();
        let totals = import_pgn([text.as_bytes()], &imported.0, "a commit").unwrap();
        assert_eq!((totals.games, totals.left_out), (expected.len() as u32, 200 - totals.games));
        assert!(totals.games > 190, "{totals:?}");
        let found = games(&imported.0);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.start.to_string(), expected.start.to_string());
            assert_eq!((&found.moves, found.result), (&expected.moves, expected.result));
        }
        let mut job = TrainingJob::new("a", vec![imported.0.clone()]);
        job.shape = (1, 64);
        job.plan = TrainingPlan { epochs: 1, batch_size: 100, ..TrainingPlan::default() };
        let network = train_network(&job, &mut |_| ()).unwrap();
        assert_eq!(network.manifest.data[0].games, totals.games);
    }

    #[test]
    fn scores_are_read_from_the_comments_of_several_match_runners() {
        for (comment, expected) in [
            ("+0.37 11/15 1163 230240", Some(37)),
            (" -1.05/14 0.031s", Some(-105)),
            ("0.00/1, n=3", Some(0)),
            ("+M12 5/9 1 2", Some(MATE)),
            ("-M3/12 1s", Some(-MATE)),
            ("book", None),
            ("White mates", None),
            ("+999999 1/1", Some(MATE)),
            ("nan/3", None),
        ] {
            assert_eq!(score(comment), expected, "{comment}");
        }
    }

    #[test]
    fn games_without_a_proper_end_are_left_out() {
        let game = |tags: &str| format!("{tags}\n\n1. e4 {{+0.1/1}} e5 {{0.0/1}} *\n\n");
        let count = |tags: &str| {
            let folder = Scratch::new("ends");
            import_pgn([game(tags).as_bytes()], &folder.0, "").unwrap()
        };
        assert_eq!(count("[Result \"1-0\"]").games, 1);
        assert_eq!(count("[Result \"*\"]").left_out, 1);
        assert_eq!(count("[Result \"1-0\"]\n[Termination \"time forfeit\"]").left_out, 1);
        assert_eq!(count("[Result \"1-0\"]\n[FEN \"8/8\"]").left_out, 1);
    }
}
