//! How a match stands, in figures and in words.

use std::collections::BTreeMap;
use std::fmt;

use crate::record::{Ending, GameId, GameOutcome, GameRecord, Warnings};
use crate::statistics::{Decision, Estimate, Pentanomial, Sprt, Trinomial};

/// The sums of a match, from the side of the first engine.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    /// The games.
    pub games: Trinomial,
    /// The pairs of which both games are over.
    pub pairs: Pentanomial,
    /// Pairs whose two games are the same, move by move.
    pub identical_pairs: u64,
    /// How the games ended, and how many of each the first engine lost.
    pub endings: BTreeMap<Ending, EndingCount>,
    /// The warnings of the first engine, and of the second.
    pub warnings: [Warnings; 2],
}

/// How often games ended in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndingCount {
    /// In all.
    pub games: u64,
    /// Lost by the first engine.
    pub lost_by_first: u64,
    /// Lost by the second.
    pub lost_by_second: u64,
}

impl MatchScore {
    /// Sums up games.
    pub fn of<'g>(games: impl IntoIterator<Item = (GameId, &'g GameRecord)>) -> MatchScore {
        let mut score = MatchScore::default();
        let mut alone: BTreeMap<u32, &GameRecord> = BTreeMap::new();
        for (id, record) in games {
            let other = alone.remove(&id.pair);
            if other.is_none() {
                alone.insert(id.pair, record);
            }
            score.add(record, other);
        }
        score
    }

    /// Adds a game, and its pair where `other`, the pair's other game, has been added before.
    pub fn add(&mut self, record: &GameRecord, other: Option<&GameRecord>) {
        if let Some(other) = other {
            self.pairs.add(record.outcome.halves() + other.outcome.halves());
            self.identical_pairs += u64::from(record.moves_hash == other.moves_hash);
        }
        self.games.add(record.outcome.halves());
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

    /// Games that a fault of the program ended.
    pub fn faults(&self) -> u64 {
        self.endings.iter().filter(|(ending, _)| ending.is_fault()).map(|(_, c)| c.games).sum()
    }

    /// Whether the two engines have played the same moves in every pair: at fixed nodes or depth
    /// there is no functional change between them.
    pub fn all_pairs_identical(&self) -> bool {
        self.pairs.is_all_even() && self.identical_pairs == self.pairs.total()
    }

    /// One line for a progress bar.
    pub fn line(&self, sprt: Option<&Sprt>) -> String {
        let [losses, draws, wins] = self.games.0;
        let elo = self.pairs.strength().elo;
        let mut line = format!("+{wins} -{losses} ={draws}  Elo {}", Shown(elo));
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

    /// The report that users of match runners know; `title` is its first line.
    pub fn report(&self, title: &str, sprt: Option<&Sprt>) -> String {
        let [losses, draws, wins] = self.games.0;
        let total = self.games.total();
        let points = wins as f64 + draws as f64 / 2.0;
        let strength = self.pairs.strength();
        let [ll, ld, even, wd, ww] = self.pairs.0;
        let percent = |part: f64, whole: u64| 100.0 * part / whole.max(1) as f64;
        let mut lines = vec![
            title.to_owned(),
            format!("Elo: {}, nElo: {}", Shown(strength.elo), Shown(strength.normalized_elo)),
            format!(
                "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
                100.0 * strength.superiority,
                percent(even as f64, self.pairs.total()),
                Ratio(wd + ww, ll + ld),
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
        let verdict = match sprt.decide(&self.pairs) {
            Decision::Open => "",
            Decision::AcceptElo0 => " - elo0 is accepted",
            Decision::AcceptElo1 => " - elo1 is accepted",
        };
        format!(
            "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]{verdict}",
            sprt.elo0, sprt.elo1
        )
    }

    fn endings_line(&self) -> Option<String> {
        let list: Vec<_> = self
            .endings
            .iter()
            .map(|(ending, count)| {
                let fault =
                    format!(" ({} first, {} second)", count.lost_by_first, count.lost_by_second);
                let whose = if ending.is_fault() { fault.as_str() } else { "" };
                format!("{} {}{whose}", ending.describe(), count.games)
            })
            .collect();
        (!list.is_empty()).then(|| format!("Endings: {}", list.join(", ")))
    }
}

fn warnings_line(name: &str, warnings: &Warnings) -> Option<String> {
    let list: Vec<_> = warnings.iter().map(|(warning, n)| format!("{warning:?} {n}")).collect();
    (!list.is_empty()).then(|| format!("Warnings of the {name}: {}", list.join(", ")))
}

/// An estimate as `12.34 +/- 5.67`.
struct Shown(Estimate);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A zero without a sign, whichever it was.
        write!(f, "{:.2} +/- {:.2}", self.0.value + 0.0, self.0.error)
    }
}

/// A quotient of counts, which may be of nothing.
struct Ratio(u64, u64);

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ratio(0, 0) => f.write_str("-"),
            Ratio(_, 0) => f.write_str("inf"),
            Ratio(over, under) => write!(f, "{:.2}", over as f64 / under as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(outcome: GameOutcome, ending: Ending, moves_hash: u64) -> GameRecord {
        GameRecord {
            outcome,
            ending,
            plies: 60,
            moves_hash,
            pgn_bytes: 0,
            warnings: Default::default(),
        }
    }

    fn score(games: &[(u32, bool, GameRecord)]) -> MatchScore {
        MatchScore::of(
            games
                .iter()
                .map(|&(pair, is_swapped, ref record)| (GameId { pair, is_swapped }, record)),
        )
    }

    #[test]
    fn only_whole_pairs_count_as_pairs() {
        let win = record(GameOutcome::Win, Ending::TimeLoss, 1);
        let loss = record(GameOutcome::Loss, Ending::Resignation, 1);
        let draw = record(GameOutcome::Draw, Ending::AgreedDraw, 2);
        let found = score(&[(1, false, win), (2, false, draw), (1, true, loss)]);
        assert_eq!(found.games.0, [1, 1, 1]);
        assert_eq!(found.pairs.0, [0, 0, 1, 0, 0]);
        assert_eq!((found.faults(), found.identical_pairs), (1, 1));
        assert!(found.all_pairs_identical());
        assert!(found.report("", None).contains("time loss 1 (0 first, 1 second)"));
    }

    #[test]
    fn an_empty_match_has_a_report() {
        let report = MatchScore::default().report("Nothing", Some(&Sprt::new(0.0, 5.0)));
        assert!(report.contains("PairsRatio: -") && !report.contains("NaN"), "{report}");
        assert!(!MatchScore::default().all_pairs_identical());
    }

    #[test]
    fn the_block_looks_as_users_know_it() {
        let mut known = MatchScore {
            pairs: crate::statistics::ResultCounts([0, 0, 4, 1, 5]),
            ..MatchScore::default()
        };
        known.games = crate::statistics::ResultCounts([4, 1, 15]);
        let sprt = Sprt { alpha: 0.1, beta: 0.1, ..Sprt::new(0.0, 100.0) };
        let report = known.report("Results of A vs B", Some(&sprt));
        assert_eq!(
            report,
            "Results of A vs B\n\
             Elo: 214.85 +/- 167.75, nElo: 286.46 +/- 152.27\n\
             LOS: 99.99 %, DrawRatio: 40.00 %, PairsRatio: inf\n\
             Games: 20, Wins: 15, Losses: 4, Draws: 1, Points: 15.5 (77.50 %)\n\
             Ptnml(0-2): [0, 0, 4, 1, 5]\n\
             LLR: 2.29 (104.3%) (-2.20, 2.20) [0.00, 100.00] - elo1 is accepted"
        );
    }
}
