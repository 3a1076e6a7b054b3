//! The closing summary: accuracy and average loss by player.

use std::collections::HashMap;
use std::fmt;

use crate::assessment::{GameAnalysis, Mark, PlayedMove};
use koel_pgn::PgnGame;

/// The moves of each player, in the order of their first game.
#[derive(Default)]
pub(crate) struct Summary {
    players: Vec<(String, Moves)>,
    /// The index of each player.
    indices: HashMap<String, usize>,
}

/// Counts and sums over moves.
#[derive(Default)]
struct Moves {
    count: u64,
    accuracy: f64,
    loss: f64,
    /// The number of each mark, in the order of [`Mark::ALL`].
    marks: [u64; 3],
}

impl Summary {
    /// Adds the moves of a game.
    pub(crate) fn add(&mut self, game: &PgnGame, analysis: &GameAnalysis) {
        for (color, is_white) in [("White", true), ("Black", false)] {
            let mut moves = analysis.moves.iter().filter(|m| m.is_white == is_white).peekable();
            if moves.peek().is_none() {
                continue;
            }
            let name = game.tags.value(color).unwrap_or(color);
            let next = self.players.len();
            let index = *self.indices.entry(name.to_owned()).or_insert(next);
            if index == next {
                self.players.push((name.to_owned(), Moves::default()));
            }
            moves.for_each(|&played| self.players[index].1.add(played));
        }
    }
}

impl Moves {
    fn add(&mut self, played: PlayedMove) {
        self.count += 1;
        self.accuracy += played.accuracy();
        self.loss += played.loss;
        for (count, mark) in self.marks.iter_mut().zip(Mark::ALL) {
            *count += u64::from(played.mark() == Some(mark));
        }
    }
}

impl fmt::Display for Summary {
    /// Writes a table, or nothing if there are no moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.players.is_empty() {
            return Ok(());
        }
        let names = self.players.iter().map(|(name, _)| name.chars().count());
        let width = names.max().unwrap_or(0).max("Player".len());
        writeln!(
            f,
            "{:width$}  {:>5}  {:>8}  {:>12}  {:>3}  {:>3}  {:>3}",
            "Player", "Moves", "Accuracy", "Average loss", "?!", "?", "??"
        )?;
        for (name, moves) in &self.players {
            let count = moves.count as f64;
            let [dubious, mistakes, blunders] = moves.marks;
            writeln!(
                f,
                "{name:width$}  {:>5}  {:>6.1} %  {:>10.1} %  {dubious:>3}  {mistakes:>3}  {blunders:>3}",
                moves.count,
                moves.accuracy / count,
                100.0 * moves.loss / count,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koel_pgn::{GameReader, PgnEntry};

    #[test]
    fn a_row_for_each_player() {
        let games = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 *";
        let mut summary = Summary::default();
        assert_eq!(summary.to_string(), "");
        for entry in GameReader::new(games.as_bytes()) {
            let Ok(PgnEntry::Game(game)) = entry else { panic!("{entry:?}") };
            let played = |(ply, loss)| PlayedMove { is_white: ply % 2 == 0, loss };
            let moves = [(0, 0.0), (1, 0.25)].map(played)[..game.game.moves().len()].to_vec();
            let analysis = GameAnalysis { positions: Vec::new(), expected: Vec::new(), moves };
            summary.add(&game, &analysis);
        }
        let text = summary.to_string();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(
            rows,
            [
                ["A", "1", "100.0", "%", "0.0", "%", "0", "0", "0"],
                ["B", "2", "65.8", "%", "12.5", "%", "0", "0", "1"],
            ]
        );
    }
}
