//! The figures of the players: accuracy, average centipawn loss and marks, by game and by phase.

use std::collections::HashMap;
use std::fmt;

use crate::accuracy::{self, Phase};
use crate::assessment::{GameAnalysis, Mark, PlayedMove};
use koel_pgn::PgnGame;

/// The figures of each player, in the order of their first game.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) players: Vec<Player>,
    /// The index of each player.
    indices: HashMap<String, usize>,
}

#[derive(Default)]
pub(crate) struct Player {
    pub(crate) name: String,
    /// Those of all moves, and those of each phase.
    pub(crate) figures: [Figures; 4],
}

/// Counts and sums over moves.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Figures {
    pub(crate) games: u64,
    pub(crate) moves: u64,
    centipawn_loss: f64,
    /// The sum of the accuracies of the games.
    accuracy: f64,
    /// The number of each mark, in the order of [`Mark::ALL`].
    pub(crate) marks: [u64; 3],
}

impl Figures {
    /// Returns the figures of a player in a game: of all moves, and of those of each phase.
    pub(crate) fn of_game(analysis: &GameAnalysis, is_white: bool) -> [Figures; 4] {
        let own = || analysis.moves.iter().filter(move |m| m.is_white == is_white);
        let [opening, middlegame, endgame] =
            Phase::ALL.map(|phase| Figures::of(own().filter(move |m| m.phase == phase)));
        [Figures::of(own()), opening, middlegame, endgame]
    }

    fn of<'a>(moves: impl Iterator<Item = &'a PlayedMove> + Clone) -> Figures {
        let accuracies = moves.clone().map(|played| (played.accuracy, played.weight));
        let Some(accuracy) = accuracy::accuracy(accuracies) else { return Figures::default() };
        let mut figures = Figures { games: 1, accuracy, ..Figures::default() };
        for played in moves {
            figures.moves += 1;
            figures.centipawn_loss += played.centipawn_loss;
            for (count, mark) in figures.marks.iter_mut().zip(Mark::ALL) {
                *count += u64::from(played.mark() == Some(mark));
            }
        }
        figures
    }

    fn add(&mut self, other: &Figures) {
        self.games += other.games;
        self.moves += other.moves;
        self.centipawn_loss += other.centipawn_loss;
        self.accuracy += other.accuracy;
        self.marks.iter_mut().zip(other.marks).for_each(|(count, more)| *count += more);
    }

    /// Returns the accuracy in percent: the mean of the games.
    pub(crate) fn accuracy(&self) -> f64 {
        self.accuracy / self.games as f64
    }

    /// Returns the average loss of a move in centipawns.
    pub(crate) fn centipawn_loss(&self) -> f64 {
        self.centipawn_loss / self.moves as f64
    }
}

impl Summary {
    pub(crate) fn add(&mut self, game: &PgnGame, analysis: &GameAnalysis) {
        for (color, is_white) in [("White", true), ("Black", false)] {
            let figures = Figures::of_game(analysis, is_white);
            if figures[0].moves == 0 {
                continue;
            }
            let name = game.tags.value(color).unwrap_or(color);
            let next = self.players.len();
            let index = *self.indices.entry(name.to_owned()).or_insert(next);
            if index == next {
                self.players.push(Player { name: name.to_owned(), ..Player::default() });
            }
            let own = self.players[index].figures.iter_mut();
            own.zip(&figures).for_each(|(own, more)| own.add(more));
        }
    }
}

impl Player {
    /// Returns the rows of a table: all moves, and each phase if there are several.
    fn rows(&self) -> Vec<(String, &Figures)> {
        let [all, phases @ ..] = &self.figures;
        let phases = Phase::ALL.iter().zip(phases).filter(|(_, figures)| figures.moves > 0);
        let phases: Vec<_> =
            phases.map(|(phase, of)| (format!("  {}", phase.name()), of)).collect();
        let mut rows = vec![(self.name.clone(), all)];
        rows.extend(if phases.len() > 1 { phases } else { Vec::new() });
        rows
    }
}

