//! Statistics of games, which show whether a run is suitable for training.

use std::fmt;

use koel_board::{Color, Position};

use crate::kept_positions::{SeenPositions, is_kept};
use crate::training_game::{GameResult, TrainingGame};

/// Counts over games and their positions.
pub(crate) struct DatasetStats {
    /// Games won by White, drawn, and won by Black.
    results: [u64; 3],
    /// Games that certainly began as Chess960: in their first position a king or a rook with
    /// castling rights stands on a file other than that of standard chess.
    chess960: u64,
    /// Positions from which a move was played.
    positions: u64,
    /// Positions in check.
    in_check: u64,
    /// Positions whose move was a capture or a promotion.
    noisy: u64,
    /// Different positions that are kept for the training.
    distinct: u64,
    /// Kept positions by the number of pieces.
    pieces: [u64; 33],
    /// Positions of search trees, which the other numbers leave out.
    tree_positions: u64,
    /// Those that are kept and not among the positions counted before.
    distinct_tree_positions: u64,
}

impl Default for DatasetStats {
    fn default() -> DatasetStats {
        DatasetStats {
            results: [0; 3],
            chess960: 0,
            positions: 0,
            in_check: 0,
            noisy: 0,
            distinct: 0,
            pieces: [0; 33],
            tree_positions: 0,
            distinct_tree_positions: 0,
        }
    }
}

impl DatasetStats {
    /// Counts a game. `seen` contains the positions of the games counted before.
    pub(crate) fn count(&mut self, game: &TrainingGame, seen: &mut SeenPositions) {
        self.results[match game.result {
            GameResult::Win(Color::White) => 0,
            GameResult::Draw => 1,
            GameResult::Win(Color::Black) => 2,
        }] += 1;
        self.chess960 += u64::from(is_chess960(&game.start));
        game.for_each_position(|position, scored| {
            self.positions += 1;
            self.in_check += u64::from(position.is_check());
            self.noisy += u64::from(scored.played.is_noisy());
            if is_kept(position, scored) {
                self.distinct += u64::from(seen.insert(position.key()));
                self.pieces[position.occupied().count().min(32)] += 1;
            }
        });
        for (position, scored) in &game.tree_positions {
            let is_new = is_kept(position, scored) && seen.insert(position.key());
            self.tree_positions += 1;
            self.distinct_tree_positions += u64::from(is_new);
        }
    }

    /// Returns the number of kept positions, repetitions included.
    fn kept(&self) -> u64 {
        self.pieces.iter().sum()
    }

    /// Returns the number of games counted.
    fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

/// Returns true if the castling rights show that a game did not begin from the standard position.
fn is_chess960(start: &Position) -> bool {
    start.castling_rooks().into_iter().any(|rook| {
        let color = Color::from_white(start.color(Color::White).contains(rook));
        let is_corner = matches!(rook.file(), koel_board::File::A | koel_board::File::H);
        !is_corner || start.king(color).file() != koel_board::File::E
    })
}

impl fmt::Display for DatasetStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let (games, kept) = (self.games(), self.kept());
        let [white, drawn, black] = self.results;
        writeln!(
            f,
            "games       {games}, {:.1} % of them certainly Chess960",
            share(self.chess960, games)
        )?;
        writeln!(
            f,
            "results     White {:.1} %, drawn {:.1} %, Black {:.1} %",
            share(white, games),
            share(drawn, games),
            share(black, games)
        )?;
        writeln!(
            f,
            "positions   {}, {:.1} a game; in check {:.1} %, with a noisy move {:.1} %",
            self.positions,
            self.positions as f64 / games.max(1) as f64,
            share(self.in_check, self.positions),
            share(self.noisy, self.positions)
        )?;
        writeln!(
            f,
            "kept        {}, {:.1} %; of these {:.2} % are duplicates, {} remain",
            kept,
            share(kept, self.positions),
            share(kept - self.distinct, kept),
            self.distinct
        )?;
        writeln!(
            f,
            "trees       {} positions, {} kept and different",
            self.tree_positions, self.distinct_tree_positions
        )?;
        // The opening has more than 24 pieces, the middlegame more than 12.
        let phases = [&self.pieces[25..], &self.pieces[13..25], &self.pieces[..13]];
        let [opening, middlegame, endgame] = phases.map(|counts| share(counts.iter().sum(), kept));
        writeln!(
            f,
            "phases      opening {opening:.1} %, middlegame {middlegame:.1} %, \
             endgame {endgame:.1} %"
        )?;
        let pieces: u64 = (0..).zip(self.pieces).map(|(count, number)| count * number).sum();
        write!(f, "pieces      {:.1} on average", pieces as f64 / kept.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase_values::PhaseValues;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::testing::play_games;

    #[test]
    fn every_position_is_counted_once() {
        let settings = SelfplaySettings {
            soft_nodes: PhaseValues::Uniform(10),
            opening_nodes: 50,
            chess960_share: 0.5,
            tree_position_share: 1.0,
            run: 4,
            ..SelfplaySettings::default()
        };
        let (mut stats, mut seen) = (DatasetStats::default(), SeenPositions::default());
        for game in play_games(&settings, (0..30).chain(0..30)) {
            stats.count(&game, &mut seen);
        }
        assert_eq!(stats.games(), 60);
        let kept = stats.kept();
        assert!(stats.distinct * 2 <= kept && stats.distinct * 3 > kept);
        assert!(stats.distinct_tree_positions > 30);
        assert!(stats.distinct_tree_positions * 2 <= stats.tree_positions);
        assert!(kept + stats.in_check < stats.positions);
        assert!((5..55).contains(&stats.chess960), "{}", stats.chess960);
        let text = stats.to_string();
        assert!(text.contains("games       60") && !text.contains("NaN"), "{text}");
    }

    #[test]
    fn the_statistics_of_no_games_have_no_nan() {
        assert!(!DatasetStats::default().to_string().contains("NaN"));
    }
}
