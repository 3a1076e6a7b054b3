//! The score of a match, and its report.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::record::{Ending, GameId, GameOutcome, GameRecord, Warnings};
use crate::statistics::{Decision, Pentanomial, Sprt, Trinomial};

/// The score of a match from the side of the first engine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MatchScore {
    /// Losses, draws and wins.
    pub games: Trinomial,
    /// The pairs of which both games are finished.
    pub pairs: Pentanomial,
    /// Number of pairs whose two games have the same moves.
    pub identical_pairs: u64,
    /// The number of games by ending.
    pub endings: BTreeMap<Ending, EndingCount>,
    /// The warnings of the first and of the second engine.
    pub warnings: [Warnings; 2],
}

/// The number of games with one ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EndingCount {
    /// All games with it.
    pub games: u64,
    /// Games lost by the first engine.
    pub lost_by_first: u64,
    /// Games lost by the second engine.
    pub lost_by_second: u64,
}

impl MatchScore {
    /// Returns the score of these games.
    pub fn of<'g>(games: impl IntoIterator<Item = (GameId, &'g GameRecord)>) -> MatchScore {
        let mut score = MatchScore::default();
        let mut single: BTreeMap<u32, &GameRecord> = BTreeMap::new();
        for (id, record) in games {
            let other = single.insert(id.pair, record);
            score.add(record, other);
        }
        score
    }

    /// Adds a game. `other` is the other game of its pair if it has been added before.
    pub fn add(&mut self, record: &GameRecord, other: Option<&GameRecord>) {
        if let Some(other) = other {
            self.pairs.add(record.outcome.half_points() + other.outcome.half_points());
            self.identical_pairs += u64::from(record.moves_hash == other.moves_hash);
        }
        self.games.add(record.outcome.half_points());
        let count = self.endings.entry(record.ending).or_default();
        count.games += 1;
        count.lost_by_first += u64::from(record.outcome == GameOutcome::Loss);
        count.lost_by_second += u64::from(record.outcome == GameOutcome::Win);
        for (sum, warnings) in self.warnings.iter_mut().zip(&record.warnings) {
            for (&warning, times) in warnings {
                *sum.entry(warning).or_default() += times;
            }
        }
    }

    /// Returns the number of games that ended by a fault of an engine.
    pub fn faults(&self) -> u64 {
        self.endings.iter().filter(|(ending, _)| ending.is_fault()).map(|(_, c)| c.games).sum()
    }

    /// Returns true if the two games of every pair have the same moves. At fixed nodes or depth
    /// there is then no functional change between the engines.
    pub fn all_pairs_identical(&self) -> bool {
        self.pairs.is_all_even() && self.identical_pairs == self.pairs.total()
    }

    /// Formats the score as one line, for a progress display.
    pub fn line(&self, sprt: Option<&Sprt>) -> String {
        let [losses, draws, wins] = self.games.0;
        let elo = self.pairs.strength().elo;
        let mut line = format!("+{wins} -{losses} ={draws}  Elo {elo}");
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&self.pairs);
            line += &format!("  LLR {llr:.2} ({lower:.2}, {upper:.2})");
        }
        if self.faults() > 0 {
            line += &format!("  faults {}", self.faults());
        }
        line
    }

    /// Formats the score in the layout of fastchess; `title` is its first line.
    pub fn report(&self, title: &str, sprt: Option<&Sprt>) -> String {
        let [losses, draws, wins] = self.games.0;
        let total = self.games.total();
        let points = wins as f64 + draws as f64 / 2.0;
        let strength = self.pairs.strength();
        let [ll, ld, even, wd, ww] = self.pairs.0;
        let percent = |part: f64, whole: u64| 100.0 * part / whole.max(1) as f64;
        let mut lines = vec![
            title.to_owned(),
            format!("Elo: {}, nElo: {}", strength.elo, strength.normalized_elo),
            format!(
                "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
                100.0 * strength.superiority,
                percent(even as f64, self.pairs.total()),
                quotient(wd + ww, ll + ld),
            ),
            format!(
                "Games: {total}, Wins: {wins}, Losses: {losses}, Draws: {draws}, \
                 Points: {points:.1} ({:.2} %)",
                percent(points, total)
            ),
            format!("Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}]"),
        ];
        if let Some(sprt) = sprt {
            lines.push(self.sprt_line(sprt));
        }
        lines.extend(self.endings_line());
        for (name, warnings) in ["first", "second"].iter().zip(&self.warnings) {
            lines.extend(warnings_line(name, warnings));
        }
        lines.join("\n")
    }

    fn sprt_line(&self, sprt: &Sprt) -> String {
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&self.pairs);
        let share = 100.0 * llr / if llr < 0.0 { lower } else { upper };
        let decision = match sprt.decide(&self.pairs) {
            Decision::Open => "",
            Decision::AcceptElo0 => " - elo0 is accepted",
            Decision::AcceptElo1 => " - elo1 is accepted",
        };
        format!(
            "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]{decision}",
            sprt.elo0, sprt.elo1
        )
    }

    fn endings_line(&self) -> Option<String> {
        let describe = |(ending, count): (&Ending, &EndingCount)| {
            let EndingCount { games, lost_by_first, lost_by_second } = count;
            let text = format!("{} {games}", ending.describe());
            match ending.is_fault() {
                true => format!("{text} ({lost_by_first} first, {lost_by_second} second)"),
                false => text,
            }
        };
        let list: Vec<_> = self.endings.iter().map(describe).collect();
        (!list.is_empty()).then(|| format!("Endings: {}", list.join(", ")))
    }
}

fn warnings_line(name: &str, warnings: &Warnings) -> Option<String> {
    let list: Vec<_> = warnings.iter().map(|(warning, n)| format!("{warning:?} {n}")).collect();
    (!list.is_empty()).then(|| format!("Warnings of the {name}: {}", list.join(", ")))
}

/// Formats a quotient of counts, either of which may be zero.
fn quotient(over: u64, under: u64) -> String {
    match (over, under) {
        (0, 0) => "-".to_owned(),
        _ => format!("{:.2}", over as f64 / under as f64),
    }
}
