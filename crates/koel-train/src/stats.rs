//! Statistics of games, which show whether a run is suitable for training.

use std::fmt;

use koel_board::Color;

use crate::kept_positions::{SeenPositions, is_kept};
use crate::training_game::{GameResult, TrainingGame};

/// Counts over games and their positions.
#[derive(Default)]
pub(crate) struct DatasetStats {
    /// Games won by White, drawn, and won by Black.
    results: [u64; 3],
    /// Positions from which a move was played.
    positions: u64,
    /// Positions in check.
    in_check: u64,
    /// Positions whose move was a capture or a promotion.
    noisy: u64,
    /// Different positions that are kept for the training.
    distinct: u64,
    /// Kept positions with more than 24 pieces, with more than 12, and with fewer.
    phases: [u64; 3],
    /// Pieces of all kept positions.
    pieces: u64,
    /// Positions of search trees, which the other numbers leave out.
    tree_positions: u64,
    /// Those that are kept and not among the positions counted before.
    distinct_tree_positions: u64,
}

impl DatasetStats {
    /// Counts a game. `seen` contains the positions of the games counted before.
    pub(crate) fn count(&mut self, game: &TrainingGame, seen: &mut SeenPositions) {
        self.results[match game.result {
            GameResult::Win(Color::White) => 0,
            GameResult::Draw => 1,
            GameResult::Win(Color::Black) => 2,
        }] += 1;
        game.for_each_position(|position, scored| {
            self.positions += 1;
            self.in_check += u64::from(position.is_check());
            self.noisy += u64::from(scored.played.is_noisy());
            if is_kept(position, scored) {
                let pieces = position.occupied().count();
                self.distinct += u64::from(seen.insert(position.key()));
                self.phases[usize::from(pieces <= 24) + usize::from(pieces <= 12)] += 1;
                self.pieces += pieces as u64;
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
        self.phases.iter().sum()
    }

    /// Returns the number of games counted.
    fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

impl fmt::Display for DatasetStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let share = |part, whole| format!("{:.1} %", 100.0 * ratio(part, whole));
        let (games, positions, kept) = (self.games(), self.positions, self.kept());
        let [white, drawn, black] = self.results.map(|count| share(count, games));
        let [opening, middlegame, endgame] = self.phases.map(|count| share(count, kept));
        let [in_check, noisy] = [self.in_check, self.noisy].map(|count| share(count, positions));
        let duplicates = share(kept - self.distinct, kept);
        writeln!(f, "games       {games}")?;
        writeln!(f, "results     White {white}, drawn {drawn}, Black {black}")?;
        writeln!(
            f,
            "positions   {positions}, {:.1} a game; in check {in_check}, with a noisy move {noisy}",
            ratio(positions, games)
        )?;
        writeln!(
            f,
            "kept        {kept}, {}; of these {duplicates} are duplicates, {} remain",
            share(kept, positions),
            self.distinct
        )?;
        writeln!(
            f,
            "trees       {} positions, {} kept and different",
            self.tree_positions, self.distinct_tree_positions
        )?;
        writeln!(f, "phases      opening {opening}, middlegame {middlegame}, endgame {endgame}")?;
        write!(f, "pieces      {:.1} on average", ratio(self.pieces, kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::testing::{play_games, quick_settings};

    #[test]
    fn every_position_is_counted_once() {
        let settings = SelfplaySettings { tree_position_share: 1.0, run: 4, ..quick_settings() };
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
        let text = stats.to_string();
        assert!(text.contains("games       60") && !text.contains("NaN"), "{text}");
    }

    #[test]
    fn the_statistics_of_no_games_have_no_nan() {
        assert!(!DatasetStats::default().to_string().contains("NaN"));
    }
}
