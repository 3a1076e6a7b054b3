//! The kinds of records: the mistake that each of them finds, as a property of a line.

use shakmaty::attacks::{attacks, between};
use shakmaty::{Bitboard, Chess, EnPassantMode, Position, Role, Square};

use crate::oracle::{Line, draws};
use crate::starts::Starts;
use crate::truth::Truth;

/// A line that may become a record.
pub(crate) struct Candidate<'line> {
    pub(crate) line: &'line Line,
    pub(crate) root: usize,
    pub(crate) truth: &'line Truth,
}

/// A kind of records.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The number of records.
    pub(crate) count: usize,
    /// The positions in which the lines begin.
    pub(crate) starts: Starts,
    /// The percentage of null moves among the moves of the search.
    pub(crate) null_moves: usize,
    pub(crate) is_met: fn(&Candidate<'_>) -> bool,
}

const fn kind(
    name: &'static str,
    count: usize,
    starts: Starts,
    is_met: fn(&Candidate<'_>) -> bool,
) -> Kind {
    Kind { name, count, starts, null_moves: 0, is_met }
}

/// All kinds, in the order of the file.
pub(crate) const KINDS: &[Kind] = &[
    kind("cycle-4", 200, Starts::Standard, |line| line.closes_cycle(4)),
    kind("cycle-6", 200, Starts::Standard, |line| line.closes_cycle(6)),
    kind("cycle-8", 200, Starts::Standard, |line| line.closes_cycle(8)),
    kind("cycle-10", 200, Starts::Standard, |line| line.closes_cycle(10)),
    kind("cycle-12", 200, Starts::Standard, |line| line.closes_cycle(12)),
    kind("cycle-14", 200, Starts::Standard, |line| line.closes_cycle(14)),
    kind("repetition", 300, Starts::Standard, |line| line.truth.occurrences == 2),
    kind("threefold", 200, Starts::Standard, |line| line.truth.threefold),
    kind("root-once", 300, Starts::Standard, |line| line.returns_once_before_root()),
    kind("root-edge", 300, Starts::Standard, |line| line.returns_just_after_root()),
    kind("root-twice", 300, Starts::Standard, |line| line.returns_twice_before_root()),
    kind("root-further", 200, Starts::Standard, |line| line.returns_further_back()),
    kind("en-passant-illegal", 400, Starts::IllegalEnPassant, |line| {
        line.differs_under(|a, b| {
            has_equal_pieces(a, b) && rights(a) == rights(b) && raw_ep(a) == raw_ep(b)
        })
    }),
    kind("en-passant-legal", 300, Starts::LegalEnPassant, |line| {
        line.differs_under(|a, b| has_equal_pieces(a, b) && rights(a) == rights(b))
    }),
    kind("castling", 400, Starts::Castling, |line| line.lost_castling_rights()),
    kind("chess960-rights", 300, Starts::Chess960, |line| line.lost_castling_rights()),
    kind("chess960-return", 300, Starts::Chess960, |line| !line.truth.returns.is_empty()),
    Kind {
        null_moves: 15,
        ..kind("null-move", 400, Starts::Standard, |line| line.repeats_across_null_move())
    },
    kind("own-shuffle", 400, Starts::Standard, |line| line.only_own_pieces_are_back()),
    kind("opponent-move", 400, Starts::Standard, |line| {
        line.truth.no_progress.is_some() && line.truth.returns.is_empty()
    }),
    kind("blocked", 300, Starts::Sliders, |line| line.path_is_blocked()),
    kind("check", 200, Starts::Standard, |line| {
        line.line.now().position.is_check() && !line.truth.returns.is_empty()
    }),
    kind("none", 200, Starts::Standard, |line| {
        let truth = line.truth;
        let is_none = truth.returns.is_empty() && truth.no_progress.is_none();
        is_none && truth.occurrences == 1 && line.line.now().reversible_plies >= 6
    }),
    RANDOM,
];

/// Random lines that were not selected for anything.
pub(crate) const RANDOM: Kind =
    kind("random", 600, Starts::Standard, |line| line.line.plies() == 12);

impl Candidate<'_> {
    fn ply(&self) -> usize {
        self.line.plies() - self.root
    }

    /// The nearest return closes a cycle of this many plies inside the search.
    fn closes_cycle(&self, plies: usize) -> bool {
        let nearest = self.truth.returns.first();
        nearest.is_some_and(|found| found.draw && found.plies[0] + 1 == plies)
    }

    /// A position at or before the root, which occurred once, can be reached; no return is a draw.
    fn returns_once_before_root(&self) -> bool {
        !self.truth.returns.is_empty() && self.truth.upcoming.is_none()
    }

    /// The only draw is a return into the first position after the root.
    fn returns_just_after_root(&self) -> bool {
        let upcoming = self.truth.upcoming.as_ref();
        upcoming.is_some_and(|upcoming| upcoming.plies + 1 == self.ply())
    }

    /// A return is a draw only because the position occurred twice at or before the root.
    fn returns_twice_before_root(&self) -> bool {
        let returns = &self.truth.returns;
        let is_before_root = returns.iter().all(|found| found.plies[0] >= self.ply());
        is_before_root && self.truth.upcoming.is_some()
    }

    /// The nearest return is no draw, and one further back is.
    fn returns_further_back(&self) -> bool {
        let nearest = self.truth.returns.first().map(|found| found.plies[0]);
        let upcoming = self.truth.upcoming.as_ref().map(|upcoming| upcoming.plies);
        nearest < upcoming
    }

    /// Comparing positions without castling rights gives another verdict.
    fn lost_castling_rights(&self) -> bool {
        self.differs_under(|a, b| has_equal_pieces(a, b) && legal_ep(a) == legal_ep(b))
    }

    /// Without the limit at the null move there would be more repetitions.
    fn repeats_across_null_move(&self) -> bool {
        let plies = self.line.plies();
        self.verdict_under(self.line.now().reversible_plies, is_equal)
            != self.verdict_under(plies, is_equal)
    }

    /// A move brings the pieces of the side to move back, while one piece of the opponent is
    /// elsewhere.
    fn only_own_pieces_are_back(&self) -> bool {
        let now = self.line.now();
        let us = now.position.turn();
        let is_near_miss = |a: &Chess, b: &Chess| {
            let (a, b) = (a.board(), b.board());
            let elsewhere = a.by_color(!us) ^ b.by_color(!us);
            a.by_color(us) == b.by_color(us)
                && Role::ALL.iter().all(|&role| {
                    a.by_role(role) & a.by_color(us) == b.by_role(role) & b.by_color(us)
                })
                && elsewhere.count() == 2
        };
        let mut earlier = (3..=now.reversible_plies).map(|ago| &self.line.ago(ago).position);
        let is_missed_by_one =
            earlier.any(|earlier| self.reached().any(|reached| is_near_miss(&reached, earlier)));
        self.truth.returns.is_empty() && is_missed_by_one
    }

    /// A position after the root differs by a move of the side to move that is now obstructed.
    fn path_is_blocked(&self) -> bool {
        let now = &self.line.now().position;
        let is_blocked = |earlier: &Chess| {
            let (a, b) = (now.board(), earlier.board());
            let squares = (a.occupied() ^ b.occupied()).into_iter().collect::<Vec<_>>();
            let [first, second] = squares[..] else { return false };
            let (from, to) =
                if a.piece_at(first).is_some() { (first, second) } else { (second, first) };
            let Some(piece) = a.piece_at(from).filter(|&piece| b.piece_at(to) == Some(piece))
            else {
                return false;
            };
            let mut moved = a.clone();
            moved.discard_piece_at(from);
            moved.set_piece_at(to, piece);
            piece.color == now.turn()
                && piece.role != Role::Pawn
                && moved == *b
                && attacks(from, piece, Bitboard::EMPTY).contains(to)
                && (between(from, to) & a.occupied()).any()
        };
        let reach = self.line.now().reversible_plies.min(self.ply().saturating_sub(1));
        let mut distances = (3..=reach).step_by(2);
        self.truth.returns.is_empty()
            && distances.any(|plies| is_blocked(&self.line.ago(plies).position))
    }

    /// Returns true if another comparison of positions gives another verdict of the search.
    fn differs_under(&self, is_equal_for: impl Fn(&Chess, &Chess) -> bool) -> bool {
        let plies = self.line.now().reversible_plies;
        self.verdict_under(plies, is_equal) != self.verdict_under(plies, is_equal_for)
    }

    /// Returns true if the position is a draw for the search, and if a move leads to one, under a
    /// comparison of positions as far as `plies` ago.
    fn verdict_under(
        &self,
        plies: usize,
        is_equal: impl Fn(&Chess, &Chess) -> bool,
    ) -> (bool, bool) {
        let distances = |reached: &Chess, further: usize| {
            let earlier =
                (3..=plies).filter(|&ago| is_equal(reached, &self.line.ago(ago).position));
            earlier.map(|ago| ago + further).collect::<Vec<_>>()
        };
        let is_draw = draws(&distances(&self.line.now().position, 0), self.ply());
        let mut reached = self.reached();
        (is_draw, reached.any(|reached| draws(&distances(&reached, 1), self.ply() + 1)))
    }

    /// Returns the positions after each reversible move.
    fn reached(&self) -> impl Iterator<Item = Chess> {
        let now = self.line.now();
        now.steps.iter().filter(|step| step.reversible).map(|step| {
            let mut position = now.position.clone();
            position.play_unchecked(step.played);
            position
        })
    }
}

fn is_equal(a: &Chess, b: &Chess) -> bool {
    has_equal_pieces(a, b) && rights(a) == rights(b) && legal_ep(a) == legal_ep(b)
}

fn has_equal_pieces(a: &Chess, b: &Chess) -> bool {
    (a.board(), a.turn()) == (b.board(), b.turn())
}

fn rights(position: &Chess) -> Bitboard {
    position.castles().castling_rights()
}

fn legal_ep(position: &Chess) -> Option<Square> {
    position.ep_square(EnPassantMode::Legal)
}

fn raw_ep(position: &Chess) -> Option<Square> {
    position.ep_square(EnPassantMode::Always)
}
