//! The terms of the evaluation of a position with a bare king.

use koel_board::{Bitboard, Role, Square, attacks};

use super::bare_king::{
    Attacks, BareKing, count, distance, down, fill_down, fill_up, rank, rank_mask, sideways, up,
};
use super::weights::{
    BISHOP_BLOCKED_CENTRE, BISHOP_MOBILITY, BISHOP_OUTPOST, BISHOP_PAIR, BISHOP_PAWNS,
    CASTLING_RIGHT, DANGER_ATTACK, DANGER_ATTACKER, DANGER_BASE, DANGER_CHECK, DANGER_SAFE_CHECK,
    DANGER_WEAK, DANGER_WING, DEFENDED, DOUBLED, HANGING, ISOLATED, KNIGHT_MOBILITY,
    KNIGHT_NEAR_OUTPOST, KNIGHT_OUTPOST, KNIGHT_PER_PAWN, LONG_DIAGONAL, MATERIAL,
    MINOR_BEHIND_PAWN, MINOR_FAR_FROM_KING, PASSED, PASSED_ENEMY_KING, PASSED_FREE, PASSED_HELPED,
    PASSED_OWN_KING, PASSED_ROOK_BEHIND, PASSED_SAFE_STEP, PASSED_SAFE_WAY, PASSED_UNSTOPPABLE,
    PHALANX, QUEEN_MOBILITY, RESTRICTED, ROOK_FILE, ROOK_MOBILITY, ROOK_PER_PAWN, ROOK_SEVENTH,
    ROOK_SHUT_IN, SHELTER, SQUARES, STORM, TEMPO, THREAT_BY_KING, Table, WING_WITHOUT_PAWNS,
    Weight,
};

/// A weighted sum for the middlegame and for the endgame.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum(pub(super) [i32; 2]);

impl Sum {
    fn add(&mut self, [middlegame, endgame]: Weight, times: i32) {
        self.0[0] += middlegame * times;
        self.0[1] += endgame * times;
    }
}

/// Returns an entry of a table, the last one for an index beyond: the release build has no panic.
fn at<const N: usize>([middlegame, endgame]: &Table<N>, index: usize) -> Weight {
    debug_assert!(index < N, "no entry {index} of {N}");
    [middlegame[index.min(N - 1)], endgame[index.min(N - 1)]]
}

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const CENTRAL_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
const A_FILE: u64 = 0x0101_0101_0101_0101;

/// The files of the wing of a king, by its file.
const WINGS: [Bitboard; 8] = {
    let (left, right) = (0x0f0f_0f0f_0f0f_0f0f, 0xf0f0_f0f0_f0f0_f0f0);
    [
        Bitboard(left ^ (A_FILE << 3)),
        Bitboard(left),
        Bitboard(left),
        CENTRAL_FILES,
        CENTRAL_FILES,
        Bitboard(right),
        Bitboard(right),
        Bitboard(right ^ (A_FILE << 4)),
    ]
};

/// The weight of the distances of the kings to a passed pawn, by its rank.
const KING_DISTANCE_WEIGHTS: [i32; 8] = [0, 0, 1, 2, 4, 6, 7, 0];

/// Returns the sum of all terms for the stronger side, less those for the bare king.
pub(super) fn total(board: &BareKing) -> Sum {
    let (mut sum, mut attacks) = (Sum::default(), Attacks::new(board));
    sum.add(TEMPO, if board.is_our_turn { 1 } else { -1 });
    sum.add(CASTLING_RIGHT, board.castling_rights);
    squares(board, &mut sum);
    let passed = pawns(board, &mut sum);
    knights(board, &mut attacks, &mut sum);
    bishops(board, &mut attacks, &mut sum);
    rooks(board, &mut attacks, &mut sum);
    queens(board, &mut attacks, &mut sum);
    shelter(board, &mut sum);
    for pawn in passed {
        passed_pawn(board, &attacks, pawn, &mut sum);
    }
    threats(board, &attacks, &mut sum);
    let [middlegame, endgame] = king_danger(board, &attacks).0;
    sum.0[0] += middlegame.clamp(0, 3200).pow(2) / 4096;
    sum.0[1] += endgame.max(0) / 16;
    sum
}

