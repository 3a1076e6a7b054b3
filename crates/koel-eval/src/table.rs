//! The weights, in centipawns, as `cargo xtask fit-eval` writes them.

use crate::weights::weights;

weights! {
    Material {
        /// What a pawn, knight, bishop, rook and queen is worth.
        MATERIAL = [
            (73, 123), (363, 399), (401, 426), (509, 708), (1194, 1201),
        ];
        /// A pawn by square: files a to d (e to h mirror them), from the first rank up.
        PAWN_SQUARES = [
            (0, 0), (0, 0), (0, 0), (0, 0),
            (-15, 6), (13, 5), (-5, 5), (-2, 9),
            (-11, -1), (-6, 2), (-1, 6), (2, 7),
            (-8, 8), (-17, 7), (9, -4), (16, -9),
            (-11, 18), (5, 12), (13, 17), (13, -1),
            (14, 50), (18, 61), (29, 49), (35, 42),
            (57, 85), (70, 79), (71, 105), (80, 107),
            (0, 0), (0, 0), (0, 0), (0, 0),
        ];
        /// A knight by square: files a to d (e to h mirror them), from the first rank up.
        KNIGHT_SQUARES = [
            (-70, -40), (-12, -35), (-23, -16), (-13, -11),
            (-26, -26), (-18, -13), (-5, -6), (-2, 4),
            (-8, -13), (-1, 1), (6, 2), (17, 18),
            (-12, -10), (4, 7), (12, 20), (19, 20),
            (-5, -6), (15, 10), (31, 29), (27, 31),
            (-17, -13), (17, 3), (36, 17), (48, 26),
            (-40, -27), (-20, -9), (21, -2), (21, 6),
            (-112, -59), (-60, -35), (-30, -21), (-22, -14),
        ];
        /// A bishop by square: files a to d (e to h mirror them), from the first rank up.
        BISHOP_SQUARES = [
            (-11, -17), (0, -10), (-4, -6), (-7, -2),
            (8, -12), (11, -8), (4, -3), (11, 3),
            (7, -3), (20, 2), (13, 4), (5, 16),
            (-1, -3), (7, 7), (12, 11), (18, 10),
            (-3, 0), (2, 9), (14, 10), (23, 11),
            (-3, 4), (12, 3), (15, 3), (15, 4),
            (-18, -6), (2, -2), (-5, 0), (-6, -1),
            (-26, -11), (-14, -12), (-28, -8), (-26, -6),
        ];
        /// A rook by square: files a to d (e to h mirror them), from the first rank up.
        ROOK_SQUARES = [
            (-9, -7), (-10, -2), (6, -3), (8, -8),
            (-45, -7), (-14, -7), (-5, -4), (-1, -4),
            (-24, -1), (-11, 0), (-8, -4), (-8, -6),
            (-21, 4), (-14, 3), (-9, 6), (0, 3),
            (-11, 9), (-6, 6), (6, 9), (10, 3),
            (-4, 8), (9, 9), (12, 6), (17, 4),
            (17, 15), (14, 12), (28, 8), (32, 5),
            (14, 12), (12, 10), (10, 13), (16, 8),
        ];
        /// A queen by square: files a to d (e to h mirror them), from the first rank up.
        QUEEN_SQUARES = [
            (-9, -23), (-14, -22), (-7, -20), (4, -15),
            (-14, -17), (-6, -20), (5, -16), (-4, -9),
            (-7, -8), (8, 3), (-4, 13), (1, 15),
            (-3, 0), (-4, 19), (-3, 25), (-6, 32),
            (-12, 9), (-7, 23), (1, 29), (1, 39),
            (3, -4), (4, 8), (13, 24), (16, 35),
            (-6, -4), (-24, 15), (1, 23), (2, 32),
            (-9, 0), (4, 10), (14, 14), (16, 16),
        ];
        /// A king by square: files a to d (e to h mirror them), from the first rank up.
        KING_SQUARES = [
            (23, -43), (25, -42), (5, -18), (-16, -16),
            (8, -28), (8, -13), (-11, 6), (-28, 6),
            (-20, -22), (-9, -1), (-27, 11), (-44, 15),
            (-39, -17), (-30, 3), (-44, 18), (-65, 27),
            (-40, -12), (-31, 10), (-42, 19), (-58, 30),
            (-30, -6), (-20, 18), (-30, 21), (-49, 24),
            (-30, -25), (-19, 7), (-30, 10), (-50, 10),
            (-40, -61), (-20, -34), (-30, -20), (-50, -14),
        ];
        /// Two bishops.
        BISHOP_PAIR = [
            (21, 58),
        ];
        /// A knight, for each own pawn above or below five.
        KNIGHT_PER_PAWN = [
            (4, 9),
        ];
        /// A rook, for each own pawn above or below five.
        ROOK_PER_PAWN = [
            (-4, 0),
        ];
        /// The right to castle, on each wing.
        CASTLING_RIGHT = [
            (19, -3),
        ];
    }
    Pawns {
        /// No neighbour: with an enemy pawn in front on its file, without.
        ISOLATED = [
            (-5, -7), (-12, -15),
        ];
        /// Another own pawn in front of it: defended or not.
        DOUBLED = [
            (0, -11), (5, -20),
        ];
        /// No neighbour beside or behind, and its way is guarded by an enemy pawn: file closed, open.
        BACKWARD = [
            (-3, -11), (-15, -15),
        ];
        /// A neighbour at its side, by rank.
        PHALANX = [
            (0, 0), (5, -11), (11, 11), (11, 18), (33, 30), (61, 84), (0, 0), (0, 0),
        ];
        /// Defended by a pawn, by rank.
        DEFENDED = [
            (0, 0), (0, 0), (14, 16), (15, 2), (13, 13), (29, 32), (0, 1), (0, 0),
        ];
        /// Not passed yet, but with helpers enough, by rank.
        CANDIDATE = [
            (0, 0), (-2, 2), (2, 11), (1, 4), (16, 26), (31, 50), (0, 0), (0, 0),
        ];
        /// Blocked by an enemy pawn on the fifth or sixth rank.
        RAM = [
            (0, -10), (0, -2),
        ];
    }
    Mobility {
        /// A knight by the number of squares that it reaches.
        KNIGHT_MOBILITY = [
            (-32, -50), (-15, -36), (-7, -16), (-1, -9), (0, 10), (7, 13), (10, 11), (11, 17),
            (15, 11),
        ];
        /// A bishop.
        BISHOP_MOBILITY = [
            (-27, -51), (-16, -25), (-8, -18), (0, -4), (7, 2), (11, 7), (18, 16),
            (15, 21), (14, 18), (23, 23), (28, 20), (32, 22), (33, 24), (36, 28),
        ];
        /// A rook.
        ROOK_MOBILITY = [
            (-42, -56), (-20, -33), (-5, -20), (-2, -3), (-8, 1), (0, 10), (2, 14), (-3, 19),
            (8, 18), (2, 17), (9, 34), (12, 33), (18, 28), (17, 27), (22, 36),
        ];
        /// A queen.
        QUEEN_MOBILITY = [
            (-25, -45), (-12, -40), (-5, -33), (-12, -28), (-9, -22), (-6, -15), (-1, -8),
            (2, -4), (3, 2), (1, 6), (6, 9), (2, 14), (5, 17), (10, 21),
            (8, 24), (13, 27), (13, 27), (15, 32), (15, 34), (17, 33), (17, 34),
            (18, 35), (19, 36), (20, 37), (21, 38), (22, 39), (23, 40), (24, 41),
        ];
    }
    Pieces {
        /// A knight where no enemy pawn can attack it, defended by a pawn or not.
        KNIGHT_OUTPOST = [
            (27, 28), (14, 8),
        ];
        /// A bishop there.
        BISHOP_OUTPOST = [
            (27, 12), (8, 0),
        ];
        /// A knight that can go to a defended outpost.
        KNIGHT_NEAR_OUTPOST = [
            (17, 7),
        ];
        /// A knight or bishop right behind a pawn.
        MINOR_BEHIND_PAWN = [
            (5, 7),
        ];
        /// A knight, a bishop for each step that it is away from its king.
        MINOR_FAR_FROM_KING = [
            (-1, -2), (-3, -3),
        ];
        /// A bishop, for each own pawn on squares of its colour.
        BISHOP_PAWNS = [
            (-5, -9),
        ];
        /// The same again for each own blocked pawn in the centre.
        BISHOP_BLOCKED_CENTRE = [
            (0, -3),
        ];
        /// A bishop that looks through the centre with only pawns in the way.
        LONG_DIAGONAL = [
            (15, 0),
        ];
        /// A rook on a file without pawns, without own pawns.
        ROOK_FILE = [
            (32, 11), (9, 9),
        ];
        /// A rook on the seventh rank, with the king behind or pawns beside it.
        ROOK_SEVENTH = [
            (7, 13),
        ];
        /// A rook shut in by its own king.
        ROOK_SHUT_IN = [
            (2, -10),
        ];
        /// A queen in line with an enemy bishop or rook, with one piece between.
        QUEEN_IN_LINE = [
            (-18, -9),
        ];
    }
    Passed {
        /// A passed pawn, by rank.
        PASSED = [
            (0, 0), (-1, 6), (4, 16), (4, 33), (20, 63), (61, 78), (99, 96), (0, 0),
        ];
        /// The next square is empty, by rank.
        PASSED_FREE = [
            (0, 0), (-3, 1), (0, 6), (2, 12), (9, 28), (14, 35), (30, 69), (0, 0),
        ];
        /// The next square is empty and not attacked, by rank.
        PASSED_SAFE_STEP = [
            (0, 0), (-2, 2), (-2, 5), (4, 11), (8, 16), (14, 30), (24, 40), (0, 0),
        ];
        /// No square as far as the last rank is attacked or held by the enemy, by rank.
        PASSED_SAFE_WAY = [
            (0, 0), (0, 3), (-1, 4), (4, 14), (9, 24), (17, 40), (29, 56), (0, 0),
        ];
        /// The next square is defended, by rank.
        PASSED_HELPED = [
            (0, 0), (-3, -1), (0, 4), (3, 8), (5, 11), (13, 20), (21, 25), (0, 0),
        ];
        /// Steps of the enemy's king to the square in front, times the weight of the rank.
        PASSED_ENEMY_KING = [
            (-7, -11), (-3, -15), (1, -5), (-2, 2), (-3, 13), (-1, 15), (4, 18), (0, 13),
        ];
        /// Steps of the own king to the square in front, times the weight of the rank.
        PASSED_OWN_KING = [
            (0, 3), (1, 10), (3, 0), (0, -2), (0, -2), (-4, -6), (-4, -5), (-7, 0),
        ];
        /// An own rook, an enemy rook behind it.
        PASSED_ROOK_BEHIND = [
            (5, 12), (-7, -16),
        ];
        /// Neither the king nor anything else can catch it.
        PASSED_UNSTOPPABLE = [
            (0, 297),
        ];
    }
    Threats {
        /// A pawn attacks a knight, bishop, rook, queen.
        THREAT_BY_PAWN = [
            (57, 31), (56, 36), (69, 30), (62, 30),
        ];
        /// A pawn could attack a piece with one step.
        THREAT_BY_PUSH = [
            (17, 10),
        ];
        /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
        THREAT_BY_MINOR = [
            (2, 21), (12, 21), (29, 20), (47, 24), (45, 31),
        ];
        /// A rook attacks a pawn, knight, bishop, rook, queen.
        THREAT_BY_ROOK = [
            (3, 18), (24, 28), (22, 24), (4, 10), (43, 16),
        ];
        /// The king attacks something that is not defended well.
        THREAT_BY_KING = [
            (15, 42),
        ];
        /// Attacked and not defended.
        HANGING = [
            (23, 22),
        ];
        /// A square that the enemy attacks, but not well, and that is attacked by us.
        RESTRICTED = [
            (2, 0),
        ];
        /// A knight, a bishop or rook could attack the queen from a safe square.
        THREAT_ON_QUEEN = [
            (6, 6), (18, 8),
        ];
    }
    King {
        /// The rearmost own pawn in front of the king by rank (0: none), on the files by their distance from the edge.
        SHELTER = [
            (-2, 3), (32, -7), (34, 1), (12, -5), (12, -1), (10, -1), (0, 0),
            (-20, 5), (28, -2), (13, -3), (-12, 1), (-10, -5), (-7, 0), (-10, -1),
            (-16, 2), (36, -4), (10, 1), (-3, -4), (11, 4), (2, -1), (-10, 0),
            (-23, 0), (12, 3), (-4, 3), (-17, 3), (-11, 1), (-23, -2), (-29, 1),
        ];
        /// The rearmost enemy pawn in front of the king by rank (0: none): free to advance.
        STORM = [
            (-5, 0), (21, 2), (-42, 3), (-14, 3), (-11, 0), (-3, -7), (-5, -1),
        ];
        /// The same, blocked by an own pawn.
        STORM_BLOCKED = [
            (0, 0), (0, 0), (-29, -16), (-3, -2), (1, 2), (4, 0), (2, 2),
        ];
        /// Danger: with or without an enemy queen, to begin with.
        DANGER_BASE = [
            (57, 0), (-655, 0),
        ];
        /// Danger: for each knight, bishop, rook, queen that attacks the ring around the king.
        DANGER_ATTACKER = [
            (90, 10), (71, 10), (61, 10), (47, 10),
        ];
        /// Danger: for each attack on a square next to the king.
        DANGER_ATTACK = [
            (45, 7),
        ];
        /// Danger: for each weak square of the ring.
        DANGER_WEAK = [
            (108, 11),
        ];
        /// Danger: checks by knight, bishop, rook, queen on safe squares.
        DANGER_SAFE_CHECK = [
            (476, 20), (330, 20), (551, 20), (289, 30),
        ];
        /// Danger: squares from which a knight, bishop, rook checks though it can be taken.
        DANGER_CHECK = [
            (77, 5), (78, 5), (86, 5),
        ];
        /// Danger: for each own piece that shields the king from a slider.
        DANGER_SHIELD = [
            (70, 5),
        ];
        /// Danger: for each attack on the king's wing; for each defence.
        DANGER_WING = [
            (11, 6), (-14, 3),
        ];
        /// Danger: a knight, a bishop next to the king.
        DANGER_DEFENDER = [
            (-62, 0), (-44, 0),
        ];
        /// No pawn at all on the wing of the king.
        WING_WITHOUT_PAWNS = [
            (-12, -46),
        ];
    }
    Space {
        /// A safe square behind or among the own pawns in the centre, times the pieces above four.
        SPACE = [
            (0, -1),
        ];
        /// The right to move.
        TEMPO = [
            (19, 10),
        ];
    }
}
