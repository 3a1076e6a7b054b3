//! A position with a bare king, seen from the stronger side, and the attacks of its pieces.

use koel_board::{Bitboard, Color, Position, Role, Square, attacks};

const A_FILE: Bitboard = Bitboard(0x0101_0101_0101_0101);
const H_FILE: Bitboard = Bitboard(0x8080_8080_8080_8080);

/// A position with a bare king, turned so that the stronger side moves up the board.
pub(super) struct BareKing {
    /// The pieces of the stronger side, pawn to king.
    pieces: [Bitboard; 6],
    pub(super) king: Square,
    pub(super) bare_king: Square,
    /// True if the stronger side is to move.
    pub(super) is_our_turn: bool,
    /// The number of castling rights of the stronger side.
    pub(super) castling_rights: i32,
}

impl BareKing {
    pub(super) fn new(position: &Position, stronger: Color) -> BareKing {
        let turned = |squares: Bitboard| stronger.fold_wb(squares, squares.flip_vertical());
        let square = |square: Square| stronger.fold_wb(square, square.flip_vertical());
        BareKing {
            pieces: Role::ALL.map(|role| turned(position.pieces(stronger, role))),
            king: square(position.king(stronger)),
            bare_king: square(position.king(!stronger)),
            is_our_turn: position.turn() == stronger,
            castling_rights: count(position.castling_rooks() & position.color(stronger)),
        }
    }

    /// Returns the pieces of a role of the stronger side.
    #[inline(always)]
    pub(super) fn ours(&self, role: Role) -> Bitboard {
        self.pieces[role as usize - 1]
    }

    /// Returns all pieces of the stronger side.
    pub(super) fn all_ours(&self) -> Bitboard {
        self.pieces.into_iter().fold(Bitboard::EMPTY, |all, pieces| all | pieces)
    }

    /// Returns the squares of all pieces.
    pub(super) fn occupied(&self) -> Bitboard {
        self.all_ours().with(self.bare_king)
    }

    /// Returns the squares that the bare king attacks.
    pub(super) fn escapes(&self) -> Bitboard {
        attacks::king_attacks(self.bare_king)
    }

    /// Returns the squares around the bare king; on the edge, those around its neighbour inside.
    pub(super) fn king_ring(&self) -> Bitboard {
        let (file, rank) = (self.bare_king as u32 & 7, self.bare_king as u32 >> 3);
        let centre = Square::new(rank.clamp(1, 6) * 8 + file.clamp(1, 6));
        attacks::king_attacks(centre).with(centre)
    }

    /// Returns true if the stronger side has enough material to mate.
    pub(super) fn can_mate(&self) -> bool {
        let bishops = self.ours(Role::Bishop);
        let knights = self.ours(Role::Knight);
        self.has_heavy()
            || self.has_both_bishops()
            || (bishops.any() && knights.any())
            || count(knights) > 2
    }

    /// Returns true if there is a rook or a queen.
    pub(super) fn has_heavy(&self) -> bool {
        (self.ours(Role::Rook) | self.ours(Role::Queen)).any()
    }

    /// Returns true if there are bishops on squares of both colours.
    pub(super) fn has_both_bishops(&self) -> bool {
        let bishops = self.ours(Role::Bishop);
        !bishops.is_disjoint(Bitboard::DARK_SQUARES)
            && !bishops.is_disjoint(Bitboard::LIGHT_SQUARES)
    }
}

/// The attacks of the stronger side.
pub(super) struct Attacks {
    /// By role, pawn to king.
    by_role: [Bitboard; 6],
    pub(super) any: Bitboard,
    /// The squares attacked at least twice.
    pub(super) twice: Bitboard,
    /// The numbers of knights, bishops, rooks and queens that attack the king ring.
    pub(super) ring_attackers: [i32; 4],
    /// The number of attacks of these on squares next to the bare king.
    pub(super) ring_attacks: i32,
}

impl Attacks {
    /// Creates the attacks of the pawns and the king; the pieces are added one by one.
    pub(super) fn new(board: &BareKing) -> Attacks {
        let pawns = up(board.ours(Role::Pawn));
        let (left, right) =
            (Bitboard((pawns & !A_FILE).0 >> 1), Bitboard((pawns & !H_FILE).0 << 1));
        let mut attacks = Attacks {
            by_role: [Bitboard::EMPTY; 6],
            any: left | right,
            twice: left & right,
            ring_attackers: [0; 4],
            ring_attacks: 0,
        };
        attacks.by_role[0] = left | right;
        attacks.add_squares(Role::King, attacks::king_attacks(board.king));
        attacks
    }

    #[inline(always)]
    pub(super) fn by(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }

    /// Adds the attacks of a knight, bishop, rook or queen.
    #[inline(always)]
    pub(super) fn add(&mut self, board: &BareKing, role: Role, squares: Bitboard) {
        self.add_squares(role, squares);
        if (squares & board.king_ring()).any() {
            self.ring_attackers[role as usize - 2] += 1;
            self.ring_attacks += count(squares & board.escapes());
        }
    }

    #[inline(always)]
    fn add_squares(&mut self, role: Role, squares: Bitboard) {
        self.twice |= self.any & squares;
        self.any |= squares;
        self.by_role[role as usize - 1] |= squares;
    }
}

/// Returns the number of squares.
pub(super) fn count(squares: Bitboard) -> i32 {
    squares.0.count_ones() as i32
}

/// Returns the squares one rank up.
pub(super) fn up(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8)
}

/// Returns the squares one rank down.
pub(super) fn down(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 >> 8)
}

/// Returns the squares and all above them on their files.
pub(super) fn fill_up(squares: Bitboard) -> Bitboard {
    let mut filled = squares.0;
    filled |= filled << 8;
    filled |= filled << 16;
    Bitboard(filled | filled << 32)
}

/// Returns the squares and all below them on their files.
pub(super) fn fill_down(squares: Bitboard) -> Bitboard {
    fill_up(squares.flip_vertical()).flip_vertical()
}

/// Returns the left and right neighbours of the squares.
pub(super) fn sideways(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !A_FILE).0 >> 1 | (squares & !H_FILE).0 << 1)
}

/// Returns the squares of a rank, from 0.
pub(super) fn rank_mask(rank: usize) -> Bitboard {
    Bitboard(0xff << (8 * rank))
}

/// Returns the rank of a square, from 0.
pub(super) fn rank(square: Square) -> usize {
    square.to_usize() / 8
}

/// Returns the number of king steps between two squares.
pub(super) fn distance(from: Square, to: Square) -> i32 {
    from.distance(to) as i32
}
