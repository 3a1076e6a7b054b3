//! Static exchange evaluation against a plain recursive implementation.

mod support;

use koel_board::{Bitboard, Color, Move, Position, Role, SeeValues, Square, attacks};
use support::visit_random_positions;

/// The board of the reference implementation: the placement only.
struct Board([Option<(Color, Role)>; 64]);

impl Board {
    fn of(position: &Position) -> Board {
        Board(Square::ALL.map(|square| position.piece_at(square).map(|p| (p.color, p.role))))
    }

    fn attackers(&self, to: Square, color: Color) -> Vec<(Role, Square)> {
        let occupied: Bitboard =
            Square::ALL.into_iter().filter(|&s| self.0[s as usize].is_some()).collect();
        let mut found: Vec<(Role, Square)> = Square::ALL
            .into_iter()
            .filter_map(|from| {
                let (owner, role) = self.0[from as usize]?;
                let piece = shakmaty::Piece { color: owner, role };
                (owner == color && attacks::attacks(from, piece, occupied).contains(to))
                    .then_some((role, from))
            })
            .collect();
        found.sort();
        found
    }

    /// Returns the best gain of `color` by capturing on `to` or by stopping.
    fn best_recapture(&mut self, to: Square, color: Color, values: &SeeValues) -> i32 {
        let Some(&(role, from)) = self.attackers(to, color).first() else { return 0 };
        let victim = self.0[to as usize];
        self.0[from as usize] = None;
        self.0[to as usize] = Some((color, role));
        let is_legal = role != Role::King || self.attackers(to, !color).is_empty();
        let gain = match (is_legal, victim) {
            (true, Some((_, victim))) => {
                values.of(victim) - self.best_recapture(to, !color, values)
            }
            _ => 0,
        };
        self.0[from as usize] = Some((color, role));
        self.0[to as usize] = victim;
        gain.max(0)
    }
}

fn plain_swap(position: &Position, m: Move, values: &SeeValues) -> i32 {
    if m.is_castling() {
        return 0;
    }
    let (us, mut board) = (position.turn(), Board::of(position));
    let captured = if m.is_en_passant() { Square::new(m.to() as u32 ^ 8) } else { m.to() };
    let mut gain = board.0[captured as usize].map_or(0, |(_, role)| values.of(role));
    board.0[captured as usize] = None;
    let (_, mut role) = board.0[m.from() as usize].take().expect("a legal move");
    if let Some(promoted) = m.promotion() {
        gain += values.of(promoted) - values.of(role);
        role = promoted;
    }
    board.0[m.to() as usize] = Some((us, role));
    gain - board.best_recapture(m.to(), !us, values)
}

#[test]
fn thresholds_bracket_the_plain_swap() {
    let values = SeeValues { values: [100, 310, 330, 500, 900] };
    let (mut captures, mut losing, mut long, mut safe) = (0, 0, 0, 0);
    visit_random_positions(6, 60_000, |position| {
        for m in position.legal_moves() {
            let is_sample = m.is_noisy() || position.key().0 % 16 == 0;
            if !is_sample {
                continue;
            }
            let see = plain_swap(position, m, &values);
            let see_ge = |threshold| position.see_ge(m, threshold, &values);
            assert!(see_ge(see), "{m} in {position}: SEE is {see}");
            assert!(!see_ge(see + 1), "{m} in {position}: SEE is only {see}");
            assert!(see_ge(see - 150) && !see_ge(see + 150));
            let is_threatened = |square| position.threats().all.contains(square);
            if !m.is_noisy() && !is_threatened(m.from()) && !is_threatened(m.to()) {
                assert_eq!(see, 0, "{m} in {position} cannot be captured");
                safe += 1;
            }
            captures += usize::from(m.is_capture());
            losing += usize::from(see < 0);
            long += position.attackers(m.to(), position.occupied()).count() / 4;
        }
    });
    println!("{captures} captures, {losing} losing moves, {long} with four attackers or more");
    assert!(captures >= 100_000 && losing > 10_000 && long > 1_000 && safe > 10_000);
}
