//! The parameters of the search: every number that a tuner may change.
//! A parameter is read as `group::name()`. In normal builds that is a constant; with the cargo
//! feature `tune` it can be set within its range.

#[macro_use]
mod declaration;

pub use declaration::Param;
use declaration::conditions;

params! {
    /// Time management, which the engine reads before a search and after each iteration. Shares are
    /// in percent.
    time_management {
        /// The moves that a game lasts, when the GUI does not send `movestogo`: those that are left
        /// share the remaining time. Games are longer, but scores fall most between moves 10 and 35...
        expected_moves = 40 in 10..=80;
        /// ...and at least as many as this share it...
        min_expected_moves = 12 in 5..=60;
        /// ...or, without an increment to live on in a long game, as this.
        min_expected_moves_sudden_death = 24 in 5..=60;
        /// The moves that share the remaining time when there are more until the time control.
        max_moves_to_go = 40 in 20..=60;
        /// The share of a move's time after which no iteration begins. An iteration takes about as
        /// long as all before it together, so that the time is used on average.
        soft_limit = 75 in 30..=150;
        /// The longest time that a move may take, in shares of the time per move...
        hard_limit = 500 in 150..=1000;
        /// ...and of the remaining time; the rest is a reserve for delays of the system...
        max_of_clock = 40 in 10..=60;
        /// ...or for the last move of a time control.
        max_for_last_move = 80 in 50..=90;
        /// The factor of the soft limit when the best move has just changed.
        stability_0 = 180 in 60..=250;
        /// The factor after one more iteration with the same best move...
        stability_1 = 140 in 60..=250;
        /// ...after two...
        stability_2 = 115 in 60..=250;
        /// ...three...
        stability_3 = 100 in 40..=250;
        /// ...four...
        stability_4 = 90 in 40..=250;
        /// ...five...
        stability_5 = 80 in 40..=250;
        /// ...and from six on.
        stability_6 = 75 in 40..=250;
        /// The factor if no nodes were searched below the best move.
        effort_base = 150 in 100..=250;
        /// The decrease of that factor if all nodes were searched below it.
        effort_slope = 80 in 0..=200;
        /// The fall of the score in centipawns that doubles the time, were it not limited.
        trend_centipawns = 120 in 10..=500;
        /// The factor for a rising score, at least.
        min_trend = 85 in 40..=100;
        /// The factor for a falling score, at most.
        max_trend = 140 in 100..=250;
    }

    /// Aspiration windows, in centipawns.
    aspiration {
        /// The least depth of an iteration with a narrow window.
        min_depth = 4 in 2..=10;
        /// Half the width of the first window.
        margin = 14 in 5..=100;
        /// The growth of the window after a fail high or low, in percent.
        growth = 67 in 10..=300;
        /// The largest half-width; beyond it the window is full.
        max_margin = 500 in 100..=2000;
        /// The largest reduction of the depth after fail highs, in plies.
        max_depth_reduction = 3 in 0..=6;
    }

    /// Path-dependent draws: plies, and shares of the nodes.
    path {
        /// The greatest ply at which a repetition may be settled by a second search.
        max_second_search_ply = 60 in 0..=240;
        /// The share of the nodes that may lie below refused table scores, in percent.
        max_refused_percent = 50 in 0..=100;
    }

    /// The transposition table.
    tt {
        /// The halfmove clock from which on table scores end no nodes.
        max_halfmove_clock = 90 in 50..=100;
        /// The history bonus of a quiet table move at a table cutoff, for each ply of depth.
        bonus_slope = 60 in 0..=400;
        /// The largest such bonus, and malus.
        max_bonus = 600 in 100..=2000;
    }

    /// Correction histories: weights in centipawns for an entry at its limit.
    correction {
        /// The weight of the pawns.
        pawn = 31 in 0..=100;
        /// The weight of the minor pieces.
        minor = 21 in 0..=100;
        /// The weight of the non-pawns of each side.
        non_pawn = 35 in 0..=100;
        /// The weight of the last two moves.
        continuation = 38 in 0..=100;
        /// The bonus for each centipawn of difference and ply of depth, in 64ths.
        slope = 33 in 4..=128;
        /// The largest bonus of one update.
        max_bonus = 252 in 64..=512;
    }

    /// Static evaluation.
    evaluation {
        /// The scale on an empty board, in 1024ths.
        material_base = 930 in 512..=1024;
        /// The increase of the scale for each pawn's value of material of both sides, in 1024ths.
        material_slope = 4 in 0..=8;
        /// The halfmove clock at which the evaluation would be scaled down to 0.
        damping = 233 in 150..=400;
        /// The history bonus of a quiet move for each 64 centipawns of its change of evaluation.
        difference_slope = 345 in 0..=1024;
        /// The largest such bonus, and malus.
        difference_max_bonus = 1080 in 100..=4000;
    }

    /// Hindsight reductions.
    hindsight {
        /// The least reduction after which depth may be increased by a ply, in 1024ths of a ply.
        deepen_from = 2753 in 1024..=6144;
        /// The least reduction after which depth may be reduced by a ply, in 1024ths of a ply.
        reduce_from = 1683 in 1024..=6144;
        /// Depth is reduced if the sum of both sides' evaluations exceeds this many centipawns.
        margin = 53 in 0..=300;
    }

    /// Razoring.
    razoring {
        /// The largest depth.
        max_depth = 4 in 1..=10 if razoring;
        /// Centipawns below alpha.
        base = 200 in 0..=800 if razoring;
        /// Centipawns more for each square of the depth.
        slope = 100 in 0..=500 if razoring;
    }

    /// Reverse futility pruning.
    reverse_futility {
        /// The largest depth.
        max_depth = 10 in 3..=16;
        /// Centipawns above beta for each ply of depth.
        margin = 74 in 20..=200;
        /// Centipawns less if the side to move is improving.
        improving = 58 in 0..=200;
        /// Centipawns more for each centipawn of correction, in 64ths.
        correction = 34 in 0..=128;
    }

    /// Null move pruning.
    null_move {
        /// The least depth.
        min_depth = 3 in 1..=8;
        /// The base reduction in plies.
        base = 4 in 1..=7;
        /// Plies of depth for one ply of reduction.
        depth_divisor = 3 in 2..=8;
        /// Centipawns above beta for one ply of reduction.
        eval_divisor = 193 in 50..=400;
        /// The largest reduction by evaluation, in plies.
        max_eval_reduction = 3 in 1..=8;
        /// The static evaluation must reach beta - `static_slope` * depth + `static_base`.
        static_slope = 8 in 0..=40;
        /// See `static_slope`.
        static_base = 72 in 0..=300;
        /// The least depth at which a cutoff is verified.
        verification_min_depth = 14 in 8..=30;
    }

    /// ProbCut.
    probcut {
        /// The least depth.
        min_depth = 5 in 3..=8;
        /// Centipawns above beta.
        margin = 199 in 50..=400;
        /// Centipawns less if the side to move is improving.
        improving = 40 in 0..=150;
        /// The reduction of the search in plies.
        reduction = 4 in 2..=6;
        /// Centipawns above beta at which a table score is sufficient.
        small_margin = 399 in 150..=800;
    }

    /// Internal iterative reduction.
    internal_iterative_reduction {
        /// The least depth.
        min_depth = 4 in 2..=8;
    }

    /// Move ordering: weights in 1024ths.
    ordering {
        /// The weight of the quiet history.
        quiet = 1781 in 0..=4096;
        /// The weight of the pawn history.
        pawn = 906 in 0..=4096;
        /// The weight of the continuation history of the move 1 ply ago.
        continuation_1 = 1323 in 0..=4096;
        /// The weight of the continuation history of the move 2 plies ago.
        continuation_2 = 1175 in 0..=4096;
        /// The weight of the continuation history of the move 4 plies ago.
        continuation_4 = 618 in 0..=4096;
        /// The weight of the continuation history of the move 6 plies ago.
        continuation_6 = 515 in 0..=4096;
        /// The bonus of a piece that leaves the attacks of lesser pieces and the malus of one that
        /// enters them, for each centipawn of its value.
        threat = 30000 in 0..=131072 if threat_ordering;
        /// The bonus of a quiet move that gives check.
        check = 12000 in 0..=40000 if check_ordering;
        /// The weight of the captured material, for each centipawn.
        victim = 20285 in 4096..=65536;
        /// The share of its ordering score that a good capture may lose, in 1024ths.
        good_noisy = 8 in 0..=64;
    }

    /// Late move pruning.
    late_move_pruning {
        /// The largest depth.
        max_depth = 9 in 3..=16;
        /// The least number of moves that are searched, before depth squared is added.
        base = 4 in 1..=10;
    }

    /// Futility pruning of quiet moves, in centipawns.
    futility {
        /// The largest depth after reduction.
        max_depth = 10 in 3..=14;
        /// At any depth.
        base = 6 in 0..=300;
        /// For each ply of depth after reduction.
        slope = 45 in 20..=250;
    }

    /// Futility pruning of captures, in centipawns.
    capture_futility {
        /// The largest depth after reduction.
        max_depth = 6 in 2..=12;
        /// At any depth.
        base = 230 in 0..=500;
        /// For each ply of depth after reduction.
        slope = 183 in 20..=400;
        /// For a full history of captures.
        history = 182 in 0..=500;
    }

    /// Pruning of quiet moves by history.
    history_pruning {
        /// The largest depth after reduction.
        max_depth = 5 in 2..=10;
        /// The history score below which a move is pruned, negated, for each ply of depth.
        slope = 4500 in 500..=8000;
    }

    /// Pruning by static exchange evaluation (SEE), in centipawns.
    see_pruning {
        /// The loss that a quiet move may have, times the square of the depth after reduction.
        quiet = 19 in 5..=80;
        /// The loss that a capture may have for each ply of depth.
        noisy = 80 in 20..=250;
        /// The change of that loss for a capture history at its limit.
        history = 98 in 0..=400;
    }

    /// Singular extensions.
    singular {
        /// The least depth.
        min_depth = 7 in 4..=12;
        /// Plies by which the depth of the table entry may be less.
        tt_depth = 3 in 1..=6;
        /// The margin below the table's score in centipawns for each ply of depth, in 64ths.
        margin = 60 in 16..=320;
        /// Added to the margin if the position was on the principal variation.
        tt_pv = 35 in 0..=200;
        /// Centipawns below the margin for a second ply.
        double = 16 in 0..=100;
        /// Centipawns below the margin for a third ply.
        triple = 86 in 20..=400;
        /// The largest number of double extensions on a line.
        max_double_extensions = 12 in 0..=40;
        /// Centipawns below alpha of the static evaluation, for nodes of less than the least depth.
        low_depth_margin = 25 in 0..=150 if low_depth_extension;
    }

    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// The least depth.
        min_depth = 2 in 2..=6;
        /// The base reduction.
        base = 1036 in 0..=2048;
        /// The factor of the product of the logarithms of depth and move number.
        slope = 527 in 200..=1000;
        /// Less in PV nodes.
        pv = 831 in 0..=2048;
        /// Less if the position was on the principal variation.
        tt_pv = 636 in 0..=2048;
        /// More in cut nodes.
        cut_node = 1175 in 0..=4096;
        /// More if the table move is a capture or promotion.
        noisy_tt_move = 791 in 0..=2048;
        /// More if the side to move is not improving.
        not_improving = 575 in 0..=2048;
        /// Less for a killer.
        killer = 551 in 0..=2048;
        /// Less for a move that gives check.
        check = 1362 in 0..=2048;
        /// Less for a move that escapes the threat of the refuted null move.
        escapes_threat = 993 in 0..=2048 if null_move_threat;
        /// More if there were many beta cutoffs at the next ply.
        cutoff_count = 500 in 0..=2048;
        /// Less for each centipawn of correction, in 64ths.
        correction = 308 in 0..=1024;
        /// Less for the best history score of a quiet move, more for the worst.
        quiet_history = 4841 in 0..=8192;
        /// Less for the best capture history, more for the worst.
        noisy_history = 1183 in 0..=4096;
        /// A re-search is a ply deeper if the score exceeds the best by this many centipawns.
        deeper_margin = 58 in 10..=200;
        /// A re-search is a ply shallower if the score exceeds the best by fewer centipawns.
        shallower_margin = 13 in 0..=50;
    }

    /// Table moves that are deferred while another thread searches them.
    deferred_move {
        /// The least depth.
        min_depth = 6 in 2..=14;
    }

    /// Quiescence search, in centipawns.
    quiescence {
        /// The margin of a capture besides its victim.
        futility = 149 in 50..=400;
        /// The number of moves after which the others are skipped.
        move_count = 3 in 1..=8;
    }

    /// History updates.
    history {
        /// The bonus for each ply of depth.
        slope = 209 in 50..=400;
        /// Subtracted from the bonus.
        offset = 65 in 0..=400;
        /// The bonus is that of a ply more if the score exceeds beta by this many centipawns.
        above_beta_margin = 40 in 0..=200 if bonus_above_beta;
        /// The largest bonus.
        max_bonus = 1887 in 500..=4000;
        /// The malus for each ply of depth.
        malus_slope = 181 in 50..=600;
        /// Subtracted from the malus.
        malus_offset = 44 in 0..=400;
        /// The largest malus.
        max_malus = 1234 in 500..=4000;
        /// The share of the bonus for a move whose replies all failed, in percent.
        prior_move_percent = 66 in 0..=200;
        /// The continuation history bonus after the re-search of a reduced move, for each ply of
        /// depth.
        second_search = 134 in 0..=400;
    }
}

#[cfg(test)]
mod tests;
