//! The weights, in centipawns, as `cargo xtask fit-eval` writes them.

use crate::weights::weights;

weights! {
    Material {
        /// What a pawn, knight, bishop, rook and queen is worth.
        MATERIAL = [
            (88, 112), (335, 300), (350, 318), (480, 545), (1010, 985),
        ];
        /// A pawn by square: files a to d (e to h mirror them), from the first rank up.
        PAWN_SQUARES = [
            (0, 0), (0, 0), (0, 0), (0, 0),
            (-12, 4), (6, 4), (-4, 6), (-10, 6),
            (-12, 0), (-4, 2), (0, -2), (4, 0),
            (-14, 8), (-4, 6), (4, -2), (20, -6),
            (-8, 24), (4, 20), (6, 10), (22, 4),
            (8, 62), (20, 64), (32, 52), (38, 44),
            (60, 110), (75, 108), (70, 100), (80, 96),
            (0, 0), (0, 0), (0, 0), (0, 0),
        ];
        /// A knight by square: files a to d (e to h mirror them), from the first rank up.
        KNIGHT_SQUARES = [
            (-70, -40), (-24, -34), (-24, -16), (-14, -10),
            (-26, -26), (-18, -12), (-4, -4), (2, 2),
            (-20, -16), (0, 0), (10, 8), (16, 18),
            (-12, -8), (4, 6), (16, 20), (20, 26),
            (-4, -6), (14, 10), (28, 22), (34, 28),
            (-18, -14), (18, 2), (36, 18), (46, 20),
            (-40, -26), (-20, -10), (20, -2), (22, 6),
            (-110, -60), (-60, -36), (-30, -20), (-22, -14),
        ];
        /// A bishop by square: files a to d (e to h mirror them), from the first rank up.
        BISHOP_SQUARES = [
            (-12, -18), (0, -10), (-8, -10), (-10, -4),
            (8, -12), (16, -8), (14, -2), (4, 2),
            (4, -6), (14, 2), (14, 8), (10, 12),
            (0, -4), (6, 6), (8, 12), (22, 14),
            (-4, 0), (4, 8), (14, 10), (26, 14),
            (-4, 2), (12, 2), (16, 6), (18, 4),
            (-18, -6), (2, -2), (-4, 2), (-6, 0),
            (-26, -12), (-14, -12), (-28, -8), (-26, -6),
        ];
        /// A rook by square: files a to d (e to h mirror them), from the first rank up.
        ROOK_SQUARES = [
            (-14, -6), (-8, -4), (4, 0), (12, -4),
            (-28, -6), (-12, -6), (-6, -2), (-4, -4),
            (-26, -4), (-12, 0), (-8, -4), (-6, -4),
            (-22, 4), (-12, 4), (-8, 4), (-2, 0),
            (-14, 6), (-6, 4), (4, 6), (8, 2),
            (-4, 8), (10, 8), (12, 6), (16, 4),
            (16, 14), (16, 14), (28, 10), (32, 6),
            (14, 12), (12, 10), (10, 12), (16, 8),
        ];
        /// A queen by square: files a to d (e to h mirror them), from the first rank up.
        QUEEN_SQUARES = [
            (-10, -24), (-14, -22), (-8, -18), (4, -14),
            (-16, -18), (-4, -20), (6, -14), (4, -8),
            (-8, -8), (2, 2), (-2, 14), (-2, 14),
            (-8, 0), (-6, 18), (-4, 24), (-4, 34),
            (-8, 8), (-8, 22), (0, 28), (2, 38),
            (4, -4), (4, 8), (12, 24), (16, 34),
            (-6, -4), (-22, 16), (2, 24), (2, 32),
            (-8, 0), (4, 10), (14, 14), (16, 16),
        ];
        /// A king by square: files a to d (e to h mirror them), from the first rank up.
        KING_SQUARES = [
            (16, -52), (34, -34), (6, -20), (-12, -22),
            (12, -30), (10, -10), (-14, 2), (-34, 6),
            (-20, -22), (-10, -2), (-30, 10), (-45, 18),
            (-40, -18), (-30, 4), (-45, 20), (-65, 26),
            (-40, -12), (-30, 14), (-40, 24), (-60, 28),
            (-30, -6), (-20, 18), (-30, 22), (-50, 22),
            (-30, -24), (-20, 6), (-30, 10), (-50, 10),
            (-40, -60), (-20, -34), (-30, -20), (-50, -14),
        ];
        /// Two bishops.
        BISHOP_PAIR = [
            (30, 50),
        ];
        /// A knight, for each own pawn above or below five.
        KNIGHT_PER_PAWN = [
            (4, 4),
        ];
        /// A rook, for each own pawn above or below five.
        ROOK_PER_PAWN = [
            (-6, -4),
        ];
        /// The right to castle, on each wing.
        CASTLING_RIGHT = [
            (12, 0),
        ];
    }
    Pawns {
        /// No neighbour: with an enemy pawn in front on its file, without.
        ISOLATED = [
            (-6, -10), (-14, -16),
        ];
        /// Another own pawn in front of it: defended or not.
        DOUBLED = [
            (-4, -14), (-10, -26),
        ];
        /// No neighbour beside or behind, and its way is guarded by an enemy pawn: file closed, open.
        BACKWARD = [
            (-5, -8), (-14, -14),
        ];
        /// A neighbour at its side, by rank.
        PHALANX = [
            (0, 0), (4, 0), (9, 4), (14, 10), (30, 30), (60, 80), (0, 0), (0, 0),
        ];
        /// Defended by a pawn, by rank.
        DEFENDED = [
            (0, 0), (0, 0), (12, 8), (10, 8), (14, 16), (28, 36), (0, 0), (0, 0),
        ];
        /// Not passed yet, but with helpers enough, by rank.
        CANDIDATE = [
            (0, 0), (0, 4), (2, 6), (6, 14), (16, 28), (30, 50), (0, 0), (0, 0),
        ];
        /// Blocked by an enemy pawn on the fifth or sixth rank.
        RAM = [
            (-4, -4), (0, 2),
        ];
    }
    Mobility {
        /// A knight by the number of squares that it reaches.
        KNIGHT_MOBILITY = [
            (-40, -50), (-28, -32), (-10, -18), (-2, -6), (3, 4), (7, 10), (12, 13), (17, 15),
            (22, 14),
        ];
        /// A bishop.
        BISHOP_MOBILITY = [
            (-35, -50), (-22, -30), (-8, -16), (0, -8), (6, 2), (11, 8), (16, 13),
            (20, 17), (23, 20), (25, 22), (28, 24), (31, 24), (34, 26), (36, 28),
        ];
        /// A rook.
        ROOK_MOBILITY = [
            (-40, -60), (-24, -36), (-14, -18), (-8, -8), (-5, 0), (-2, 6), (0, 12), (3, 17),
            (6, 22), (9, 26), (12, 30), (14, 33), (17, 35), (20, 36), (22, 36),
        ];
        /// A queen.
        QUEEN_MOBILITY = [
            (-25, -45), (-18, -40), (-12, -34), (-9, -28), (-6, -22), (-4, -16), (-2, -9),
            (0, -3), (1, 2), (3, 6), (5, 10), (6, 14), (8, 18), (9, 21),
            (10, 24), (12, 26), (13, 28), (14, 30), (15, 32), (16, 33), (17, 34),
            (18, 35), (19, 36), (20, 37), (21, 38), (22, 39), (23, 40), (24, 41),
        ];
    }
    Pieces {
        /// A knight where no enemy pawn can attack it, defended by a pawn or not.
        KNIGHT_OUTPOST = [
            (32, 22), (10, 6),
        ];
        /// A bishop there.
        BISHOP_OUTPOST = [
            (22, 10), (6, 2),
        ];
        /// A knight that can go to a defended outpost.
        KNIGHT_NEAR_OUTPOST = [
            (12, 8),
        ];
        /// A knight or bishop right behind a pawn.
        MINOR_BEHIND_PAWN = [
            (6, 4),
        ];
        /// A knight, a bishop for each step that it is away from its king.
        MINOR_FAR_FROM_KING = [
            (-3, -2), (-3, -1),
        ];
        /// A bishop, for each own pawn on squares of its colour.
        BISHOP_PAWNS = [
            (-2, -5),
        ];
        /// The same again for each own blocked pawn in the centre.
        BISHOP_BLOCKED_CENTRE = [
            (-1, -2),
        ];
        /// A bishop that looks through the centre with only pawns in the way.
        LONG_DIAGONAL = [
            (14, 4),
        ];
        /// A rook on a file without pawns, without own pawns.
        ROOK_FILE = [
            (34, 16), (14, 12),
        ];
        /// A rook on the seventh rank, with the king behind or pawns beside it.
        ROOK_SEVENTH = [
            (8, 18),
        ];
        /// A rook shut in by its own king.
        ROOK_SHUT_IN = [
            (-34, -10),
        ];
        /// A queen in line with an enemy bishop or rook, with one piece between.
        QUEEN_IN_LINE = [
            (-16, -8),
        ];
    }
    Passed {
        /// A passed pawn, by rank.
        PASSED = [
            (0, 0), (2, 8), (4, 12), (4, 22), (22, 46), (60, 90), (110, 150), (0, 0),
        ];
        /// The next square is empty, by rank.
        PASSED_FREE = [
            (0, 0), (0, 2), (0, 4), (2, 8), (8, 22), (14, 40), (30, 70), (0, 0),
        ];
        /// The next square is empty and not attacked, by rank.
        PASSED_SAFE_STEP = [
            (0, 0), (0, 2), (0, 4), (4, 8), (8, 14), (14, 26), (24, 40), (0, 0),
        ];
        /// No square as far as the last rank is attacked or held by the enemy, by rank.
        PASSED_SAFE_WAY = [
            (0, 0), (0, 2), (0, 4), (4, 10), (8, 20), (16, 36), (30, 60), (0, 0),
        ];
        /// The next square is defended, by rank.
        PASSED_HELPED = [
            (0, 0), (0, 0), (0, 2), (2, 4), (6, 10), (12, 16), (20, 24), (0, 0),
        ];
        /// Steps of the enemy's king to the square in front, times the weight of the rank.
        PASSED_ENEMY_KING = [
            (0, 0), (-2, -6), (-1, -2), (0, 2), (1, 6), (1, 8), (1, 9), (1, 9),
        ];
        /// Steps of the own king to the square in front, times the weight of the rank.
        PASSED_OWN_KING = [
            (0, 0), (0, 6), (0, 4), (0, 1), (0, -1), (0, -3), (0, -4), (0, -4),
        ];
        /// An own rook, an enemy rook behind it.
        PASSED_ROOK_BEHIND = [
            (6, 14), (-6, -14),
        ];
        /// Neither the king nor anything else can catch it.
        PASSED_UNSTOPPABLE = [
            (0, 300),
        ];
    }
    Threats {
        /// A pawn attacks a knight, bishop, rook, queen.
        THREAT_BY_PAWN = [
            (50, 30), (55, 36), (70, 30), (60, 30),
        ];
        /// A pawn could attack a piece with one step.
        THREAT_BY_PUSH = [
            (16, 12),
        ];
        /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
        THREAT_BY_MINOR = [
            (4, 14), (24, 18), (26, 20), (50, 24), (44, 30),
        ];
        /// A rook attacks a pawn, knight, bishop, rook, queen.
        THREAT_BY_ROOK = [
            (2, 16), (20, 24), (20, 24), (4, 10), (44, 16),
        ];
        /// The king attacks something that is not defended well.
        THREAT_BY_KING = [
            (14, 40),
        ];
        /// Attacked and not defended.
        HANGING = [
            (36, 20),
        ];
        /// A square that the enemy attacks, but not well, and that is attacked by us.
        RESTRICTED = [
            (4, 4),
        ];
        /// A knight, a bishop or rook could attack the queen from a safe square.
        THREAT_ON_QUEEN = [
            (10, 8), (22, 8),
        ];
    }
    King {
        /// The rearmost own pawn in front of the king by rank (0: none), on the files by their distance from the edge.
        SHELTER = [
            (-8, 0), (34, -4), (36, 0), (22, 0), (16, 0), (8, 0), (0, 0),
            (-26, 0), (24, -2), (16, 0), (-10, 0), (-8, 0), (-6, 0), (-10, 0),
            (-12, 0), (30, -2), (12, 0), (0, 0), (6, 0), (2, 0), (-10, 0),
            (-26, 0), (6, 0), (-4, 0), (-14, 0), (-12, 0), (-20, 0), (-30, 0),
        ];
        /// The rearmost enemy pawn in front of the king by rank (0: none): free to advance.
        STORM = [
            (0, 0), (20, 0), (-40, 0), (-28, 0), (-14, 0), (-6, 0), (0, 0),
        ];
        /// The same, blocked by an own pawn.
        STORM_BLOCKED = [
            (0, 0), (0, 0), (-24, -12), (-4, -6), (0, 0), (2, 2), (2, 2),
        ];
        /// Danger: with or without an enemy queen, to begin with.
        DANGER_BASE = [
            (60, 0), (-700, 0),
        ];
        /// Danger: for each knight, bishop, rook, queen that attacks the ring around the king.
        DANGER_ATTACKER = [
            (90, 10), (70, 10), (60, 10), (50, 10),
        ];
        /// Danger: for each attack on a square next to the king.
        DANGER_ATTACK = [
            (60, 6),
        ];
        /// Danger: for each weak square of the ring.
        DANGER_WEAK = [
            (110, 10),
        ];
        /// Danger: checks by knight, bishop, rook, queen on safe squares.
        DANGER_SAFE_CHECK = [
            (500, 20), (380, 20), (600, 20), (450, 30),
        ];
        /// Danger: squares from which a knight, bishop, rook checks though it can be taken.
        DANGER_CHECK = [
            (80, 5), (80, 5), (80, 5),
        ];
        /// Danger: for each own piece that shields the king from a slider.
        DANGER_SHIELD = [
            (70, 5),
        ];
        /// Danger: for each attack on the king's wing; for each defence.
        DANGER_WING = [
            (14, 1), (-8, 0),
        ];
        /// Danger: a knight, a bishop next to the king.
        DANGER_DEFENDER = [
            (-60, 0), (-40, 0),
        ];
        /// No pawn at all on the wing of the king.
        WING_WITHOUT_PAWNS = [
            (-12, -40),
        ];
    }
    Space {
        /// A safe square behind or among the own pawns in the centre, times the pieces above four.
        SPACE = [
            (1, 0),
        ];
        /// The right to move.
        TEMPO = [
            (20, 16),
        ];
    }
}