impl fmt::Display for Summary {
    /// Writes a table, or nothing if there are no moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = self.players.iter().flat_map(Player::rows).collect();
        let Some(longest) = rows.iter().map(|(name, _)| name.chars().count()).max() else {
            return Ok(());
        };
        let width = longest.max("Player".len());
        writeln!(
            f,
            "{:width$}  {:>5}  {:>8}  {:>12}  {:>3}  {:>3}  {:>3}",
            "Player", "Moves", "Accuracy", "Average loss", "?!", "?", "??"
        )?;
        for (name, figures) in rows {
            let [dubious, mistakes, blunders] = figures.marks;
            writeln!(
                f,
                "{name:width$}  {:>5}  {:>6.1} %  {:>9.0} cp  {dubious:>3}  {mistakes:>3}  \
                 {blunders:>3}",
                figures.moves,
                figures.accuracy(),
                figures.centipawn_loss(),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Game;
    use koel_pgn::{GameReader, PgnEntry};
    use koel_uci::Score;

    use super::*;
    use crate::engine::PositionAnalysis;

    fn played(is_white: bool, loss: f64, phase: Phase) -> PlayedMove {
        PlayedMove {
            is_white,
            is_best: false,
            phase,
            loss,
            centipawn_loss: 100.0 * loss,
            accuracy: 100.0 - 100.0 * loss,
            weight: 1.0,
        }
    }

    #[test]
    fn a_row_for_each_player_and_phase() {
        let games = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 *";
        let mut summary = Summary::default();
        assert_eq!(summary.to_string(), "");
        let moves = [
            vec![played(true, 0.0, Phase::Opening), played(false, 0.25, Phase::Opening)],
            vec![played(true, 0.0, Phase::Endgame)],
        ];
        for (entry, moves) in GameReader::new(games.as_bytes()).zip(moves) {
            let Ok(PgnEntry::Game(game)) = entry else { panic!("{entry:?}") };
            summary.add(&game, &GameAnalysis { moves, ..GameAnalysis::default() });
        }
        let text = summary.to_string();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(
            rows,
            [
                ["A", "1", "100.0", "%", "0", "cp", "0", "0", "0"],
                ["B", "2", "87.5", "%", "12", "cp", "0", "0", "1"],
                ["opening", "1", "75.0", "%", "25", "cp", "0", "0", "1"],
                ["endgame", "1", "100.0", "%", "0", "cp", "0", "0", "0"],
            ]
        );
    }

    /// Games with White's score before each move and at the end, and the accuracies and losses of
    /// White and Black that `tests/python/accuracy.py` computes from these.
    const SIX_GAMES: &str = include_str!("six_games.txt");

    #[test]
    fn figures_are_those_of_a_second_computation() {
        let lines: Vec<&str> = SIX_GAMES.lines().collect();
        let (games, _) = lines.as_chunks::<4>();
        assert_eq!(games.len(), 6);
        for [name, moves, scores, due] in games {
            let mut game = Game::default();
            for san in moves.split(' ') {
                game.play(game.position().parse_san(san).unwrap()).unwrap();
            }
            let positions = game.positions().zip(scores.split(' ')).map(|(position, score)| {
                let sign = if position.turn().is_white() { 1 } else { -1 };
                let score = match score.strip_prefix('#') {
                    Some(mate) => Score::Mate(sign * mate.parse::<i32>().unwrap()),
                    None => Score::Centipawns(sign * score.parse::<i32>().unwrap()),
                };
                Some(PositionAnalysis::new(*position.legal_moves().first()?, score, 0.5))
            });
            let analysis = GameAnalysis::new(&game, 0, positions.collect());
            let [white, black] = [true, false].map(|white| Figures::of_game(&analysis, white)[0]);
            let found = [white.accuracy(), black.accuracy()];
            let found = found.into_iter().chain([white.centipawn_loss(), black.centipawn_loss()]);
            for (found, due) in found.zip(due.split(' ')) {
                assert!(
                    (found - due.parse::<f64>().unwrap()).abs() < 1e-3,
                    "{name}: {found} {due}"
                );
            }
        }
    }
}
