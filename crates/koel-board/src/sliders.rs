//! The attacks of bishops and rooks.
//!
//! They are computed from the lines through a square rather than looked up: the tables of magic
//! bitboards take 700 KiB and compete for the cache with the network and the histories of a search.
//! (Hyperbola quintessence, Aleks Peshkov 2007; first rank attacks for ranks.)

use shakmaty::{Bitboard, Square};

use crate::rays;

/// Returns the squares that a bishop on `square` attacks.
#[inline(always)]
pub(crate) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    line_attacks(square, rays::main_diagonal(square), occupied)
        | line_attacks(square, rays::anti_diagonal(square), occupied)
}

/// Returns the squares that a rook on `square` attacks.
#[inline(always)]
pub(crate) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    line_attacks(square, rays::file(square), occupied) | rank_attacks(square, occupied)
}

/// Returns the attacks along a line with at most one square on each rank: swapping the bytes turns
/// it round. The line must not contain the square.
#[inline(always)]
fn line_attacks(square: Square, line: Bitboard, occupied: Bitboard) -> Bitboard {
    let blockers = occupied.0 & line.0;
    let slider = 1 << square as u32;
    // A subtraction borrows up to the first blocker above the slider.
    let above = blockers.wrapping_sub(slider);
    let below = blockers.swap_bytes().wrapping_sub(u64::swap_bytes(slider)).swap_bytes();
    Bitboard((above ^ below) & line.0)
}

/// Returns the attacks along the rank.
#[inline(always)]
fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let first = square as u32 & 56;
    // Pieces on the edge files do not matter: the attack ends there anyway.
    let inner = (occupied.0 >> (first + 1)) & 63;
    Bitboard(u64::from(FIRST_RANK[inner as usize][square as usize & 7]) << first)
}

/// The attacks of a rook on the first rank, by the pieces on its six inner squares and by file.
static FIRST_RANK: [[u8; 8]; 64] = first_rank();

const fn first_rank() -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let mut file = 0;
        while file < 8 {
            let mut attacks: u32 = 0;
            let (mut right, mut left) = (file + 1, file);
            while right < 8 {
                attacks |= 1 << right;
                right = if (inner << 1) >> right & 1 != 0 { 8 } else { right + 1 };
            }
            while left > 0 {
                left -= 1;
                attacks |= 1 << left;
                if (inner << 1) >> left & 1 != 0 {
                    left = 0;
                }
            }
            table[inner][file] = attacks as u8;
            file += 1;
        }
        inner += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;
    use shakmaty::attacks;

    use super::*;

    #[test]
    fn attacks_are_those_of_shakmaty() {
        let mut rng = Rng::new(5);
        for _ in 0..20_000 {
            let occupied = Bitboard(rng.next_u64() & (rng.next_u64() | rng.next_u64()));
            for square in Square::ALL {
                assert_eq!(
                    bishop_attacks(square, occupied),
                    attacks::bishop_attacks(square, occupied)
                );
                assert_eq!(rook_attacks(square, occupied), attacks::rook_attacks(square, occupied));
            }
        }
    }
}