/// Material and piece-square tables.
fn squares(board: &BareKing, sum: &mut Sum) {
    let index = |square: Square| {
        let file = square.to_usize() % 8;
        rank(square) * 4 + file.min(7 - file)
    };
    for (role, table) in Role::ALL.into_iter().zip(&SQUARES) {
        for square in board.ours(role) {
            sum.add(at(table, index(square)), 1);
        }
        if role != Role::King {
            sum.add(at(&MATERIAL, role as usize - 1), count(board.ours(role)));
        }
    }
    sum.add(at(&SQUARES[5], index(board.bare_king.flip_vertical())), -1);
}

/// The pawn structure. Returns the passed pawns: all but the rear ones of doubled pawns.
fn pawns(board: &BareKing, sum: &mut Sum) -> Bitboard {
    let pawns = board.ours(Role::Pawn);
    let defended = sideways(up(pawns));
    let doubled = pawns & fill_down(down(pawns));
    let files = fill_up(pawns) | fill_down(pawns);
    sum.add(ISOLATED, count(pawns & !sideways(files)));
    sum.add(at(&DOUBLED, 0), count(doubled & defended));
    sum.add(at(&DOUBLED, 1), count(doubled & !defended));
    for pawn in pawns & sideways(pawns) {
        sum.add(at(&PHALANX, rank(pawn)), 1);
    }
    for pawn in pawns & defended {
        sum.add(at(&DEFENDED, rank(pawn)), 1);
    }
    for pawn in pawns & !doubled {
        sum.add(at(&PASSED, rank(pawn)), 1);
    }
    pawns & !doubled
}

/// Returns the squares that count for mobility: not those of the king and queens, nor of pawns that
/// are blocked or on their first two ranks.
fn mobility_area(board: &BareKing) -> Bitboard {
    let stuck = down(board.occupied()) | rank_mask(1) | rank_mask(2);
    !(board.ours(Role::Pawn) & stuck | board.ours(Role::Queen) | board.ours(Role::King))
}

/// Returns the outposts that are defended by a pawn, and the others.
fn outposts(board: &BareKing) -> [Bitboard; 2] {
    let ranks = rank_mask(3) | rank_mask(4) | rank_mask(5);
    let defended = sideways(up(board.ours(Role::Pawn)));
    [ranks & defended, ranks & !defended]
}

fn knights(board: &BareKing, attacks: &mut Attacks, sum: &mut Sum) {
    let knights = board.ours(Role::Knight);
    let [defended, others] = outposts(board);
    let area = mobility_area(board);
    for knight in knights {
        let squares = attacks::knight_attacks(knight);
        attacks.add(board, Role::Knight, squares);
        let mobility = count(squares & area) as usize;
        sum.add(at(&KNIGHT_MOBILITY, mobility), 1);
        sum.add(at(&MINOR_FAR_FROM_KING, 0), distance(knight, board.king));
        if defended.contains(knight) {
            sum.add(at(&KNIGHT_OUTPOST, 0), 1);
        } else if others.contains(knight) {
            sum.add(at(&KNIGHT_OUTPOST, 1), 1);
        } else if (squares & defended & !board.all_ours()).any() {
            sum.add(KNIGHT_NEAR_OUTPOST, 1);
        }
    }
    let pawns = board.ours(Role::Pawn);
    sum.add(KNIGHT_PER_PAWN, (count(pawns) - 5) * count(knights));
    sum.add(MINOR_BEHIND_PAWN, count((knights | board.ours(Role::Bishop)) & down(pawns)));
}

