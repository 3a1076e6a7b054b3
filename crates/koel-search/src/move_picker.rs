//! Staged move generation: moves one at a time, the most promising first, each stage generated
//! only when it is reached.

use koel_board::{Move, MoveList, Position, Role, SeeValues};

use crate::history::{Histories, HistoryContext};
use crate::quiet_bonus::QuietBonus;
use crate::scored_moves::ScoredMoveList;

declare! {
    /// Killer moves are searched before other quiet moves.
    killers = true;
    /// Captures are ordered by the capture history besides the victim.
    capture_history = true;
    /// Move ordering: weights in 1024ths.
    ordering {
        /// The weight of the captured material, for each centipawn.
        victim = 20285 in 4096..=65536;
        /// The share of its ordering score that a good capture may lose, in 1024ths.
        good_noisy = 8 in 0..=64;
    }
}

/// A move and the stage from which it was picked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PickedMove {
    pub(crate) m: Move,
    pub(crate) stage: Stage,
}

impl PickedMove {
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        !self.m.is_noisy()
    }
}

/// The stages of a move picker, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// Moves in a given order, those of the root.
    List,
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    /// The table move, after all others: see `is_deferred`. No picker returns it.
    Deferred,
    Done,
}

/// Returns each legal move once.
pub(crate) struct MovePicker {
    stage: Stage,
    /// Legal, or [`Move::NONE`].
    tt_move: Move,
    killers: [Move; 2],
    /// The noisy moves, then the quiet ones. Noisy moves that lose material are moved to the
    /// front, over those that have been picked.
    moves: ScoredMoveList,
    /// The index of the next move in stages that return moves in list order.
    next_index: usize,
    bad_noisy: usize,
    only_good_noisy: bool,
    /// True if the remaining quiet moves are skipped.
    pub(crate) skips_quiets: bool,
    /// The least gain of a capture in centipawns, if only captures are picked.
    threshold: i32,
}

