//! Positions once each, however many games and threads come by them.

use std::collections::HashSet;

use dashmap::DashMap;
use koel_board::Key;

use crate::filter::Filter;
use crate::record::GameRecord;
use crate::viriformat::ViriformatError;

/// Which game has each position: the one with the lowest number, whoever files first. So what is
/// counted does not depend on the order in which threads come.
#[derive(Debug, Default)]
pub struct Distinct {
    games: DashMap<Key, u32>,
}

impl Distinct {
    /// Nothing filed yet.
    #[must_use]
    pub fn new() -> Distinct {
        Distinct::default()
    }

    /// Files the positions of a game.
    pub fn file(&self, keys: &[Key], game: u32) {
        for &key in keys {
            let mut first = self.games.entry(key).or_insert(game);
            *first = game.min(*first);
        }
    }

    /// Whether a position is this game's to keep, once all games before it are filed.
    #[must_use]
    pub fn belongs_to(&self, key: Key, game: u32) -> bool {
        self.games.get(&key).is_some_and(|first| *first == game)
    }

    /// How many of a game's positions are its own, once all games before it are filed.
    #[must_use]
    pub fn own(&self, keys: &[Key], game: u32) -> usize {
        keys.iter().filter(|&&key| self.belongs_to(key, game)).count()
    }
}

/// The keys of the positions of a game that a filter keeps, each once.
///
/// # Errors
/// A move of the record is not legal.
pub fn kept_keys(game: &GameRecord, filter: &Filter) -> Result<Vec<Key>, ViriformatError> {
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    game.visit(|position, ply| {
        if filter.keeps(position, ply) && seen.insert(position.key()) {
            keys.push(position.key());
        }
    })?;
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_game_has_it_in_whatever_order_they_come() {
        let games: [&[u64]; 3] = [&[1, 2], &[2, 3, 4], &[1, 4, 5]];
        let keys = |game: usize| games[game].iter().map(|&key| Key(key)).collect::<Vec<_>>();
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let distinct = Distinct::new();
            for game in order {
                distinct.file(&keys(game), game as u32);
            }
            let own = [0, 1, 2].map(|game| distinct.own(&keys(game), game as u32));
            assert_eq!(own, [2, 2, 1]);
        }
    }
}
