//! The time that players have left in the course of their games, read from the PGN of a match.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::time::Duration;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::Color;

use crate::game::color_index;
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
/// If the PGN cannot be read.
pub fn read_time_left(pgn: impl Read, moves: &[u32]) -> io::Result<BTreeMap<String, TimeLeft>> {
    let mut players = BTreeMap::<String, TimeLeft>::new();
    let mut reader = Reader::new(pgn);
    for game in reader.read_games(&mut ClockVisitor) {
        let Some(GameClocks { tags, lefts }) = game? else { continue };
        let base = tags.control.map_or(0.0, |control| control.base.as_secs_f64());
        for (color, lefts) in [Color::White, Color::Black].into_iter().zip(lefts) {
            let player = players.entry(tags.names[color_index(color)].clone()).or_default();
            let share = |left: &Duration| left.as_secs_f64() / base;
            for &number in moves {
                let left = number.checked_sub(1).and_then(|index| lefts.get(index as usize));
                player.after.entry(number).or_default().extend(left.map(share));
            }
            player.at_the_end.extend(lefts.last().map(share));
            player.time_losses += u32::from(tags.is_time_loss && tags.loser == Some(color));
        }
    }
    for player in players.values_mut() {
        player.after.values_mut().for_each(|shares| shares.sort_by(f64::total_cmp));
        player.at_the_end.sort_by(f64::total_cmp);
    }
    Ok(players)
}

/// The tags of a game that concern its clocks.
#[derive(Default)]
struct ClockTags {
    /// The names of White and of Black.
    names: [String; 2],
    control: Option<TimeControl>,
    is_time_loss: bool,
    loser: Option<Color>,
}

/// A game: the time left after each move of White and of Black.
struct GameClocks {
    tags: ClockTags,
    lefts: [Vec<Duration>; 2],
}

/// A game while it is read.
struct RunningClocks {
    game: GameClocks,
    clocks: [Clock; 2],
    /// The colour that made the last move.
    mover: Color,
}

/// Reads the clocks of a game, `None` without a time control.
struct ClockVisitor;

impl Visitor for ClockVisitor {
    type Tags = (ClockTags, Color);
    type Movetext = RunningClocks;
    type Output = Option<GameClocks>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue((ClockTags::default(), Color::White))
    }

    fn tag(
        &mut self,
        (tags, first): &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy();
        match name {
            b"White" => tags.names[0] = value.into_owned(),
            b"Black" => tags.names[1] = value.into_owned(),
            b"TimeControl" => tags.control = value.parse().ok(),
            b"Termination" => tags.is_time_loss = value == "time forfeit",
            b"Result" if value == "1-0" => tags.loser = Some(Color::Black),
            b"Result" if value == "0-1" => tags.loser = Some(Color::White),
            b"FEN" if value.split(' ').nth(1) == Some("b") => *first = Color::Black,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(
        &mut self,
        (tags, first): Self::Tags,
    ) -> ControlFlow<Self::Output, RunningClocks> {
        let Some(control) = tags.control else { return ControlFlow::Break(None) };
        let clocks = [Clock::new(MoveLimits::Clock(control)); 2];
        let game = GameClocks { tags, lefts: [Vec::new(), Vec::new()] };
        ControlFlow::Continue(RunningClocks { game, clocks, mover: !first })
    }

    fn san(&mut self, running: &mut RunningClocks, _: SanPlus) -> ControlFlow<Self::Output> {
        running.mover = !running.mover;
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        running: &mut RunningClocks,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        if let Some(elapsed) = move_time(&String::from_utf8_lossy(comment.as_bytes())) {
            let index = color_index(running.mover);
            running.clocks[index].charge(elapsed);
            let left = running.clocks[index].time_for_move().unwrap_or_default();
            running.game.lefts[index].push(left);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut RunningClocks) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, running: RunningClocks) -> Self::Output {
        Some(running.game)
    }
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
