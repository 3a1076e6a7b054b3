//! The weights, in centipawns, fitted to games.

use crate::weights::weights;

weights! {
    Material {
        /// What a pawn, knight, bishop, rook and queen is worth.
        MATERIAL = [
            (69, 131), (339, 393), (354, 424), (466, 701), (1075, 1237),
        ];
        /// A pawn by square: files a to d (e to h mirror them), from the first rank up.
        PAWN_SQUARES = [
            (0, 0), (0, 0), (0, 0), (0, 0),
            (-12, 9), (6, 5), (-9, 6), (-5, 10),
            (-10, -3), (-4, -1), (-1, 2), (5, 6),
            (-9, 10), (-11, 9), (7, -3), (18, -10),
            (-4, 24), (5, 14), (5, 14), (13, 0),
            (10, 52), (21, 63), (29, 47), (33, 42),
            (58, 80), (73, 93), (71, 107), (80, 102),
            (0, 0), (0, 0), (0, 0), (0, 0),
        ];
        /// A knight by square: files a to d (e to h mirror them), from the first rank up.
        KNIGHT_SQUARES = [
            (-68, -39), (-19, -37), (-22, -14), (-13, -10),
            (-22, -25), (-16, -13), (-6, -5), (-4, 3),
            (-12, -16), (1, 1), (5, 3), (11, 20),
            (-5, -7), (5, 6), (15, 17), (16, 23),
            (-5, -6), (15, 10), (30, 27), (26, 29),
            (-18, -14), (18, 2), (35, 16), (48, 21),
            (-37, -25), (-20, -9), (20, -1), (21, 6),
            (-107, -61), (-60, -35), (-30, -20), (-22, -14),
        ];
        /// A bishop by square: files a to d (e to h mirror them), from the first rank up.
        BISHOP_SQUARES = [
            (-12, -19), (-1, -9), (-6, -6), (-12, -3),
            (9, -12), (15, -10), (8, -2), (12, 0),
            (6, -2), (14, 1), (14, 6), (6, 13),
            (-1, -4), (6, 8), (9, 12), (17, 9),
            (-3, -1), (4, 11), (15, 9), (23, 11),
            (-4, 3), (13, 2), (17, 5), (16, 4),
            (-17, -6), (1, -2), (-3, 2), (-6, -1),
            (-26, -12), (-14, -11), (-28, -8), (-26, -6),
        ];
        /// A rook by square: files a to d (e to h mirror them), from the first rank up.
        ROOK_SQUARES = [
            (-11, -7), (-8, -5), (0, -2), (9, -10),
            (-28, -7), (-13, -7), (-5, -3), (-2, -5),
            (-25, -1), (-11, 0), (-9, -2), (-8, -6),
            (-20, 4), (-12, 5), (-8, 7), (-2, 0),
            (-11, 9), (-5, 6), (3, 6), (8, 3),
            (-2, 11), (10, 10), (12, 6), (18, 4),
            (17, 14), (15, 13), (27, 9), (29, 4),
            (14, 12), (11, 9), (10, 12), (16, 9),
        ];
        /// A queen by square: files a to d (e to h mirror them), from the first rank up.
        QUEEN_SQUARES = [
            (-8, -23), (-14, -22), (-8, -20), (0, -18),
            (-15, -18), (-5, -20), (5, -16), (-2, -8),
            (-5, -7), (7, 3), (-3, 12), (-2, 12),
            (-4, 1), (-4, 19), (-4, 25), (-7, 35),
            (-8, 9), (-7, 23), (0, 29), (1, 39),
            (4, -4), (6, 9), (11, 24), (16, 35),
            (-5, -4), (-22, 16), (1, 23), (2, 32),
            (-8, 0), (4, 10), (14, 14), (16, 16),
        ];
        /// A king by square: files a to d (e to h mirror them), from the first rank up.
        KING_SQUARES = [
            (20, -46), (27, -41), (5, -16), (-13, -21),
            (8, -28), (6, -13), (-11, 3), (-30, 8),
            (-19, -22), (-9, -2), (-27, 9), (-45, 14),
            (-39, -19), (-28, 4), (-44, 18), (-66, 26),
            (-38, -11), (-31, 10), (-41, 20), (-60, 31),
            (-30, -5), (-20, 19), (-30, 24), (-50, 25),
            (-30, -24), (-19, 7), (-30, 11), (-50, 10),
            (-40, -61), (-20, -34), (-30, -21), (-50, -14),
        ];
        /// Two bishops.
        BISHOP_PAIR = [
            (23, 56),
        ];
        /// A knight, for each own pawn above or below five.
        KNIGHT_PER_PAWN = [
            (4, 6),
        ];
        /// A rook, for each own pawn above or below five.
        ROOK_PER_PAWN = [
            (-2, -2),
        ];
        /// The right to castle, on each wing.
        CASTLING_RIGHT = [
            (21, -1),
        ];
    }
    Pawns {
        /// No neighbour: with an enemy pawn in front on its file, without.
        ISOLATED = [
            (-6, -9), (-9, -17),
        ];
        /// Another own pawn in front of it: defended or not.
        DOUBLED = [
            (-4, -13), (-3, -24),
        ];
        /// No neighbour beside or behind, and its way is guarded by an enemy pawn: file closed, open.
        BACKWARD = [
            (0, -11), (-13, -11),
        ];
        /// A neighbour at its side, by rank.
        PHALANX = [
            (0, 0), (6, -4), (5, 7), (10, 14), (29, 28), (60, 79), (0, 0), (0, 0),
        ];
        /// Defended by a pawn, by rank.
        DEFENDED = [
            (0, 0), (0, 0), (15, 13), (10, 3), (19, 18), (35, 36), (0, 1), (0, 0),
        ];
        /// Not passed yet, but with helpers enough, by rank.
        CANDIDATE = [
            (0, 0), (-1, 3), (4, 7), (4, 15), (8, 28), (30, 50), (0, 0), (0, 0),
        ];
        /// Blocked by an enemy pawn on the fifth or sixth rank.
        RAM = [
            (1, -8), (-3, -1),
        ];
    }
    Mobility {
        /// A knight by the number of squares that it reaches.
        KNIGHT_MOBILITY = [
            (-32, -50), (-14, -36), (-7, -18), (-2, -6), (2, 5), (7, 13), (9, 14), (11, 17),
            (14, 11),
        ];
        /// A bishop.
        BISHOP_MOBILITY = [
            (-24, -56), (-12, -27), (-4, -17), (2, -2), (5, 3), (9, 9), (12, 13),
            (14, 20), (17, 17), (23, 21), (24, 21), (29, 21), (33, 24), (35, 27),
        ];
        /// A rook.
        ROOK_MOBILITY = [
            (-36, -59), (-20, -33), (-7, -18), (-2, -5), (-7, 0), (-1, 9), (-1, 14), (1, 18),
            (5, 21), (5, 23), (9, 30), (14, 32), (16, 31), (18, 30), (19, 29),
        ];
        /// A queen.
        QUEEN_MOBILITY = [
            (-25, -45), (-13, -40), (-9, -34), (-7, -28), (-5, -22), (-5, -16), (-3, -9),
            (1, -3), (1, 2), (2, 5), (5, 11), (3, 13), (7, 17), (10, 22),
            (8, 25), (12, 27), (11, 27), (15, 33), (15, 33), (16, 33), (17, 34),
            (18, 35), (19, 35), (20, 36), (21, 38), (22, 39), (23, 40), (24, 41),
        ];
    }
    Pieces {
        /// A knight where no enemy pawn can attack it, defended by a pawn or not.
        KNIGHT_OUTPOST = [
            (29, 18), (13, 7),
        ];
        /// A bishop there.
        BISHOP_OUTPOST = [
            (27, 13), (8, 0),
        ];
        /// A knight that can go to a defended outpost.
        KNIGHT_NEAR_OUTPOST = [
            (20, 11),
        ];
        /// A knight or bishop right behind a pawn.
        MINOR_BEHIND_PAWN = [
            (3, 6),
        ];
        /// A knight, a bishop for each step that it is away from its king.
        MINOR_FAR_FROM_KING = [
            (-3, -2), (-1, -2),
        ];
        /// A bishop, for each own pawn on squares of its colour.
        BISHOP_PAWNS = [
            (-2, -8),
        ];
        /// The same again for each own blocked pawn in the centre.
        BISHOP_BLOCKED_CENTRE = [
            (-1, -2),
        ];
        /// A bishop that looks through the centre with only pawns in the way.
        LONG_DIAGONAL = [
            (13, 0),
        ];
        /// A rook on a file without pawns, without own pawns.
        ROOK_FILE = [
            (29, 8), (12, 9),
        ];
        /// A rook on the seventh rank, with the king behind or pawns beside it.
        ROOK_SEVENTH = [
            (6, 14),
        ];
        /// A rook shut in by its own king.
        ROOK_SHUT_IN = [
            (-7, -10),
        ];
        /// A queen in line with an enemy bishop or rook, with one piece between.
        QUEEN_IN_LINE = [
            (-18, -8),
        ];
    }
    Passed {
        /// A passed pawn, by rank.
        PASSED = [
            (0, 0), (1, 6), (3, 15), (2, 34), (19, 63), (64, 78), (104, 103), (0, 0),
        ];
        /// The next square is empty, by rank.
        PASSED_FREE = [
            (0, 0), (-1, 1), (0, 4), (1, 13), (7, 25), (15, 34), (30, 66), (0, 0),
        ];
        /// The next square is empty and not attacked, by rank.
        PASSED_SAFE_STEP = [
            (0, 0), (-1, 1), (-2, 4), (5, 11), (8, 16), (15, 32), (24, 40), (0, 0),
        ];
        /// No square as far as the last rank is attacked or held by the enemy, by rank.
        PASSED_SAFE_WAY = [
            (0, 0), (0, 3), (-1, 6), (4, 15), (9, 26), (17, 45), (29, 57), (0, 0),
        ];
        /// The next square is defended, by rank.
        PASSED_HELPED = [
            (0, 0), (-1, -1), (0, 3), (2, 8), (7, 12), (14, 20), (21, 26), (0, 0),
        ];
        /// Steps of the enemy's king to the square in front, times the weight of the rank.
        PASSED_ENEMY_KING = [
            (-5, -12), (-3, -16), (-1, -5), (-3, 3), (-3, 14), (1, 16), (2, 17), (1, 16),
        ];
        /// Steps of the own king to the square in front, times the weight of the rank.
        PASSED_OWN_KING = [
            (2, 9), (0, 12), (3, 3), (0, -2), (-4, -3), (-2, -6), (-5, -6), (-6, -5),
        ];
        /// An own rook, an enemy rook behind it.
        PASSED_ROOK_BEHIND = [
            (4, 13), (-9, -23),
        ];
        /// Neither the king nor anything else can catch it.
        PASSED_UNSTOPPABLE = [
            (0, 282),
        ];
    }
    Threats {
        /// A pawn attacks a knight, bishop, rook, queen.
        THREAT_BY_PAWN = [
            (60, 30), (56, 37), (69, 30), (61, 30),
        ];
        /// A pawn could attack a piece with one step.
        THREAT_BY_PUSH = [
            (16, 11),
        ];
        /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
        THREAT_BY_MINOR = [
            (2, 21), (17, 22), (30, 19), (50, 24), (46, 31),
        ];
        /// A rook attacks a pawn, knight, bishop, rook, queen.
        THREAT_BY_ROOK = [
            (2, 19), (22, 26), (23, 28), (4, 10), (44, 16),
        ];
        /// The king attacks something that is not defended well.
        THREAT_BY_KING = [
            (13, 35),
        ];
        /// Attacked and not defended.
        HANGING = [
            (20, 25),
        ];
        /// A square that the enemy attacks, but not well, and that is attacked by us.
        RESTRICTED = [
            (3, 0),
        ];
        /// A knight, a bishop or rook could attack the queen from a safe square.
        THREAT_ON_QUEEN = [
            (7, 7), (16, 8),
        ];
    }
    King {
        /// The rearmost own pawn in front of the king by rank (0: none), on the files by their distance from the edge.
        SHELTER = [
            (-4, 7), (30, -8), (32, -2), (18, -3), (12, -1), (10, -2), (0, 0),
            (-25, 4), (26, -1), (18, -3), (-12, -1), (-11, -3), (-5, 0), (-10, 0),
            (-16, 4), (36, -4), (7, 1), (2, -2), (7, 1), (3, -2), (-10, 0),
            (-22, 3), (8, 1), (-5, 1), (-13, 1), (-10, 0), (-21, 1), (-30, 1),
        ];
        /// The rearmost enemy pawn in front of the king by rank (0: none): free to advance.
        STORM = [
            (-5, 0), (20, 3), (-42, 5), (-20, 1), (-11, 2), (-4, -3), (-3, -2),
        ];
        /// The same, blocked by an own pawn.
        STORM_BLOCKED = [
            (0, 0), (0, 0), (-26, -14), (-3, -4), (1, -2), (1, -2), (3, 2),
        ];
        /// Danger: with or without an enemy queen, to begin with.
        DANGER_BASE = [
            (58, 0), (-648, 0),
        ];
        /// Danger: for each knight, bishop, rook, queen that attacks the ring around the king.
        DANGER_ATTACKER = [
            (91, 10), (76, 10), (63, 10), (44, 10),
        ];
        /// Danger: for each attack on a square next to the king.
        DANGER_ATTACK = [
            (44, 5),
        ];
        /// Danger: for each weak square of the ring.
        DANGER_WEAK = [
            (95, 9),
        ];
        /// Danger: checks by knight, bishop, rook, queen on safe squares.
        DANGER_SAFE_CHECK = [
            (422, 20), (288, 20), (487, 20), (243, 30),
        ];
        /// Danger: squares from which a knight, bishop, rook checks though it can be taken.
        DANGER_CHECK = [
            (77, 5), (82, 5), (91, 5),
        ];
        /// Danger: for each own piece that shields the king from a slider.
        DANGER_SHIELD = [
            (75, 5),
        ];
        /// Danger: for each attack on the king's wing; for each defence.
        DANGER_WING = [
            (13, 3), (-16, 0),
        ];
        /// Danger: a knight, a bishop next to the king.
        DANGER_DEFENDER = [
            (-57, 0), (-39, 0),
        ];
        /// No pawn at all on the wing of the king.
        WING_WITHOUT_PAWNS = [
            (-13, -54),
        ];
    }
    Space {
        /// A safe square behind or among the own pawns in the centre, times the pieces above four.
        SPACE = [
            (0, 0),
        ];
        /// The right to move.
        TEMPO = [
            (24, 12),
        ];
    }
}
