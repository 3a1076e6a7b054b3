//! All terms together.

use koel_board::{Color, Position, Role};

use crate::pair::Pair;
use crate::placement;
use crate::scale::{self, FULL_SCALE};
use crate::side::{Black, Side, White};
use crate::survey::Survey;
use crate::table::TEMPO;
use crate::tally::{Sum, Tally};
use crate::terms::pawns::PawnFacts;
use crate::terms::{king, passed, pawns, pieces, shelter, space, threats};

/// The phase with all pieces on the board.
pub(crate) const FULL_PHASE: i32 = 24;

/// How much each role keeps the game a middlegame, pawn to king.
pub(crate) const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Counts the pawns of `[black, white]`, and gathers what the other terms ask of them.
pub(crate) fn tally_pawns<T: Tally>(position: &Position, sides: &mut [T; 2]) -> PawnFacts {
    let [black, white] = sides;
    PawnFacts {
        passed: [
            pawns::tally::<Black, T>(position, black),
            pawns::tally::<White, T>(position, white),
        ],
        spans: [pawns::span::<Black>(position), pawns::span::<White>(position)],
    }
}

/// Counts everything but the placement and the pawns among themselves.
#[inline(always)]
pub(crate) fn tally_rest<T: Tally>(position: &Position, facts: &PawnFacts, sides: &mut [T; 2]) {
    let [black, white] = sides;
    let mut survey = Survey::new(position, facts);
    pieces::tally::<White, T>(&mut survey, white);
    pieces::tally::<Black, T>(&mut survey, black);
    tally_side::<White, T>(&survey, white);
    tally_side::<Black, T>(&survey, black);
}

#[inline(always)]
fn tally_side<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    shelter::tally::<S, T>(survey, tally);
    king::tally::<S, T>(survey, tally);
    passed::tally::<S, T>(survey, tally);
    threats::tally::<S, T>(survey, tally);
    space::tally::<S, T>(survey, tally);
    if survey.position.turn() == S::COLOR {
        tally.add(TEMPO.at(0), 1);
    }
}

/// The worth from White's view, in centipawns, of what the terms came to.
#[inline]
fn blend(position: &Position, total: Pair, phase: i32, drive: i32) -> i32 {
    let phase = phase.clamp(0, FULL_PHASE);
    let stronger = Color::from_white(total.endgame() > 0);
    let scale = scale::of_endgame(position, stronger);
    let endgame = (total.endgame() + drive) * scale / FULL_SCALE;
    (total.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Returns the evaluation of a position for the side to move, with a bonus for White's endgame.
pub(crate) fn evaluate(position: &Position, bonus: i32) -> i32 {
    let mut sides = [Sum::default(); 2];
    let facts = tally_pawns(position, &mut sides);
    tally_rest(position, &facts, &mut sides);
    placement::tally::<Black, _>(position, &mut sides[0]);
    placement::tally::<White, _>(position, &mut sides[1]);
    let [black, white] = sides.map(Sum::total);
    let counts = Role::ALL.map(|role| position.role(role).count() as i32);
    let phase = counts.iter().zip(PHASES).map(|(count, weight)| count * weight).sum();
    let eval = blend(position, white - black, phase, bonus);
    position.turn().fold_wb(eval, -eval)
}
