//! The judge: quiet positions of natural games with two truths, deep scores of another engine and,
//! for some of them, Koel's own.
//!
//! A gain by one truth alone is none: the scores of another engine ask for what no search of Koel
//! plays by, and its own scores share its errors. Each line of the file is an EPD: the number of
//! the game (`id`), the other engine's score (`ce`) and Koel's (`own_ce`), in centipawns for the
//! side to move.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use koel_arena::{CancelToken, EngineProcess, Timeouts};
use koel_board::{CastlingNotation, Epd, Game, Move, Operation, Position};
use koel_files::IN_MEMORY;
use koel_random::Rng;
use koel_uci::{Go, PositionSetup, Score, StartPosition};

use crate::label_source::LabelSource;
use crate::node_limits::for_white;

/// The number of positions.
const POSITIONS: usize = 3_000;
/// The nodes of the other engine's scores.
const NODES: u64 = 30_000;
/// One position in this many has Koel's own score too.
const OWN_EVERY: usize = 3;
/// The nodes for each move of the games.
const GAME_NODES: u64 = 4_000;
/// The most plies of a game.
const MAX_PLIES: usize = 240;
/// The most positions of a game.
const GAME_POSITIONS: usize = 6;
/// The largest absolute score, in centipawns: a game ends beyond, and no position is taken.
const MAX_SCORE: i32 = 1_500;

/// The names of the operations.
const GAME: &str = "id";
const REFERENCE: &str = "ce";
const OWN: &str = "own_ce";

/// A position with its scores in centipawns from White's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JudgedPosition {
    pub(crate) position: Position,
    /// The number of its game.
    pub(crate) game: usize,
    /// The other engine's score.
    pub(crate) reference: i32,
    /// Koel's own score.
    pub(crate) own: Option<i32>,
}

/// Plays games of another engine against itself from openings until there are enough positions, and
/// scores these. The engine, the openings and the seed determine them. `report` receives the number
/// found so far.
///
/// # Errors
/// The engine ends, does not answer or plays an illegal move.
pub(crate) fn make_judge(
    engine: &mut EngineProcess,
    own: &mut LabelSource,
    openings: &[Position],
    seed: u64,
    report: &mut dyn FnMut(usize),
) -> Result<Vec<JudgedPosition>> {
    let (mut judged, mut seen) = (Vec::new(), HashSet::new());
    for game in 0.. {
        let mut rng = Rng::for_stream(seed, game as u64);
        let start = openings[rng.below(openings.len())].clone();
        let mut quiet = quiet_positions(engine, start)?;
        rng.shuffle(&mut quiet);
        for (position, reference) in scored(engine, quiet)? {
            if judged.len() == POSITIONS {
                return Ok(judged);
            }
            if seen.insert(position.key().0) {
                let is_own = judged.len().is_multiple_of(OWN_EVERY);
                let own = is_own.then(|| own.white_score(&position));
                judged.push(JudgedPosition { position, game, reference, own });
            }
        }
        report(judged.len());
    }
    Ok(judged)
}

/// Plays a game and returns its positions in which the side to move is not in check and makes a
/// quiet move.
fn quiet_positions(engine: &mut EngineProcess, start: Position) -> Result<Vec<Position>> {
    engine.new_game(CancelToken::NEVER)?;
    let mut game = Game::new(start);
    let mut quiet = Vec::new();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        let found = search(engine, &game, GAME_NODES)?;
        let Some((played, _)) = found.filter(|(_, score)| score.abs() <= MAX_SCORE) else { break };
        if !played.is_noisy() && !game.position().is_check() {
            quiet.push(game.position().clone());
        }
        game.play(played)?;
    }
    Ok(quiet)
}

/// Returns the first positions whose best move by a deep search is quiet too, with its score from
/// White's view.
fn scored(engine: &mut EngineProcess, positions: Vec<Position>) -> Result<Vec<(Position, i32)>> {
    let mut scored = Vec::new();
    for position in positions {
        if scored.len() == GAME_POSITIONS {
            break;
        }
        engine.new_game(CancelToken::NEVER)?;
        let found = search(engine, &Game::new(position.clone()), NODES)?;
        let found = found.filter(|(best, score)| !best.is_noisy() && score.abs() <= MAX_SCORE);
        if let Some((_, score)) = found {
            scored.push((position.clone(), for_white(&position, score)));
        }
    }
    Ok(scored)
}

/// Searches the current position of a game with so many nodes, and returns the best move with the
/// last exact score, in centipawns for the side to move; `None` if that is a mate or there is none.
fn search(engine: &mut EngineProcess, game: &Game, nodes: u64) -> Result<Option<(Move, i32)>> {
    let moves = game.moves().map(|m| m.uci(CastlingNotation::Standard).parse());
    let start = StartPosition::Fen(game.start().to_string());
    let setup = PositionSetup { start, moves: moves.collect::<Result<_, _>>()? };
    let (go, time) = (Go::default().with_nodes(nodes), Timeouts::default().search);
    let reply = engine.search(&setup.to_string(), &go, time, CancelToken::NEVER)?;
    let (Some(best), Some(Score::Centipawns(score))) = (reply.best, reply.score()) else {
        return Ok(None);
    };
    Ok(Some((game.position().parse_uci(best.as_str())?, score)))
}