fn bishops(board: &BareKing, attacks: &mut Attacks, sum: &mut Sum) {
    let (bishops, pawns) = (board.ours(Role::Bishop), board.ours(Role::Pawn));
    // Bishops and rooks attack through queens, which can move on along the same line.
    let blockers = board.occupied() ^ board.ours(Role::Queen);
    let blocked_centre = count(pawns & CENTRAL_FILES & down(board.occupied()));
    let [defended, others] = outposts(board);
    let area = mobility_area(board);
    for bishop in bishops {
        let squares = attacks::bishop_attacks(bishop, blockers);
        attacks.add(board, Role::Bishop, squares);
        let mobility = count(squares & area) as usize;
        sum.add(at(&BISHOP_MOBILITY, mobility), 1);
        sum.add(at(&MINOR_FAR_FROM_KING, 1), distance(bishop, board.king));
        if defended.contains(bishop) {
            sum.add(at(&BISHOP_OUTPOST, 0), 1);
        } else if others.contains(bishop) {
            sum.add(at(&BISHOP_OUTPOST, 1), 1);
        }
        let is_dark = Bitboard::DARK_SQUARES.contains(bishop);
        let colour = if is_dark { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
        sum.add(BISHOP_PAWNS, count(pawns & colour));
        sum.add(BISHOP_BLOCKED_CENTRE, count(pawns & colour) * blocked_centre);
        if (attacks::bishop_attacks(bishop, pawns) & CENTRE).more_than_one() {
            sum.add(LONG_DIAGONAL, 1);
        }
    }
    sum.add(BISHOP_PAIR, i32::from(bishops.more_than_one()));
}

fn rooks(board: &BareKing, attacks: &mut Attacks, sum: &mut Sum) {
    let (rooks, pawns) = (board.ours(Role::Rook), board.ours(Role::Pawn));
    let blockers = board.occupied() ^ board.ours(Role::Queen) ^ rooks;
    let pawn_files = fill_up(pawns) | fill_down(pawns);
    let area = mobility_area(board);
    for rook in rooks {
        let squares = attacks::rook_attacks(rook, blockers);
        attacks.add(board, Role::Rook, squares);
        let mobility = count(squares & area) as usize;
        sum.add(at(&ROOK_MOBILITY, mobility), 1);
        if !pawn_files.contains(rook) {
            sum.add(ROOK_FILE, 1);
        } else if mobility <= 3 && is_shut_in(rook, board.king) {
            sum.add(ROOK_SHUT_IN, 1);
        }
        if rank(rook) == 6 && rank(board.bare_king) == 7 {
            sum.add(ROOK_SEVENTH, 1);
        }
    }
    sum.add(ROOK_PER_PAWN, (count(pawns) - 5) * count(rooks));
}

/// Returns true if the rook is in the corner beside its king.
fn is_shut_in(rook: Square, king: Square) -> bool {
    let (rook_file, king_file) = (rook as u32 & 7, king as u32 & 7);
    let is_outside = if king_file < 4 { rook_file < king_file } else { rook_file > king_file };
    rank(king) == 0 && rank(rook) <= 1 && is_outside
}

fn queens(board: &BareKing, attacks: &mut Attacks, sum: &mut Sum) {
    let area = mobility_area(board);
    for queen in board.ours(Role::Queen) {
        let squares = attacks::queen_attacks(queen, board.occupied());
        attacks.add(board, Role::Queen, squares);
        let mobility = count(squares & area) as usize;
        sum.add(at(&QUEEN_MOBILITY, mobility), 1);
    }
}

/// The pawn shelter of the own king, and the pawn storm against the bare one.
fn shelter(board: &BareKing, sum: &mut Sum) {
    let pawns = board.ours(Role::Pawn);
    let three_files = |king: Square| {
        let centre = (king.to_usize() & 7).clamp(1, 6);
        (centre - 1..=centre + 1).map(|file| (file.min(7 - file), Bitboard(A_FILE << file)))
    };
    let above = pawns & fill_up(rank_mask(rank(board.king)));
    for (from_edge, file) in three_files(board.king) {
        let rank = (above & file).first().map_or(0, rank);
        sum.add(at(&SHELTER[from_edge & 3], rank), 1);
        sum.add(at(&STORM, 0), 1);
    }
    let below = pawns & fill_down(rank_mask(rank(board.bare_king)));
    for (from_edge, file) in three_files(board.bare_king) {
        sum.add(at(&SHELTER[from_edge & 3], 0), -1);
        sum.add(at(&STORM, (below & file).last().map_or(0, |pawn| 7 - rank(pawn))), -1);
    }
    for (king, sign) in [(board.king, 1), (board.bare_king, -1)] {
        let is_empty = pawns.is_disjoint(WINGS[king.to_usize() & 7]);
        sum.add(WING_WITHOUT_PAWNS, sign * i32::from(is_empty));
    }
}

fn passed_pawn(board: &BareKing, attacks: &Attacks, pawn: Square, sum: &mut Sum) {
    let rank = rank(pawn);
    let step = up(Bitboard::from(pawn));
    let next = Square::new(step.0.trailing_zeros() & 63);
    let path = fill_up(step);
    if step.is_disjoint(board.occupied()) {
        sum.add(at(&PASSED_FREE, rank), 1);
        sum.add(at(&PASSED_SAFE_STEP, rank), i32::from(step.is_disjoint(board.escapes())));
    }
    if path.is_disjoint(board.escapes().with(board.bare_king)) {
        sum.add(at(&PASSED_SAFE_WAY, rank), 1);
    }
    sum.add(at(&PASSED_HELPED, rank), i32::from(!step.is_disjoint(attacks.any)));
    let weight = KING_DISTANCE_WEIGHTS[rank.min(7)];
    sum.add(at(&PASSED_ENEMY_KING, distance(board.bare_king, next) as usize), weight);
    sum.add(at(&PASSED_OWN_KING, distance(board.king, next) as usize), weight);
    let behind = fill_down(down(Bitboard::from(pawn)));
    sum.add(PASSED_ROOK_BEHIND, i32::from((board.ours(Role::Rook) & behind).any()));
    if path.is_disjoint(board.occupied()) && is_unstoppable(board, pawn) {
        sum.add(PASSED_UNSTOPPABLE, 1);
    }
}

/// Returns true if the bare king is outside the square of the pawn, or the own king escorts it.
fn is_unstoppable(board: &BareKing, pawn: Square) -> bool {
    let file = pawn as u32 & 7;
    let goal = Square::new(56 + file);
    // A pawn on its first square may begin with two steps.
    let steps = (7 - rank(pawn) as i32).min(5);
    let is_escorted = distance(board.king, goal) <= 1 && board.king as u32 & 7 != file;
    distance(board.bare_king, goal) > steps + i32::from(!board.is_our_turn) || is_escorted
}

/// The pieces that the bare king attacks, and the squares that it cannot enter.
fn threats(board: &BareKing, attacks: &Attacks, sum: &mut Sum) {
    let escapes = board.escapes();
    sum.add(RESTRICTED, count(escapes & attacks.any));
    sum.add(HANGING, i32::from(attacks.any.contains(board.bare_king)));
    let held = attacks.by(Role::Pawn) | attacks.twice;
    let attacked = board.all_ours() & !held & escapes;
    sum.add(THREAT_BY_KING, -i32::from(attacked.any()));
    sum.add(HANGING, -count(attacked & !attacks.any));
    sum.add(RESTRICTED, -count(attacks.any & !held & escapes));
}

/// The danger of the bare king. It needs two attackers, or a queen.
fn king_danger(board: &BareKing, attacks: &Attacks) -> Sum {
    let mut danger = Sum::default();
    let has_queen = board.ours(Role::Queen).any();
    if attacks.ring_attackers.iter().sum::<i32>() < if has_queen { 1 } else { 2 } {
        return danger;
    }
    danger.add(at(&DANGER_BASE, usize::from(!has_queen)), 1);
    for (index, number) in attacks.ring_attackers.into_iter().enumerate() {
        danger.add(at(&DANGER_ATTACKER, index), number);
    }
    danger.add(DANGER_ATTACK, attacks.ring_attacks);
    danger.add(DANGER_WEAK, count(board.king_ring() & attacks.any));
    checks(board, attacks, &mut danger);
    let wing = WINGS[board.bare_king.to_usize() & 7] & fill_up(rank_mask(3));
    danger.add(at(&DANGER_WING, 0), count(wing & attacks.any) + count(wing & attacks.twice));
    danger.add(at(&DANGER_WING, 1), count(wing & board.escapes()));
    danger
}

/// The squares on which a piece can give check. They are safe if the king does not attack them, or
/// if they are defended.
fn checks(board: &BareKing, attacks: &Attacks, danger: &mut Sum) {
    let free = !board.all_ours();
    let safe = free & (!board.escapes() | attacks.twice);
    let straight = attacks::rook_attacks(board.bare_king, board.occupied());
    let diagonal = attacks::bishop_attacks(board.bare_king, board.occupied());
    let checks = [
        attacks::knight_attacks(board.bare_king) & attacks.by(Role::Knight),
        diagonal & attacks.by(Role::Bishop),
        straight & attacks.by(Role::Rook),
    ];
    for (index, squares) in checks.into_iter().enumerate() {
        if (squares & safe).any() {
            danger.add(at(&DANGER_SAFE_CHECK, index), 1);
        } else {
            danger.add(at(&DANGER_CHECK, index), count(squares & free));
        }
    }
    let queen = (straight | diagonal) & attacks.by(Role::Queen) & safe;
    danger.add(at(&DANGER_SAFE_CHECK, 3), i32::from(queen.any()));
}
