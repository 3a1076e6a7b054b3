//! Moves one at a time, the most promising first, and not generated before they are needed.

use std::num::NonZeroU8;

use koel_board::{Move, MoveList, Position, Role, SeeValues};

use crate::features;
use crate::history::{Histories, HistoryContext};
use crate::params::ordering;
use crate::scored_moves::ScoredMoveList;

/// A move and what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PickedMove {
    pub(crate) m: Move,
    pub(crate) stage: Stage,
    /// Where it stood in the list, if it was put off: it is searched as if it still stood there.
    pub(crate) deferred_at: Option<NonZeroU8>,
}

impl PickedMove {
    #[inline]
    pub(crate) fn is_deferred(&self) -> bool {
        self.deferred_at.is_some()
    }

    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        !self.m.is_noisy()
    }
}

/// Where a picker stands, in this order; and where a pick came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// Moves in a given order: those of the root.
    List,
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Gives each legal move once.
pub(crate) struct MovePicker {
    stage: Stage,
    /// Legal, or [`Move::NONE`].
    tt_move: Move,
    killers: [Move; 2],
    /// The noisy moves, then the quiet ones. Noisy moves that lose material are put back to the
    /// front, over those that have been picked.
    moves: ScoredMoveList,
    /// How many have been given in the order in which they stand.
    next_index: usize,
    bad_noisy: usize,
    only_good_noisy: bool,
    skips_quiets: bool,
    /// What a capture must gain to be given at all, where only captures are wanted.
    threshold: i32,
}