impl MovePicker {
    /// A picker of all legal moves. `tt_move` must be legal; killers may be any moves that were
    /// quiet.
    #[inline]
    pub(crate) fn new(tt_move: Option<Move>, killers: [Move; 2]) -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            tt_move: tt_move.unwrap_or(Move::NONE),
            // With the feature off there are none, or they would be left out of the quiet moves.
            killers: if self::killers() { killers } else { [Move::NONE; 2] },
            moves: ScoredMoveList::new(),
            next_index: 0,
            bad_noisy: 0,
            only_good_noisy: false,
            skips_quiets: false,
            threshold: 0,
        }
    }

    /// A picker of the table's move, if noisy, and of the legal captures and promotions whose
    /// static exchange evaluation is at least `threshold` centipawns.
    #[inline]
    pub(crate) fn of_noisy(tt_move: Option<Move>, threshold: i32) -> MovePicker {
        let tt_move = tt_move.filter(|m| m.is_noisy());
        MovePicker { only_good_noisy: true, threshold, ..MovePicker::new(tt_move, [Move::NONE; 2]) }
    }

    /// A picker of the given moves in their order.
    pub(crate) fn of_list(moves: impl Iterator<Item = Move>) -> MovePicker {
        let mut picker =
            MovePicker { stage: Stage::List, ..MovePicker::new(None, [Move::NONE; 2]) };
        picker.moves.extend(moves.map(|m| (m, 0)));
        picker
    }

    /// Returns the next move. The arguments must be the same each time. `prefetch` is called with
    /// a capture that will probably be returned, before its static exchange evaluation.
    ///
    /// Inlined with the stages but without the generation of moves: shared by all callers, it makes
    /// the bench 2 to 3 % slower.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        histories: &Histories,
        prefetch: impl Fn(Move),
    ) -> Option<PickedMove> {
        loop {
            let stage = self.stage;
            if let Some(m) = self.next_of_stage(position, context, histories, &prefetch) {
                return Some(PickedMove { m, stage });
            }
            if self.stage == Stage::Done {
                return None;
            }
        }
    }

    /// Returns the move that will probably come next, if it is in the list of the current
    /// stage. No moves are generated for this, and the move may still be skipped.
    #[inline]
    pub(crate) fn peek(&self) -> Option<Move> {
        match self.stage {
            Stage::GoodNoisy => self.moves.peek(),
            Stage::Quiet if !self.skips_quiets => self.moves.peek(),
            _ => None,
        }
    }

    /// Returns the next move of the current stage, or enters the next stage and returns `None`.
    #[inline(always)]
    fn next_of_stage(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        histories: &Histories,
        prefetch: &impl Fn(Move),
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
            Stage::GoodNoisy => self.good_noisy(position, prefetch),
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
            Stage::Deferred | Stage::Done => None,
        }
    }

    /// Returns the next move in list order up to index `end`, then enters the stage `then`.
    fn take_next(&mut self, end: usize, then: Stage) -> Option<Move> {
        if self.next_index == end {
            self.stage = then;
            return None;
        }
        self.next_index += 1;
        self.moves.get(self.next_index - 1)
    }

    /// Returns the next capture or promotion that passes the static exchange evaluation, with a
    /// margin that grows with its ordering score; the others are kept for the last stage.
    fn good_noisy(&mut self, position: &Position, prefetch: &impl Fn(Move)) -> Option<Move> {
        while let Some((m, order)) = self.moves.pop_best() {
            if m == self.tt_move {
                continue;
            }
            prefetch(m);
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

    /// Generates the noisy moves, scored by victim and capture history.
    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let values = SeeValues::default();
        let mut list = MoveList::new();
        position.push_noisy_moves(&mut list);
        self.moves.extend(list.iter().map(|&m| {
            let victim = position.role_at(m.to()).unwrap_or(Role::Pawn);
            let promotion = m.promotion().map_or(0, |role| values.of(role));
            let gain = values.of(victim) + promotion;
            let score = if capture_history() {
                gain * ordering::victim() / 1024 + histories.capture_score(position, m)
            } else {
                let mover = position.role_at(m.from()).unwrap_or(Role::Pawn);
                gain * ordering::victim() / 1024 - mover as i32
            };
            (m, score)
        }));
    }

    #[inline(never)]
    fn generate_quiet(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        histories: &Histories,
    ) {
        histories.prefetch(position, context);
        let mut list = MoveList::new();
        position.push_quiet_moves(&mut list);
        let bonus = QuietBonus::new(position, context.threats);
        let scored =
            |&m| (m, histories.ordering_score(position, context, m) + bonus.of(position, m));
        self.moves.extend(list.iter().map(scored));
    }
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;

    use super::*;

    const CONTEXT: HistoryContext = HistoryContext::NONE;

    fn drain(
        mut picker: MovePicker,
        position: &Position,
        histories: &Histories,
    ) -> Vec<PickedMove> {
        std::iter::from_fn(|| picker.next(position, &CONTEXT, histories, |_| ())).collect()
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.sort();
        moves
    }

    fn check(position: &Position, rng: &mut Rng, histories: &Histories) {
        let legal = position.legal_moves();
        let mut any = || Move::from_bits(rng.below(1 << 16) as u16);
        let (first, second, garbage) = (any(), any(), any());
        let mut one_of_them = || legal[rng.below(legal.len())];
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
                let bonus = QuietBonus::new(position, CONTEXT.threats);
                assert!(quiets.is_sorted_by_key(|picked| {
                    let history = histories.ordering_score(position, &CONTEXT, picked.m);
                    -(history + bonus.of(position, picked.m))
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
        picker.skips_quiets = true;
        let noisy = drain(picker, position, histories);
        let expected = legal.iter().copied().filter(|m| m.is_noisy());
        assert_eq!(sorted(noisy.iter().map(|picked| picked.m)), sorted(expected), "{position}");
    }

    #[test]
    fn checks_are_picked_before_other_quiet_moves() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
        let picked = drain(MovePicker::new(None, [Move::NONE; 2]), &position, &Histories::new());
        let is_check_first = picked[0].m == position.parse_uci("a1a8").unwrap();
        assert!(is_check_first);
    }

    #[test]
    fn each_legal_move_is_picked_once() {
        let mut rng = Rng::new(7);
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
                    check(&position, &mut rng, &histories);
                    seen += 1;
                    let m = moves[rng.below(moves.len())];
                    histories.update_quiet_histories(
                        &position,
                        &CONTEXT,
                        m,
                        rng.below(2000) as i32 - 1000,
                    );
                    position.play(m);
                }
            }
        }
        assert!(seen > 5_000);
    }
}
