//! Every number that a tuner may touch, once.
//!
//! Each is read as `group::name()`. In normal builds that is a constant; with the cargo feature
//! `tune` it can be set, and its range says how far.

/// A number of the search, with its range.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The step that reads it.
    pub group: &'static str,
    /// Its name within the step.
    pub name: &'static str,
    /// What it is in normal builds.
    pub value: i32,
    /// What it may be.
    pub range: (i32, i32),
    /// What it is now.
    #[cfg(feature = "tune")]
    current: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Param {
    /// Sets it, within its range; searches that begin later see it.
    pub fn set(&self, value: i32) {
        let value = value.clamp(self.range.0, self.range.1);
        self.current.store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! params {
    ($(
        $(#[$about:meta])*
        $group:ident {
            $( $(#[$meaning:meta])* $name:ident = $value:literal in $low:literal..=$high:literal; )*
        }
    )*) => {
        $(
            $(#[$about])*
            pub mod $group {
                $(
                    $(#[$meaning])*
                    #[cfg(not(feature = "tune"))]
                    #[inline(always)]
                    #[must_use]
                    pub const fn $name() -> i32 {
                        $value
                    }

                    $(#[$meaning])*
                    #[cfg(feature = "tune")]
                    #[inline(always)]
                    #[must_use]
                    pub fn $name() -> i32 {
                        currents::$name.load(std::sync::atomic::Ordering::Relaxed)
                    }

                    const _: () = assert!($low <= $value && $value <= $high);
                )*

                #[cfg(feature = "tune")]
                #[expect(non_upper_case_globals, reason = "named after the functions that read them")]
                pub(super) mod currents {
                    use std::sync::atomic::AtomicI32;
                    $( pub(in crate::params) static $name: AtomicI32 = AtomicI32::new($value); )*
                }
            }
        )*

        /// All of them.
        pub static ALL: &[Param] = &[$($(
            Param {
                group: stringify!($group),
                name: stringify!($name),
                value: $value,
                range: ($low, $high),
                #[cfg(feature = "tune")]
                current: &$group::currents::$name,
            },
        )*)*];
    };
}

params! {
    /// Aspiration windows, in centipawns.
    aspiration {
        /// The first iteration with a narrow window.
        min_depth = 4 in 2..=10;
        /// Half the width of the first window.
        margin = 28 in 5..=100;
        /// By how many percent it grows when the score is outside.
        growth = 67 in 10..=300;
        /// Beyond this half-width the window is full.
        max_margin = 500 in 100..=2000;
        /// The most plies by which an iteration is cut short after scores above the window.
        max_depth_reduction = 3 in 0..=6;
    }

    /// Draws that depend on the path: plies, and shares of the nodes.
    path {
        /// The last ply at which a repetition may be settled by a second search.
        max_second_search_ply = 60 in 0..=240;
        /// Of the nodes, how many percent may lie behind refused scores.
        max_refused_percent = 10 in 0..=100;
    }

    /// The table.
    tt {
        /// From this halfmove clock on a remembered score ends no node.
        max_halfmove_clock = 90 in 50..=100;
        /// The reward of a quiet table move that refutes again, for each ply of depth.
        bonus_slope = 60 in 0..=400;
        /// The largest such reward.
        max_bonus = 600 in 100..=2000;
    }

    /// Corrections of static evaluation: the weights in centipawns for a full gauge.
    correction {
        /// Of the pawns.
        pawn = 31 in 0..=100;
        /// Of the minor pieces.
        minor = 21 in 0..=100;
        /// Of the pieces of either side.
        non_pawn = 35 in 0..=100;
        /// Of the last moves.
        continuation = 38 in 0..=100;
        /// What a centipawn of difference weighs for each ply of depth, in 64ths.
        slope = 33 in 4..=128;
        /// The most that one search changes a gauge.
        max_bonus = 252 in 64..=512;
    }

    /// Static evaluation.
    evaluation {
        /// What is left of it on an empty board, in 1024ths.
        material_base = 762 in 512..=1024;
        /// What each pawn's worth of material, of both sides, adds to that.
        material_slope = 4 in 0..=8;
        /// The halfmove clock at which nothing would be left of it.
        damping = 233 in 150..=400;
        /// The reward of a quiet move for each 64 centipawns that it changed evaluation.
        difference_slope = 345 in 0..=1024;
        /// The largest such reward, and blame.
        difference_max_bonus = 1080 in 100..=4000;
    }

    /// Hindsight: depths are corrected by what a reduction led to.
    hindsight {
        /// The reduction from which on a ply is given back, in 1024ths of a ply.
        deepen_from = 2753 in 1024..=6144;
        /// The reduction from which on one more may be taken.
        reduce_from = 1683 in 1024..=6144;
        /// It is taken if the evaluations of both sides add up to so many centipawns.
        margin = 53 in 0..=300;
    }

    /// Reverse futility pruning.
    reverse_futility {
        /// The deepest depth.
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
        /// The shallowest depth.
        min_depth = 3 in 1..=8;
        /// The reduction in plies that is always made.
        base = 4 in 1..=7;
        /// One ply more for so many plies of depth.
        depth_divisor = 3 in 2..=8;
        /// One ply more for so many centipawns above beta.
        eval_divisor = 193 in 50..=400;
        /// The most plies for what is above beta.
        max_eval_reduction = 3 in 1..=8;
        /// Static evaluation may be so many centipawns below beta for each ply of depth ...
        static_slope = 8 in 0..=40;
        /// ... if it is more than so many above at depth 0.
        static_base = 72 in 0..=300;
        /// The depth from which on a cutoff is verified.
        verification_min_depth = 14 in 8..=30;
    }

    /// ProbCut.
    probcut {
        /// The shallowest depth.
        min_depth = 5 in 3..=8;
        /// Centipawns above beta.
        margin = 199 in 50..=400;
        /// Centipawns less if the side to move is improving.
        improving = 40 in 0..=150;
        /// How much less deep it is searched.
        reduction = 4 in 2..=6;
        /// Centipawns above beta at which the table's word is enough.
        small_margin = 399 in 150..=800;
    }

    /// Internal iterative reduction.
    internal_iterative_reduction {
        /// The shallowest depth.
        min_depth = 4 in 2..=8;
    }

    /// The order of moves: weights in 1024ths.
    ordering {
        /// Of the history of quiet moves.
        quiet = 1781 in 0..=4096;
        /// Of the history by pawn structure.
        pawn = 906 in 0..=4096;
        /// Of the history by the opponent's last move.
        continuation_1 = 1323 in 0..=4096;
        /// Of the history by our last move.
        continuation_2 = 1175 in 0..=4096;
        /// Of the history by our move before that.
        continuation_4 = 618 in 0..=4096;
        /// Of the history by our move before that.
        continuation_6 = 515 in 0..=4096;
        /// Of a captured centipawn.
        victim = 20285 in 4096..=65536;
        /// A capture is good if it loses no more than this share of its order, in 1024ths.
        good_noisy = 8 in 0..=64;
    }

    /// Late move pruning.
    late_move_pruning {
        /// The deepest depth.
        max_depth = 9 in 3..=16;
        /// Moves that are always tried, before depth squared is added.
        base = 4 in 1..=10;
    }

    /// Futility pruning of quiet moves, in centipawns.
    futility {
        /// The deepest depth after reduction.
        max_depth = 10 in 3..=14;
        /// At any depth.
        base = 6 in 0..=300;
        /// For each ply of depth after reduction.
        slope = 62 in 20..=250;
    }

    /// Futility pruning of captures, in centipawns.
    capture_futility {
        /// The deepest depth after reduction.
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
        /// The deepest depth after reduction.
        max_depth = 5 in 2..=10;
        /// How bad the history must be for each ply of depth.
        slope = 2898 in 500..=8000;
    }

    /// Pruning of moves that lose material, in centipawns.
    see_pruning {
        /// What a quiet move may lose for the square of the depth after reduction.
        quiet = 27 in 5..=80;
        /// What a capture may lose for each ply of depth.
        noisy = 105 in 20..=250;
        /// What it may lose more or less for a full history.
        history = 98 in 0..=400;
    }

    /// Singular extensions.
    singular {
        /// The shallowest depth.
        min_depth = 7 in 4..=12;
        /// How much less deep the table's score may be.
        tt_depth = 3 in 1..=6;
        /// The margin below the table's score in centipawns for each ply of depth, in 64ths.
        margin = 104 in 16..=320;
        /// More where the principal variation once was.
        tt_pv = 55 in 0..=200;
        /// Centipawns below the margin for a second ply.
        double = 16 in 0..=100;
        /// Centipawns below the margin for a third ply.
        triple = 86 in 20..=400;
        /// The most plies by which a line is extended twice or more.
        max_double_extensions = 12 in 0..=40;
    }

    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// The shallowest depth.
        min_depth = 2 in 2..=6;
        /// The reduction that is always made.
        base = 1036 in 0..=2048;
        /// What the product of the logarithms of depth and move number is multiplied with.
        slope = 527 in 200..=1000;
        /// Less on the principal variation.
        pv = 831 in 0..=2048;
        /// Less where the principal variation once was.
        tt_pv = 636 in 0..=2048;
        /// More where the node should fail high.
        cut_node = 1175 in 0..=4096;
        /// More where the table move is a capture.
        noisy_tt_move = 791 in 0..=2048;
        /// More where the side to move is not improving.
        not_improving = 575 in 0..=2048;
        /// Less for a killer.
        killer = 551 in 0..=2048;
        /// Less for a move that gives check.
        check = 1362 in 0..=2048;
        /// Less for a move that parries what refuted the null move.
        escapes_threat = 993 in 0..=2048;
        /// More where the children were refuted often.
        cutoff_count = 1047 in 0..=2048;
        /// Less for so many centipawns of correction: 1024ths of a ply for each, in 64ths.
        correction = 308 in 0..=1024;
        /// Less for the best history of quiet moves, more for the worst.
        quiet_history = 4841 in 0..=8192;
        /// The same for captures.
        noisy_history = 1183 in 0..=4096;
        /// A second search is a ply deeper if the first was so many centipawns above the best.
        deeper_margin = 58 in 10..=200;
        /// And a ply less deep if it was less than so many above.
        shallower_margin = 13 in 0..=50;
    }

    /// Moves that other threads are searching are put off.
    abdada {
        /// The shallowest depth.
        min_depth = 6 in 2..=14;
    }

    /// Nodes that other threads are in.
    breadcrumbs {
        /// The shallowest depth.
        min_depth = 6 in 2..=14;
        /// By how much late moves are reduced more, in 1024ths of a ply.
        reduction = 1024 in 0..=3072;
    }

    /// Quiescence, in centipawns.
    quiescence {
        /// What a capture may bring besides its victim.
        futility = 149 in 50..=400;
        /// After so many moves the others are skipped.
        move_count = 3 in 1..=8;
    }

    /// History updates.
    history {
        /// The reward for each ply of depth.
        slope = 209 in 50..=400;
        /// What is taken off that.
        offset = 65 in 0..=400;
        /// The largest reward.
        max_bonus = 1887 in 500..=4000;
        /// The blame for each ply of depth.
        malus_slope = 181 in 50..=600;
        /// What is taken off that.
        malus_offset = 44 in 0..=400;
        /// The largest blame.
        max_malus = 1234 in 500..=4000;
        /// The reward of a move after which nothing was good, in percent.
        prior_move_percent = 66 in 0..=200;
        /// The reward of the replies by the second search of a reduced move, for each ply.
        second_search = 134 in 0..=400;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = ALL.iter().map(|param| (param.group, param.name)).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