impl MovePicker {
    /// All legal moves. `table_move` must be legal; killers may be any moves that were quiet.
    #[inline]
    pub(crate) fn new(tt_move: Option<Move>, killers: [Move; 2]) -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            tt_move: tt_move.unwrap_or(Move::NONE),
            // Without the idea there are none, or they would be left out of the quiet moves.
            killers: if features::killers() { killers } else { [Move::NONE; 2] },
            moves: ScoredMoveList::new(),
            next_index: 0,
            bad_noisy: 0,
            only_good_noisy: false,
            skips_quiets: false,
            threshold: 0,
        }
    }

    /// The legal captures and promotions that gain at least so many centipawns in the exchange,
    /// and the table's move if noisy.
    #[inline]
    pub(crate) fn of_noisy(tt_move: Option<Move>, threshold: i32) -> MovePicker {
        let tt_move = tt_move.filter(|m| m.is_noisy());
        MovePicker { only_good_noisy: true, threshold, ..MovePicker::new(tt_move, [Move::NONE; 2]) }
    }

    /// These moves in their order.
    pub(crate) fn of_list(moves: impl Iterator<Item = Move>) -> MovePicker {
        let mut picker =
            MovePicker { stage: Stage::List, ..MovePicker::new(None, [Move::NONE; 2]) };
        moves.for_each(|m| picker.moves.push(m, 0));
        picker
    }

    /// Gives no quiet moves from now on.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// The next move of `position`, which must be the same each time.
    #[inline]
    pub(crate) fn next(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        histories: &Histories,
    ) -> Option<PickedMove> {
        loop {
            let stage = self.stage;
            if let Some(m) = self.next_of_stage(position, context, histories) {
                return Some(PickedMove { m, stage, deferred_at: None });
            }
            if self.stage == Stage::Done {
                return None;
            }
        }
    }

    /// The move that comes next, if it is of the list that the last one came from: nothing is listed
    /// for this, and it may yet be passed over.
    #[inline]
    pub(crate) fn peek(&self) -> Option<Move> {
        match self.stage {
            Stage::GoodNoisy => self.moves.peek(),
            Stage::Quiet if !self.skips_quiets => self.moves.peek(),
            _ => None,
        }
    }

    /// One move of the present stage, or the way to the next.
    fn next_of_stage(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        histories: &Histories,
    ) -> Option<Move> {
        match self.stage {
            Stage::List => self.take_next(self.moves.len(), Stage::Done),
            Stage::TtMove => {
                self.stage = Stage::GenerateNoisy;
                Some(self.tt_move).filter(|m| !m.is_none())
            }
            Stage::GenerateNoisy => {
                self.generate_noisy(position, histories);
                self.stage = Stage::GoodNoisy;
                None
            }
            Stage::GoodNoisy => self.good_noisy(position),
            Stage::FirstKiller => {
                self.stage = Stage::SecondKiller;
                self.killer(0, position)
            }
            Stage::SecondKiller => {
                self.stage = Stage::GenerateQuiet;
                self.killer(1, position)
            }
            Stage::GenerateQuiet => {
                if !self.skips_quiets {
                    self.generate_quiet(position, context, histories);
                }
                self.stage = Stage::Quiet;
                None
            }
            Stage::Quiet => self.quiet(),
            Stage::BadNoisy => self.take_next(self.bad_noisy, Stage::Done),
            Stage::Done => None,
        }
    }

    /// The moves up to `end` in the order in which they stand, then on to another stage.
    fn take_next(&mut self, end: usize, then: Stage) -> Option<Move> {
        if self.next_index == end {
            self.stage = then;
            return None;
        }
        self.next_index += 1;
        self.moves.get(self.next_index - 1)
    }

    /// The next capture or promotion that loses no material worth mentioning, the less so the
    /// better its order; the others are kept for the end.
    fn good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some((m, order)) = self.moves.pop_best() {
            if m == self.tt_move {
                continue;
            }
            let promotes_low = m.promotion().is_some_and(|role| role != Role::Queen);
            let threshold = match self.only_good_noisy {
                true => self.threshold,
                false => -order * ordering::good_noisy() / 1024,
            };
            if !promotes_low && position.see_ge(m, threshold, &SeeValues::default()) {
                return Some(m);
            }
            self.moves.replace_popped(self.bad_noisy, m);
            self.bad_noisy += 1;
        }
        self.stage = if self.only_good_noisy { Stage::Done } else { Stage::FirstKiller };
        None
    }

    fn killer(&mut self, index: usize, position: &Position) -> Option<Move> {
        let killer = self.killers[index];
        let is_new = killer != self.tt_move && (index == 0 || killer != self.killers[0]);
        (!self.skips_quiets && is_new && !killer.is_noisy() && position.is_legal(killer))
            .then_some(killer)
    }

    fn quiet(&mut self) -> Option<Move> {
        while !self.skips_quiets
            && let Some((m, _)) = self.moves.pop_best()
        {
            if m != self.tt_move && !self.killers.contains(&m) {
                return Some(m);
            }
        }
        self.stage = Stage::BadNoisy;
        None
    }

    /// The most valuable victim first, and what has proved good before.
    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let values = SeeValues::default();
        let mut list = MoveList::new();
        position.noisy_moves(&mut list);
        for &m in &list {
            let victim = position.role_at(m.to()).unwrap_or(Role::Pawn);
            let promotion = m.promotion().map_or(0, |role| values.of(role));
            let gain = values.of(victim) + promotion;
            let score = if features::capture_history() {
                gain * ordering::victim() / 1024 + histories.capture.score(position, m)
            } else {
                let mover = position.role_at(m.from()).unwrap_or(Role::Pawn);
                gain * ordering::victim() / 1024 - mover as i32
            };
            self.moves.push(m, score);
        }
    }

    fn generate_quiet(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        histories: &Histories,
    ) {
        let mut list = MoveList::new();
        position.quiet_moves(&mut list);
        for &m in &list {
            self.moves.push(m, histories.ordering_score(position, context, m));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: HistoryContext = HistoryContext::NONE;

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % limit
        }
    }

    fn drain(
        mut picker: MovePicker,
        position: &Position,
        histories: &Histories,
    ) -> Vec<PickedMove> {
        std::iter::from_fn(|| picker.next(position, &CONTEXT, histories)).collect()
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.sort();
        moves
    }

    fn check(position: &Position, random: &mut Random, histories: &Histories) {
        let legal = position.legal_moves();
        let mut any = || Move::from_bits(random.below(1 << 16) as u16);
        let (first, second, garbage) = (any(), any(), any());
        let mut one_of_them = || legal[random.below(legal.len())];
        let tt_moves = [None, Some(one_of_them())];
        let quiet = one_of_them();
        for tt_move in tt_moves {
            for killers in [[first, second], [quiet, garbage], [quiet, quiet], [garbage, quiet]] {
                let picked_moves = drain(MovePicker::new(tt_move, killers), position, histories);
                let moves = sorted(picked_moves.iter().map(|picked| picked.m));
                assert_eq!(moves, sorted(legal.iter().copied()), "{position}");
                assert!(picked_moves.is_sorted_by_key(|picked| picked.stage));
                assert!(tt_move.is_none_or(|m| picked_moves[0].m == m));
                let quiets = picked_moves.iter().filter(|picked| picked.stage == Stage::Quiet);
                assert!(quiets.is_sorted_by_key(|picked| {
                    -histories.ordering_score(position, &CONTEXT, picked.m)
                }));
            }
            let good = drain(MovePicker::of_noisy(tt_move, 0), position, histories);
            let expected = legal.iter().copied().filter(|&m| {
                m.is_noisy()
                    && (tt_move == Some(m)
                        || m.promotion().is_none_or(|role| role == Role::Queen)
                            && position.see_ge(m, 0, &SeeValues::default()))
            });
            assert_eq!(sorted(good.iter().map(|picked| picked.m)), sorted(expected), "{position}");
        }
        let mut picker = MovePicker::new(None, [first, quiet]);
        picker.skip_quiets();
        let noisy = drain(picker, position, histories);
        let expected = legal.iter().copied().filter(|m| m.is_noisy());
        assert_eq!(sorted(noisy.iter().map(|picked| picked.m)), sorted(expected), "{position}");
    }

    #[test]
    fn each_legal_move_is_picked_once() {
        let mut random = Random(7);
        let mut histories = Histories::new();
        let mut seen = 0;
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            for _ in 0..50 {
                let mut position = Position::from_fen(fen).unwrap();
                for _ in 0..40 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    check(&position, &mut random, &histories);
                    seen += 1;
                    let m = moves[random.below(moves.len())];
                    histories.update_quiet_histories(
                        &position,
                        &CONTEXT,
                        m,
                        random.below(2000) as i32 - 1000,
                    );
                    position.play(m);
                }
            }
        }
        assert!(seen > 5_000);
    }
}
