//! Games of a match in PGN as training data: those that many machines play for OpenBench.
//!
//! The comment of a move begins with the score of the search that chose it, for the side that
//! moved: `{+0.37 11/15 1163 230240}` as OpenBench writes it, `{+0.37/11 0.16s}` as other match
//! runners do, `+M12` for a mate. The first score of a move counts. It is one of the output, where
//! 1.00 wins every second game, and becomes one of the evaluation. Moves before the first score are
//! the opening and not part of the game.

use std::io::{BufRead, BufWriter};
use std::path::Path;

use anyhow::{Result, ensure};
use koel_board::Color;
use koel_eval::{WdlModel, material};
use koel_pgn::{GameReader, PgnEntry, PgnGame, Token};

use crate::load_evaluation::IMPORTED;
use crate::selfplay::{GAMES_FILE, RunFolder, SETTINGS_FILE};
use crate::selfplay_settings::SelfplaySettings;
use crate::toml_file::{read_toml, write_toml};
use crate::training_game::{GameResult, ScoredMove, TrainingGame};
use crate::viriformat::write_game;

/// The score of a mate in centipawns, beyond every score that is trained with.
const MATE: i32 = 30_000;

/// Texts of the tag `Termination` of games that were ended by a fault of an engine.
const FAULTS: [&str; 6] =
    ["time forfeit", "abandoned", "rules infraction", "illegal", "stall", "unterminated"];

/// The games of an import.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct ImportTotals {
    /// The games that were written.
    pub(crate) games: u32,
    /// Their positions.
    pub(crate) positions: u64,
    /// The games that were left out: without a result or scores, ended by a fault of an engine,
    /// or with a move that is not legal.
    pub(crate) left_out: u32,
}

/// Writes the games of PGN files to a folder like that of a run of self-play, which holds none yet.
/// The commit documents where they come from.
///
/// # Errors
/// The folder holds games or the settings of other ones, or a file cannot be read or written.
pub(crate) fn import_pgn<R: BufRead>(
    inputs: impl IntoIterator<Item = R>,
    folder: &Path,
    commit: &str,
) -> Result<ImportTotals> {
    let run_folder = RunFolder(folder);
    let _lock = run_folder.lock()?;
    run_folder.ensure_no_games()?;
    let settings_path = folder.join(SETTINGS_FILE);
    let found = read_toml::<SelfplaySettings>(&settings_path)?;
    let is_free = found.is_none_or(|found| found.evaluation == IMPORTED);
    ensure!(is_free, "{}: holds a run of self-play; choose another folder", folder.display());
    let settings = SelfplaySettings {
        evaluation: IMPORTED.to_owned(),
        commit: commit.to_owned(),
        ..SelfplaySettings::default()
    };
    write_toml(&settings_path, &settings)?;
    let mut file = BufWriter::new(koel_files::AtomicFile::create(&folder.join(GAMES_FILE))?);
    let mut totals = ImportTotals::default();
    for entry in inputs.into_iter().flat_map(GameReader::new) {
        let game = match entry? {
            PgnEntry::Game(pgn) => scored(&pgn),
            PgnEntry::Faulty(_) => None,
            PgnEntry::Text(_) => continue,
        };
        match game {
            Some(game) => {
                write_game(&game, &mut file)?;
                totals.games += 1;
                totals.positions += game.moves.len() as u64;
            }
            None => totals.left_out += 1,
        }
    }
    file.into_inner().map_err(|error| error.into_error())?.commit()?;
    Ok(totals)
}

/// Returns the game from its first score on; `None` if it is left out.
fn scored(pgn: &PgnGame) -> Option<TrainingGame> {
    let result = result(pgn.tags.value("Result")?)?;
    let termination = pgn.tags.value("Termination").unwrap_or_default().to_lowercase();
    if pgn.ends_at_null_move || FAULTS.iter().any(|fault| termination.contains(fault)) {
        return None;
    }
    let mut start = pgn.game.start().clone();
    let mut played = pgn.game.positions().zip(pgn.game.moves());
    let mut before = start.clone();
    let (mut moves, mut variations) = (Vec::<ScoredMove>::new(), 0);
    for token in &pgn.movetext {
        match token {
            Token::VariationStart => variations += 1,
            Token::VariationEnd => variations -= 1,
            Token::Move(_) if variations == 0 => {
                let Some((position, played)) = played.next() else { continue };
                moves.push(ScoredMove { played, white_score: ScoredMove::NO_SCORE });
                before = position;
            }
            Token::Comment(text) if variations == 0 => {
                let last = moves.last_mut().filter(|m| m.white_score == ScoredMove::NO_SCORE);
                if let (Some(score), Some(last)) = (score(text), last) {
                    let score = WdlModel::KOEL.denormalise(score, material(&before));
                    let score = score.clamp(-MATE, MATE) as i16;
                    last.white_score = if before.turn().is_white() { score } else { -score };
                }
            }
            _ => {}
        }
    }
    let opening = moves.iter().position(|m| m.white_score != ScoredMove::NO_SCORE)?;
    for unscored in moves.drain(..opening) {
        start.play(unscored.played);
    }
    Some(TrainingGame { start, moves, result })
}

fn result(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::Win(Color::White)),
        "0-1" => Some(GameResult::Win(Color::Black)),
        "1/2-1/2" => Some(GameResult::Draw),
        _ => None,
    }
}