impl JudgedPosition {
    /// Returns the line of the file.
    pub(crate) fn to_epd(&self) -> Epd {
        let operation = |opcode: &str, operand: String| Operation {
            opcode: opcode.to_owned(),
            operands: vec![operand],
        };
        let score = |score: i32| for_white(&self.position, score).to_string();
        let mut operations = vec![
            operation("hmvc", self.position.halfmove_clock().to_string()),
            operation(GAME, self.game.to_string()),
            operation(REFERENCE, score(self.reference)),
        ];
        operations.extend(self.own.map(|own| operation(OWN, score(own))));
        Epd { position: self.position.clone(), operations }
    }

    fn from_epd(line: &str) -> Result<JudgedPosition> {
        let epd: Epd = line.parse()?;
        let number = |opcode| epd.operand(opcode).map(str::parse::<i32>).transpose();
        let score =
            |opcode| anyhow::Ok(number(opcode)?.map(|score| for_white(&epd.position, score)));
        Ok(JudgedPosition {
            game: number(GAME)?.and_then(|game| game.try_into().ok()).context("no `id`")?,
            reference: score(REFERENCE)?.context("no `ce`")?,
            own: score(OWN)?,
            position: epd.position,
        })
    }
}

/// Reads the positions of a file.
///
/// # Errors
/// The file cannot be read, has no line, or a line is none of a judge.
pub(crate) fn read_judge(path: &Path) -> Result<Vec<JudgedPosition>> {
    read_lines(path, JudgedPosition::from_epd)
}

/// Reads the openings of a file of EPD, with errors like those of [`read_judge`].
pub(crate) fn read_openings(path: &Path) -> Result<Vec<Position>> {
    read_lines(path, |line| Ok(line.parse::<Epd>()?.position))
}

fn read_lines<T>(path: &Path, parse: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    let text = koel_files::read_to_string(path, IN_MEMORY);
    let text = text.with_context(|| path.display().to_string())?;
    ensure!(!text.is_empty(), "{}: empty; expected an EPD in each line", path.display());
    let parsed =
        |(number, line)| parse(line).with_context(|| format!("{}:{number}", path.display()));
    (1..).zip(text.lines()).map(parsed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::write_file;

    #[test]
    fn positions_survive_a_round_trip() {
        let judged = |fen: &str, own| JudgedPosition {
            position: Position::from_fen(fen).unwrap(),
            game: 12,
            reference: -34,
            own,
        };
        let positions = [
            judged("4k3/8/8/8/8/8/4P3/4K3 b - - 3 1", Some(5)),
            judged("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
        ];
        let lines = positions.each_ref().map(|position| format!("{}\n", position.to_epd()));
        let expected = "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 3; id 12; ce 34; own_ce -5;\n";
        assert_eq!(lines[0], expected);
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "judge.epd", lines.concat());
        assert_eq!(read_judge(&path).unwrap(), positions);
        for damaged in [
            "4k3 w",
            "4k3/8/8/8/8/8/4P3/4K3 w - - id 1;",
            "4k3/8/8/8/8/8/4P3/4K3 w - - id 1; ce a;",
        ] {
            let path = write_file(folder.path(), "damaged.epd", damaged);
            let error = read_judge(&path).unwrap_err().to_string();
            assert!(error.ends_with("damaged.epd:1"), "{error}");
        }
        let path = write_file(folder.path(), "openings.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3 w");
        assert!(read_openings(&path).unwrap_err().to_string().ends_with("openings.epd:2"));
        let path = write_file(folder.path(), "empty.epd", "");
        for error in [read_judge(&path).unwrap_err(), read_openings(&path).unwrap_err()] {
            assert!(error.to_string().contains("empty.epd: empty; expected"), "{error}");
        }
    }

    /// The file of the repository.
    #[test]
    fn the_judge_has_natural_positions_of_all_phases() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("judge/natural.epd");
        let positions = read_judge(&path).unwrap();
        let own = positions.iter().filter(|judged| judged.own.is_some()).count();
        assert_eq!((positions.len(), own), (3_000, 1_000));
        let in_phase = |pieces: std::ops::RangeInclusive<usize>| {
            let count =
                |judged: &&JudgedPosition| pieces.contains(&judged.position.occupied().count());
            positions.iter().filter(count).count()
        };
        let phases = [in_phase(25..=32), in_phase(17..=24), in_phase(9..=16), in_phase(2..=8)];
        assert!(phases.iter().all(|&count| count > 100), "{phases:?}");
        assert!(positions.iter().all(|judged| judged.reference.abs() <= MAX_SCORE));
    }
}
