//! Comparison of a record with the crate: the key history and the table of moves.

use koel_cuckoo::{Cycle, CycleTable, KeyStack};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use crate::oracle::{is_reversible, key, occupied, parse};
use crate::record::Record;
use crate::truth::mode;

/// Compares every field of a record with the results of the crate.
///
/// # Errors
///
/// If one differs, or a move is not legal.
pub(crate) fn check(table: &CycleTable, record: &Record) -> Result<(), String> {
    let (position, history) = play(record).map_err(|error| format!("{}: {error}", record.id))?;
    let plies = history.plies();
    let ply = plies.checked_sub(record.root).ok_or("the root lies behind the last move")?;
    let now = history.with_occupied(occupied(&position));
    let is_move = |cycle: &Cycle, text: &str| text == format!("{}{}", cycle.from, cycle.to);
    let truth = &record.truth;

    let expect = |name: &str, is_equal: bool, found: &dyn core::fmt::Debug| match is_equal {
        true => Ok(()),
        false => Err(format!("{}: {name}: koel-cuckoo finds {found:?}", record.id)),
    };
    let occurrences = history.occurrences();
    expect("occurrences", occurrences == truth.occurrences, &occurrences)?;
    expect("threefold", (occurrences >= 3) == truth.threefold, &occurrences)?;
    let draw = history.is_draw_by_repetition(ply);
    expect("draw", draw == truth.draw, &draw)?;

    let upcoming = history.upcoming_repetition(table, occupied(&position), ply);
    let is_equal = match (&upcoming, &truth.upcoming) {
        (Some(cycle), Some(truth)) => cycle.plies == truth.plies && is_move(cycle, &truth.played),
        (found, truth) => found.is_none() && truth.is_none(),
    };
    expect("upcoming", is_equal, &upcoming)?;

    let no_progress = table.no_progress(&now, ply);
    let is_equal = match (&no_progress, &truth.no_progress) {
        (Some(cycle), Some(truth)) => {
            plies - cycle.plies == truth.origin && is_move(cycle, &truth.played)
        }
        (found, truth) => found.is_none() && truth.is_none(),
    };
    expect("no_progress", is_equal, &no_progress)?;

    // Every earlier position alone: exactly those of the record are one move away.
    let mut listed = truth.returns.iter().map(|found| found.plies.len()).sum::<usize>();
    for distance in 1..=history.reversible_plies() {
        let Some(cycle) = table.upcoming_repetition(&now, |plies| plies == distance) else {
            continue;
        };
        let found = truth.returns.iter().find(|found| is_move(&cycle, &found.played));
        let is_listed = found.is_some_and(|found| found.plies.contains(&distance));
        expect("returns", is_listed, &cycle)?;
        listed -= 1;
    }
    expect("returns", listed == 0, &"fewer")?;
    for found in &truth.returns {
        let draw = found.plies.iter().any(|&distance| history.return_is_draw(distance, ply));
        expect("returns", draw == found.draw, &(&found.played, draw))?;
    }
    Ok(())
}

/// Plays the moves of a record.
fn play(record: &Record) -> Result<(Chess, KeyStack), String> {
    let mut position = parse(&record.fen, mode(record));
    let mut history = KeyStack::new(key(&position), record.moves.len() / 4);
    for text in record.moves.split(' ').filter(|text| !text.is_empty()) {
        let illegal = || format!("the move {text} is not legal");
        match text.parse::<UciMove>().map_err(|_| illegal())? {
            UciMove::Null => {
                position = position.swap_turn().map_err(|_| illegal())?;
                history.push_null(key(&position));
            }
            uci => {
                let played = uci.to_move(&position).map_err(|_| illegal())?;
                position.play_unchecked(played);
                history.push(key(&position), is_reversible(played));
            }
        }
    }
    Ok((position, history))
}
