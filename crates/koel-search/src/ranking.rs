//! The root moves by the word of the endgame tables.

use koel_board::{Game, Move, Position};

use crate::score::Score;
use crate::tablebase::{Tablebases, Verdict};
use crate::timeline::Timeline;

/// Beyond every distance to a capture or a pawn move that there is.
const FARTHEST: i32 = 2000;

/// What is won or lost but for the fifty-move rule is worth so many centipawns: somebody may err.
const HOPE: i32 = 20;

/// What the endgame tables say of the moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// All legal moves.
    pub moves: Vec<RankedMove>,
    /// Whether it was made from distances to captures and pawn moves, so that to follow it is to
    /// come forward.
    pub is_by_distance: bool,
}

/// A move of a position that the endgame tables know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The higher, the better. Moves that win for certain have the same rank, unless something in
    /// the game has been repeated: then the shortest way is the best, and nothing repeats again.
    pub rank: i32,
    /// What it is worth.
    pub score: Score,
}

impl Ranking {
    /// Whether a search need not ask the tables any more: it keeps what it has, and is to find
    /// mates.
    pub(crate) fn is_enough(&self) -> bool {
        self.is_by_distance || !self.moves.iter().any(|known| known.score.is_win())
    }
}

impl Tablebases {
    /// Ranks the moves of the game's present position, if the tables know all of them.
    ///
    /// A move that brings a position about for the third time is a draw, and so is one that lets
    /// the fifty-move rule come before the win.
    #[must_use]
    pub fn rank(&self, game: &Game) -> Option<Ranking> {
        let position = game.position();
        if !self.may_know(position) {
            return None;
        }
        let moves = position.legal_moves();
        let mut past = Past::new(game);
        let by_distance = moves.iter().map(|&m| self.rank_by_distance(&mut past, position, m));
        let (moves, is_by_distance) = match by_distance.collect::<Option<Vec<_>>>() {
            Some(ranked) => (ranked, true),
            None => {
                let by_verdict =
                    moves.iter().map(|&m| self.rank_by_verdict(&mut past, position, m));
                (by_verdict.collect::<Option<Vec<_>>>()?, false)
            }
        };
        Some(Ranking { moves, is_by_distance })
    }

    fn rank_by_distance(
        &self,
        past: &mut Past,
        position: &Position,
        m: Move,
    ) -> Option<RankedMove> {
        let distance = self.distance_by(past, position, m)?;
        let clock = i32::from(position.halfmove_clock());
        // Distances may be rounded down by one; that of a move that captures or mates is not.
        let is_in_time = !self.fifty_moves || distance.abs() + clock <= 99 || distance == 1;
        let haste = if past.has_repetition { distance } else { 0 };
        let (rank, score) = match distance {
            0 => (0, Score::DRAW),
            1.. if is_in_time => (2 * FARTHEST - haste, Score::tablebase_win_at(1)),
            1.. => (FARTHEST - distance - clock, Score::from_centipawns(HOPE)),
            // Twice, as the winner may not take the shortest way.
            _ if !self.fifty_moves || clock - 2 * distance < 100 => {
                (-2 * FARTHEST, -Score::tablebase_win_at(1))
            }
            _ => {
                let score = if is_in_time {
                    -Score::tablebase_win_at(1)
                } else {
                    Score::from_centipawns(-HOPE)
                };
                (-FARTHEST - distance + clock, score)
            }
        };
        Some(RankedMove { m, rank, score })
    }

    /// Plies to the next capture or pawn move behind this move, itself included, as in
    /// [`Tablebase::distance`](crate::Tablebase::distance).
    fn distance_by(&self, past: &mut Past, position: &Position, m: Move) -> Option<i32> {
        let after = position.after(m);
        let has_moves = after.has_legal_moves();
        if !has_moves {
            return Some(i32::from(after.is_check()));
        }
        if after.is_insufficient_material() {
            return Some(0);
        }
        if after.halfmove_clock() == 0 {
            return Some(match self.source.verdict(&after)? {
                Verdict::Loss => 1,
                Verdict::BlessedLoss => 101,
                Verdict::Draw => 0,
                Verdict::CursedWin => -101,
                Verdict::Win => -1,
            });
        }
        if past.is_drawn_by(&after) {
            return Some(0);
        }
        let distance = -self.source.distance(&after)?;
        Some(distance + distance.signum())
    }

    fn rank_by_verdict(&self, past: &mut Past, position: &Position, m: Move) -> Option<RankedMove> {
        let after = position.after(m);
        let verdict = match after.has_legal_moves() {
            false if after.is_check() => Verdict::Loss,
            false => Verdict::Draw,
            true if past.is_drawn_by(&after) => Verdict::Draw,
            true => self.by_the_rules(self.source.verdict(&after)?),
        };
        let (rank, score) = match verdict {
            Verdict::Loss => (2, Score::tablebase_win_at(1)),
            Verdict::BlessedLoss => (1, Score::from_centipawns(HOPE)),
            Verdict::Draw => (0, Score::DRAW),
            Verdict::CursedWin => (-1, Score::from_centipawns(-HOPE)),
            Verdict::Win => (-2, -Score::tablebase_win_at(1)),
        };
        Some(RankedMove { m, rank, score })
    }
}

/// What has been on the board.
struct Past {
    timeline: Timeline,
    /// Whether a position since the last capture or pawn move has been there before.
    has_repetition: bool,
}

impl Past {
    fn new(game: &Game) -> Past {
        let timeline = Timeline::new(game, 1);
        let reach = timeline.history().reach();
        let has_repetition = (0..=reach).any(|plies| timeline.history().is_repeated(plies));
        Past { timeline, has_repetition }
    }

    /// Whether this position, which follows the present one, ends the game.
    fn is_drawn_by(&mut self, after: &Position) -> bool {
        self.timeline.push(after);
        let is_third = self.timeline.history().occurrences() >= 3;
        self.timeline.pop();
        is_third || after.halfmove_clock() >= 100
    }
}
