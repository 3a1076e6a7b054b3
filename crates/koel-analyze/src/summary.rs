//! The closing summary: accuracy and average loss by player.

use std::fmt;

use crate::assessment::{GameAnalysis, Mark, PlayedMove};
use crate::pgn::PgnGame;

/// The moves of each player, in the order of their first game.
#[derive(Default)]
pub(crate) struct Summary {
    players: Vec<(String, Vec<PlayedMove>)>,
}

impl Summary {
    /// Adds the moves of a game.
    pub(crate) fn add(&mut self, game: &PgnGame, analysis: &GameAnalysis) {
        for color in ["White", "Black"] {
            let moves = analysis.moves.iter().filter(|m| m.is_white == (color == "White"));
            let moves = moves.copied().collect::<Vec<_>>();
            if moves.is_empty() {
                continue;
            }
            let name = game.tags.value(color).unwrap_or(color);
            match self.players.iter_mut().find(|(known, _)| known == name) {
                Some((_, all)) => all.extend(moves),
                None => self.players.push((name.to_owned(), moves)),
            }
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
            let mean = |of: fn(PlayedMove) -> f64| {
                moves.iter().copied().map(of).sum::<f64>() / moves.len() as f64
            };
            let count = |mark| moves.iter().filter(|m| m.mark() == Some(mark)).count();
            writeln!(
                f,
                "{name:width$}  {:>5}  {:>6.1} %  {:>10.1} %  {:>3}  {:>3}  {:>3}",
                moves.len(),
                mean(PlayedMove::accuracy),
                100.0 * mean(|m| m.loss),
                count(Mark::Dubious),
                count(Mark::Mistake),
                count(Mark::Blunder)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    #[test]
    fn a_row_for_each_player() {
        let games = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 *";
        let mut summary = Summary::default();
        assert_eq!(summary.to_string(), "");
        for game in pgn::read_games(games) {
            let played = |(ply, loss)| PlayedMove { is_white: ply % 2 == 0, loss };
            let moves = [(0, 0.0), (1, 0.25)].map(played)
                [..game.as_ref().unwrap().game.moves().len()]
                .to_vec();
            let analysis = GameAnalysis { positions: Vec::new(), expected: Vec::new(), moves };
            summary.add(&game.unwrap(), &analysis);
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
