//! What is in the games: to see at a glance whether a run is fit to learn from.

use std::collections::HashSet;
use std::fmt;

use koel_board::{Color, Position};
use koel_chart::ClassChart;

use crate::distinct::Distinct;
use crate::filter::Filter;
use crate::record::{GameRecord, Ply, Winner};
use crate::viriformat::ViriformatError;

/// Centipawns to each side that the scores are counted in.
const SCORE_REACH: i32 = 2_000;
/// Centipawns of a class of scores.
const SCORE_STEP: i32 = 100;
const SCORE_CLASSES: usize = (2 * SCORE_REACH / SCORE_STEP) as usize;

/// Counts over games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Games that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
    /// Games that began as Chess960, as far as their first position tells: a king or a rook with
    /// castling rights stands on another file.
    pub chess960: u64,
    /// Positions from which a move was played.
    pub positions: u64,
    /// Those in check.
    pub in_check: u64,
    /// Those whose move was a capture or a promotion.
    pub noisy: u64,
    /// Those that the filter keeps, each counted as often as it comes.
    pub kept: u64,
    /// Those that it keeps, each once.
    pub distinct: u64,
    /// Kept positions by the number of pieces.
    pub pieces: [u64; 33],
    /// Kept positions by score from White's view, from -2000 centipawns in steps of 100; what is
    /// beyond counts at the ends.
    pub scores: [u64; SCORE_CLASSES],
    /// Kept positions in the opening, the middlegame and the endgame: with more than 24 pieces,
    /// with more than 12, and with fewer.
    pub phases: [u64; 3],
}

impl Default for Stats {
    fn default() -> Stats {
        Stats {
            results: [0; 3],
            chess960: 0,
            positions: 0,
            in_check: 0,
            noisy: 0,
            kept: 0,
            distinct: 0,
            pieces: [0; 33],
            scores: [0; SCORE_CLASSES],
            phases: [0; 3],
        }
    }
}

impl Stats {
    /// Counts a game. The games of one count share their `distinct` positions.
    ///
    /// # Errors
    /// A move of the game is not legal.
    pub fn count(&mut self, game: &GameRecord, distinct: &Distinct) -> Result<(), ViriformatError> {
        let number = u32::try_from(self.games()).unwrap_or(u32::MAX);
        self.results[match game.winner {
            Winner::Side(Color::White) => 0,
            Winner::Nobody => 1,
            Winner::Side(Color::Black) => 2,
        }] += 1;
        self.chess960 += u64::from(is_chess960(&game.start));
        let (filter, mut seen) = (Filter::default(), HashSet::new());
        game.visit(|position, ply| {
            self.positions += 1;
            self.in_check += u64::from(position.is_check());
            self.noisy += u64::from(ply.played.is_noisy());
            if filter.keeps(position, ply) {
                self.count_kept(position, ply);
                if seen.insert(position.key()) {
                    distinct.file(&[position.key()], number);
                    self.distinct += u64::from(distinct.belongs_to(position.key(), number));
                }
            }
        })
    }

    fn count_kept(&mut self, position: &Position, ply: &Ply) {
        self.kept += 1;
        let pieces = position.occupied().count();
        self.pieces[pieces.min(32)] += 1;
        self.phases[match pieces {
            25.. => 0,
            13.. => 1,
            _ => 2,
        }] += 1;
        let score = (i32::from(ply.white_score) + SCORE_REACH).clamp(0, 2 * SCORE_REACH - 1);
        self.scores[(score / SCORE_STEP) as usize] += 1;
    }

    /// How many games were counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The counts by pieces and by score as charts, with names for their files.
    #[must_use]
    pub fn charts(&self) -> [(&'static str, String); 2] {
        let pieces: Vec<_> = (0..)
            .zip(self.pieces)
            .skip(2)
            .map(|(count, number)| (f64::from(count), number))
            .collect();
        let first = |class: i32| f64::from(class * SCORE_STEP - SCORE_REACH);
        let scores: Vec<_> =
            (0..).zip(self.scores).map(|(class, number)| (first(class), number)).collect();
        [
            ("pieces", chart("Kept positions by number of pieces", "pieces", pieces)),
            ("scores", chart("Kept positions by score for White", "centipawns", scores)),
        ]
    }
}

fn chart(title: &str, x_name: &str, counts: Vec<(f64, u64)>) -> String {
    let (title, x_name) = (title.to_owned(), x_name.to_owned());
    ClassChart { title, x_name, counts }.draw().standalone()
}

/// Whether castling rights tell that a game cannot have begun with the usual position.
fn is_chess960(start: &Position) -> bool {
    start.castling_rooks().into_iter().any(|rook| {
        let color = Color::from_white(start.color(Color::White).contains(rook));
        let is_corner = matches!(rook.file(), koel_board::File::A | koel_board::File::H);
        !is_corner || start.king(color).file() != koel_board::File::E
    })
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let games = self.games();
        let [white, drawn, black] = self.results;
        writeln!(
            f,
            "games       {games}, {:.1} % of them surely Chess960",
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
            self.kept,
            share(self.kept, self.positions),
            share(self.kept - self.distinct, self.kept),
            self.distinct
        )?;
        let [opening, middlegame, endgame] = self.phases.map(|count| share(count, self.kept));
        writeln!(
            f,
            "phases      opening {opening:.1} %, middlegame {middlegame:.1} %, endgame {endgame:.1} %"
        )?;
        let pieces: u64 = (0..).zip(self.pieces).map(|(count, number)| count * number).sum();
        write!(f, "pieces      {:.1} on average", pieces as f64 / self.kept.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use koel_eval::Evaluation;

    use super::*;
    use crate::player::Player;
    use crate::self_game::play_game;
    use crate::selfplay::Settings;

    #[test]
    fn everything_is_counted_once() {
        let settings =
            Settings { soft_nodes: 10, sane_nodes: 50, chess960_share: 0.5, ..Settings::default() };
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let (mut stats, distinct) = (Stats::default(), Distinct::new());
        for number in (0..30).chain(0..30) {
            let game = play_game(&mut player, &settings.terms(), 4, number);
            stats.count(&game, &distinct).unwrap();
        }
        assert_eq!(stats.games(), 60);
        assert_eq!(stats.pieces.iter().sum::<u64>(), stats.kept);
        assert_eq!(stats.scores.iter().sum::<u64>(), stats.kept);
        assert_eq!(stats.phases.iter().sum::<u64>(), stats.kept);
        assert!(stats.distinct * 2 <= stats.kept && stats.distinct * 3 > stats.kept);
        assert!(stats.kept + stats.in_check < stats.positions);
        assert!((5..55).contains(&stats.chess960), "{}", stats.chess960);
        let text = stats.to_string();
        assert!(text.contains("games       60") && !text.contains("NaN"), "{text}");
        assert!(stats.charts().iter().all(|(_, svg)| svg.matches("<rect").count() > 20));
    }

    #[test]
    fn no_games_are_no_trouble() {
        assert!(!Stats::default().to_string().contains("NaN"));
    }
}