/// Returns the score at the beginning of a comment, in centipawns of the output for the side that
/// moved. It has a sign, a decimal point or comma, or announces a mate: other numbers are depths
/// and times.
fn score(comment: &str) -> Option<i32> {
    let word = comment.split([' ', '/']).find(|word| !word.is_empty())?;
    let (sign, number) = match word.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, word.strip_prefix('+').unwrap_or(word)),
    };
    let (whole, part) = number.split_once(',').unwrap_or((number, ""));
    if let Some(moves) = whole.strip_prefix(['M', '#']) {
        let moves: i32 = moves.parse().ok()?;
        return Some(if moves < 0 { -sign * MATE } else { sign * MATE });
    }
    let is_decimal = !whole.contains('.') && part.starts_with(|c: char| c.is_ascii_digit());
    let number = if is_decimal { format!("{whole}.{part}") } else { whole.to_owned() };
    if !word.starts_with(['+', '-']) && !number.contains('.') {
        return None;
    }
    let pawns: f64 = number.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some(sign * (pawns * 100.0).round().min(f64::from(MATE)) as i32)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::play_run;
    use crate::viriformat::for_each_game;

    fn games(folder: &Path) -> Vec<TrainingGame> {
        let mut games = Vec::new();
        let path = folder.join(GAMES_FILE);
        for_each_game(&path, u32::MAX, |game| games.push(game.clone())).unwrap();
        games
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
            let score = WdlModel::KOEL.normalise(scored.white_score.into(), material(position));
            let score = if position.turn().is_white() { score } else { -score };
            let comment = match scored.white_score {
                ScoredMove::NO_SCORE => "book".to_owned(),
                _ => format!("{:+.2} 11/15 1163 230240", f64::from(score) / 100.0),
            };
            text += &format!("{} {{{comment}}} ", position.san(scored.played));
        });
        format!("{text}{result}\n\n")
    }

    /// Plays 200 games, writes them as PGN and imports them.
    #[test]
    fn imported_games_are_those_that_were_played() {
        let [played, imported] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        play_run(played.path(), &SelfplaySettings::quick(), 200);
        let expected: Vec<TrainingGame> = games(played.path())
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
        let text: String = games(played.path()).iter().map(pgn).collect();
        let totals = import_pgn([text.as_bytes()], imported.path(), "a commit").unwrap();
        assert_eq!((totals.games, totals.left_out), (expected.len() as u32, 200 - totals.games));
        assert!(totals.games > 190, "{totals:?}");
        let found = games(imported.path());
        assert_eq!(RunFolder(imported.path()).settings().unwrap().evaluation, IMPORTED);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.start.to_string(), expected.start.to_string());
            assert_eq!((found.moves.len(), found.result), (expected.moves.len(), expected.result));
            for (found, expected) in found.moves.iter().zip(&expected.moves) {
                let difference = found.white_score.abs_diff(expected.white_score);
                // A whole centipawn of the output is up to 1.4 of the evaluation.
                assert!(found.played == expected.played && difference <= 1, "{found:?}");
            }
        }
    }

    #[test]
    fn games_that_are_there_are_not_replaced() {
        let [played, imported] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let text = "[Result \"1-0\"]\n\n1. e4 {+0.1/1} e5 {0.0/1} 1-0\n\n";
        let import = |folder: &Path| import_pgn([text.as_bytes()], folder, "");
        let files = |folder: &Path| {
            [GAMES_FILE, SETTINGS_FILE].map(|name| fs::read(folder.join(name)).unwrap())
        };
        play_run(played.path(), &SelfplaySettings::quick(), 2);
        import(imported.path()).unwrap();
        for folder in [played.path(), imported.path()] {
            let before = files(folder);
            let refused = import(folder).unwrap_err().to_string();
            assert!(refused.contains("holds games; choose another folder"), "{refused}");
            assert_eq!(files(folder), before);
        }
        // A run that has just begun, and an import that was interrupted.
        for (folder, is_free) in [(played.path(), false), (imported.path(), true)] {
            fs::remove_file(folder.join(GAMES_FILE)).unwrap();
            assert_eq!(import(folder).is_ok(), is_free);
        }
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
            ("-0,85/12", Some(-85)),
            ("+3,45/12 0,3s", Some(345)),
            ("0.17,12", Some(17)),
            ("+0.17, 5s", Some(17)),
            ("#-3", Some(-MATE)),
            ("+M7, 5s", Some(MATE)),
            ("Main line", None),
            ("12 games with this", None),
            ("12/20 +0.17", None),
            ("5 s", None),
            ("5, 3", None),
        ] {
            assert_eq!(score(comment), expected, "{comment}");
        }
        let text = "[Result \"1-0\"]\n\n1. e4 {+0.17/12 0.3s} {+9.00} e5 {book} {-0.1/9} 1-0\n";
        let Some(Ok(PgnEntry::Game(pgn))) = GameReader::new(text.as_bytes()).next() else {
            panic!("a game");
        };
        let scores = scored(&pgn).unwrap().moves.into_iter().map(|m| i32::from(m.white_score));
        let material = material(pgn.game.start());
        let expected = [17, 10].map(|score| WdlModel::KOEL.denormalise(score, material));
        assert_eq!(scores.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn games_without_a_proper_end_are_left_out() {
        let game = |tags: &str| format!("{tags}\n\n1. e4 {{+0.1/1}} e5 {{0.0/1}} *\n\n");
        let count = |tags: &str| {
            let folder = tempfile::tempdir().unwrap();
            import_pgn([game(tags).as_bytes()], folder.path(), "").unwrap()
        };
        assert_eq!(count("[Result \"1-0\"]").games, 1);
        assert_eq!(count("[Result \"*\"]").left_out, 1);
        for fault in ["time forfeit", "rules infraction", "Black makes an illegal move"] {
            let tags = format!("[Result \"1-0\"]\n[Termination \"{fault}\"]");
            assert_eq!(count(&tags).left_out, 1, "{fault}");
        }
        assert_eq!(count("[Result \"1-0\"]\n[FEN \"8/8\"]").left_out, 1);
    }
}
