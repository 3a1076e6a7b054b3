//! The time that players have left in the course of their games, read from the PGN of a match.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::time::Duration;

use koel_board::Color;
use koel_pgn::{GameReader, PgnEntry, PgnGame, Token};

use crate::move_limits::{Clock, MoveLimits, TimeControl};

/// The clock of a player in the games of a PGN.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeLeft {
    /// The time left, in shares of the initial time, after as many of the player's moves: a value
    /// for each game that lasted so long, in ascending order.
    pub after: BTreeMap<u32, Vec<f64>>,
    /// The time left after the last move of each game.
    pub at_the_end: Vec<f64>,
    /// The games lost on time.
    pub time_losses: u32,
}

/// Reads the clock of every player, by name, after these numbers of moves. The time of a move is
/// the number before the `s` in the comment behind it, as this match runner, fastchess and
/// cutechess write it. Moves without one, such as those of an opening, count as no move of the
/// player. Games without a time control are passed over.
///
/// # Errors
/// If the PGN cannot be read, or has a game that is not valid.
pub fn read_time_left(pgn: impl Read, moves: &[u32]) -> io::Result<BTreeMap<String, TimeLeft>> {
    let mut players = BTreeMap::<String, TimeLeft>::new();
    for entry in GameReader::new(BufReader::new(pgn)) {
        let game = match entry? {
            PgnEntry::Game(game) => game,
            PgnEntry::Faulty(faulty) => {
                let error = format!("line {}: {}", faulty.line, faulty.error);
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
            PgnEntry::Text(_) => continue,
        };
        let tag = |name| game.tags.value(name).unwrap_or_default();
        let Ok(control) = tag("TimeControl").parse::<TimeControl>() else { continue };
        let is_time_loss = tag("Termination") == "time forfeit";
        let players_and_losses = [("White", "0-1"), ("Black", "1-0")];
        for ((color, loss), lefts) in players_and_losses.into_iter().zip(times_left(&game, control))
        {
            let player = players.entry(tag(color).to_owned()).or_default();
            let share = |left: &Duration| left.as_secs_f64() / control.base.as_secs_f64();
            for &number in moves {
                let left = number.checked_sub(1).and_then(|index| lefts.get(index as usize));
                player.after.entry(number).or_default().extend(left.map(share));
            }
            player.at_the_end.extend(lefts.last().map(share));
            player.time_losses += u32::from(is_time_loss && tag("Result") == loss);
        }
    }
    for player in players.values_mut() {
        player.after.values_mut().for_each(|shares| shares.sort_by(f64::total_cmp));
        player.at_the_end.sort_by(f64::total_cmp);
    }
    Ok(players)
}

/// Returns the time left after each move of White and of Black.
fn times_left(game: &PgnGame, control: TimeControl) -> [Vec<Duration>; 2] {
    let mut clocks = [Clock::new(MoveLimits::Clock(control)); 2];
    let mut lefts = [Vec::new(), Vec::new()];
    // The player of the last move.
    let mut mover = usize::from(game.game.start().turn() == Color::White);
    let mut variations = 0;
    for token in &game.movetext {
        match token {
            Token::VariationStart => variations += 1,
            Token::VariationEnd => variations -= 1,
            Token::Move(_) if variations == 0 => mover = 1 - mover,
            Token::Comment(text) if variations == 0 => {
                if let Some(elapsed) = move_time(text) {
                    clocks[mover].charge(elapsed);
                    lefts[mover].push(clocks[mover].time_for_move().unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    lefts
}

/// Returns the time in the comment of a move, such as `+0.35/14 0.0310s`.
fn move_time(comment: &str) -> Option<Duration> {
    let seconds = |word: &str| {
        let number = word.trim_end_matches(',').strip_suffix('s')?;
        Duration::try_from_secs_f64(number.parse().ok()?).ok()
    };
    comment.split_whitespace().find_map(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = r#"
[White "first"]
[Black "second"]
[Result "0-1"]
[TimeControl "2/10+0.5"]
[Termination "time forfeit"]

1. e4 e5 2. Nf3 {+0.25/14 2.5s} Nc6 {-0.20/9 1.0s, a remark} 3. Bb5 {4s} (3. Bc4 {9s}) a6 {1s}
{first loses on time} 0-1

[White "second"]
[Black "first"]
[Result "1/2-1/2"]
[FEN "4k3/8/8/8/8/8/8/4K2R b K - 0 1"]
[TimeControl "10+0"]

1... Kd7 {+0.1/3 5s} 2. Kd2 {0.00/3 10s} 1/2-1/2

[White "first"]
[Black "third"]
[TimeControl "1000 nodes"]

1. e4 {1s} *
"#;

    #[test]
    fn clocks_are_followed_through_the_games_of_a_player() {
        let players = read_time_left(GAMES.as_bytes(), &[1, 2, 3]).unwrap();
        let names: Vec<_> = players.keys().collect();
        assert_eq!(names, ["first", "second"]);
        let first = &players["first"];
        // 10 - 2.5 + 0.5; then - 4 + 0.5, and 10 for the next two moves.
        assert_eq!(first.after, [(1, vec![0.5, 0.8]), (2, vec![1.45]), (3, vec![])].into());
        assert_eq!((first.at_the_end.as_slice(), first.time_losses), (&[0.5, 1.45][..], 1));
        assert_eq!(
            (players["second"].after[&1].as_slice(), players["second"].time_losses),
            (&[0.0, 0.95][..], 0)
        );
    }
}
