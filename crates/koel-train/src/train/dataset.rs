//! All positions to learn from, in memory, and those held out to judge by.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use koel_eval::network::SCALE;
use thiserror::Error;

use super::real::Real;
use super::sample::Sample;
use crate::distinct::{Distinct, kept_keys};
use crate::filter::Filter;
use crate::record::{GameRecord, Ply};
use crate::viriformat::{GameReader, ViriformatError};
use koel_random::Rng;

/// Positions of many games: kept by a filter, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dataset {
    /// To learn from.
    pub learned: Vec<Sample>,
    /// Those of games of which none is learned from.
    pub held_out: Vec<Sample>,
    /// How many games there were.
    pub games: u32,
    /// How many positions a move was played from.
    pub positions: u64,
}

/// Which positions to take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// The filter for each position.
    pub filter: Filter,
    /// The share of games that are held out, from 0 to 1.
    pub held_out: f64,
    /// Which games these are.
    pub seed: u64,
    /// How much the searches later in a game say about a position: see [`Plan`].
    ///
    /// [`Plan`]: super::plan::Plan::foresight
    pub foresight: f64,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { filter: Filter::default(), held_out: 0.05, seed: 1, foresight: 0.0 }
    }
}

/// Why games could not be read.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct DatasetError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub source: ViriformatError,
}

impl Dataset {
    /// Adds the games of a file in viriformat, and says how many they are and how many bytes they
    /// take. A file that is still being written may end within a game; what comes before counts.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn read(
        &mut self,
        path: &Path,
        selection: &Selection,
        distinct: &Distinct,
    ) -> Result<(u32, u64), DatasetError> {
        let error = |source| DatasetError { path: path.to_owned(), source };
        let mut games = open(path).map_err(error)?;
        let before = self.games;
        loop {
            match games.next_game() {
                Ok(Some(game)) => self.take(&game, selection, distinct).map_err(error)?,
                Ok(None) | Err(ViriformatError::Unfinished) => {
                    return Ok((self.games - before, games.offset()));
                }
                Err(source) => return Err(error(source)),
            }
        }
    }

    pub(crate) fn take(
        &mut self,
        game: &GameRecord,
        selection: &Selection,
        distinct: &Distinct,
    ) -> Result<(), ViriformatError> {
        let keys = kept_keys(game, &selection.filter)?;
        distinct.file(&keys, self.games);
        let is_held_out =
            Rng::for_stream(selection.seed, u64::from(self.games)).next_f64() < selection.held_out;
        let samples = if is_held_out { &mut self.held_out } else { &mut self.learned };
        // Of a position that comes twice in a game the first counts.
        let mut own =
            keys.into_iter().filter(|&key| distinct.belongs_to(key, self.games)).peekable();
        let mut shares = foreseen(game, selection.foresight).into_iter();
        game.visit(|position, ply| {
            let share = shares.next();
            let is_kept = selection.filter.keeps(position, ply);
            if is_kept && own.next_if(|&key| key == position.key()).is_some() {
                let sample = Sample::new(position, ply.white_score, game.winner);
                samples.push(match share {
                    Some(share) => sample.with_white_share(share),
                    None => sample,
                });
            }
        })?;
        self.games += 1;
        self.positions += game.plies.len() as u64;
        Ok(())
    }
}

/// White's share of the points at each ply: the mean of what this search and all later ones of the
/// game said, each counting `foresight` times as much as the one before, and the result at last.
/// Nothing without foresight. (Temporal difference learning, TD(λ).)
fn foreseen(game: &GameRecord, foresight: f64) -> Vec<f32> {
    if foresight == 0.0 {
        return Vec::new();
    }
    let foresight = foresight as f32;
    let mut share = game.winner.white_points();
    let mut shares: Vec<f32> = game
        .plies
        .iter()
        .rev()
        .map(|ply| {
            if ply.white_score != Ply::NO_SCORE {
                let own = (f32::from(ply.white_score) / SCALE as f32).sigmoid();
                share = foresight * share + (1.0 - foresight) * own;
            }
            share
        })
        .collect();
    shares.reverse();
    shares
}

fn open(path: &Path) -> Result<GameReader<BufReader<File>>, ViriformatError> {
    Ok(GameReader::new(BufReader::with_capacity(1 << 20, File::open(path)?)))
}

#[cfg(test)]
mod tests {
    use koel_eval::Evaluation;

    use super::*;
    use crate::player::Player;
    use crate::self_game::play_game;
    use crate::selfplay::Settings;
    use crate::viriformat::write_game;

    #[test]
    fn later_searches_and_the_result_are_foreseen() {
        let start = koel_board::Position::start();
        let mut position = start.clone();
        let mut ply = |uci: &str, white_score| {
            let played = position.parse_uci(uci).unwrap();
            position.play(played);
            Ply { played, white_score }
        };
        let plies = vec![ply("e2e4", 0), ply("e7e5", Ply::NO_SCORE), ply("g1f3", 9_000)];
        let winner = crate::record::Winner::Nobody;
        let game = GameRecord { start, plies, winner };
        // From the end: half of a sure win and half of a draw; no score; half of an even one.
        let expected = [0.25 + 0.375, 0.75, 0.75];
        for (share, expected) in foreseen(&game, 0.5).into_iter().zip(expected) {
            assert!((share - expected).abs() < 1e-5, "{share} {expected}");
        }
        assert!(foreseen(&game, 0.0).is_empty());
        let sample = Sample::new(&game.start, -100, winner);
        let target = |sample: Sample| sample.target::<f64>(0.0);
        assert!((target(sample.with_white_share(0.75)) - 0.75).abs() < 1e-4);
        assert!((target(sample) - (-0.25_f64).sigmoid()).abs() < 1e-6);
    }

    #[test]
    fn positions_come_once_and_games_are_held_out_whole() {
        let settings = Settings { soft_nodes: 10, sane_nodes: 50, ..Settings::default() };
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let games: Vec<_> =
            (0..40).map(|number| play_game(&mut player, &settings.terms(), 3, number)).collect();
        let path = std::env::temp_dir().join(format!("koel-train-{}-data", std::process::id()));
        let mut bytes = Vec::new();
        for game in games.iter().chain(&games) {
            write_game(game, &mut bytes).unwrap();
        }
        let selection = Selection { held_out: 0.25, ..Selection::default() };
        // The last game is cut short.
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let mut dataset = Dataset::default();
        let (count, end) = dataset.read(&path, &selection, &Distinct::new()).unwrap();
        assert!(count == 79 && (end as usize) < bytes.len());
        std::fs::remove_file(&path).unwrap();

        let distinct = Distinct::new();
        let mut own = 0;
        for (number, game) in (0..).zip(&games) {
            let keys = kept_keys(game, &selection.filter).unwrap();
            distinct.file(&keys, number);
            own += distinct.own(&keys, number);
        }
        assert_eq!(dataset.games, 79);
        assert_eq!(dataset.learned.len() + dataset.held_out.len(), own);
        let share = dataset.held_out.len() as f64 / own as f64;
        assert!((0.05..0.5).contains(&share), "{share}");
    }
}
