//! Every idea of the search that can be switched off, once.
//!
//! Each is asked as `features::name()`. In normal builds that is a constant, and what is switched
//! off is not compiled; with the cargo feature `ablate` it is a switch that can be set.

/// A switch of the search.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its name, which is that of the step or idea.
    pub name: &'static str,
    /// Whether normal builds have it.
    pub default: bool,
    /// Where it stands now.
    #[cfg(feature = "ablate")]
    switch: &'static std::sync::atomic::AtomicBool,
}

#[cfg(feature = "ablate")]
impl Feature {
    /// Switches it; searches that begin later see it.
    pub fn set(&self, is_on: bool) {
        self.switch.store(is_on, std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! features {
    ($( $(#[$about:meta])* $name:ident = $default:literal; )*) => {
        $(
            $(#[$about])*
            #[cfg(not(feature = "ablate"))]
            #[inline(always)]
            #[must_use]
            pub const fn $name() -> bool {
                $default
            }

            $(#[$about])*
            #[cfg(feature = "ablate")]
            #[inline(always)]
            #[must_use]
            pub fn $name() -> bool {
                switches::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "ablate")]
        #[expect(non_upper_case_globals, reason = "named after the functions that read them")]
        mod switches {
            use std::sync::atomic::AtomicBool;
            $( pub(super) static $name: AtomicBool = AtomicBool::new($default); )*
        }

        /// All of them.
        pub static ALL: &[Feature] = &[$(
            Feature {
                name: stringify!($name),
                default: $default,
                #[cfg(feature = "ablate")]
                switch: &switches::$name,
            },
        )*];
    };
}

features! {
    /// Alpha is raised to a draw where the side to move can repeat.
    upcoming_repetition = true;
    /// Draws are worth a little more or less by turns.
    draw_variation = true;
    /// A shorter mate found elsewhere settles a node.
    mate_distance_pruning = true;
    /// Table scores end nodes.
    tt_cutoff = true;
    /// What rests on the path is marked in the table, and believed as the policy says.
    path_dependence = true;
    /// The table tells positions near the fifty-move rule from others.
    clock_in_key = true;
    /// A quiet table move that refutes again is rewarded.
    tt_move_bonus = true;
    /// Positions of few pieces are looked up in endgame tables, where there are any.
    tablebases = true;
    /// Mates in one are looked for before anything is searched.
    mate_in_one = false;
    /// Static evaluation is corrected by what searches of like positions found.
    correction_history = true;
    /// Table scores stand in for static evaluation.
    tt_evaluation = true;
    /// Static evaluation counts less where there is little material.
    material_scaling = true;
    /// Static evaluation fades as the fifty-move rule comes near.
    fifty_move_damping = true;
    /// What a quiet move did to static evaluation counts in its history.
    evaluation_difference = true;
    /// The reduction of the move before is judged by what it led to.
    hindsight = true;
    /// Nodes far above beta near the leaves end.
    reverse_futility = true;
    /// If even passing keeps beta, the node ends.
    null_move = true;
    /// Deep null move cutoffs are verified by a search without null moves.
    null_move_verification = true;
    /// Moves that parry what refuted the null move are reduced less.
    null_move_threat = false;
    /// A capture that is far above beta in a shallower search ends the node.
    probcut = true;
    /// The same by the word of the table alone.
    small_probcut = true;
    /// Nodes without a table move are searched less deep.
    internal_iterative_reduction = true;
    /// Quiet moves that refuted a sibling come early.
    killers = true;
    /// Quiet moves are ordered by what they did after the moves before.
    continuation_history = true;
    /// Quiet moves are ordered by what they did among the same pawns.
    pawn_history = true;
    /// Captures are ordered by what they did before, beside what they take.
    capture_history = true;
    /// Late quiet moves near the leaves are skipped.
    late_move_pruning = true;
    /// Quiet moves that cannot reach alpha are skipped.
    futility = true;
    /// The same for captures.
    capture_futility = true;
    /// Quiet moves with a bad history are skipped.
    history_pruning = true;
    /// Moves that lose material in the exchange are skipped.
    see_pruning = true;
    /// A table move without rival is searched deeper.
    singular_extension = true;
    /// Much deeper if it stands out by far.
    double_extension = true;
    /// Two moves that refute end the node.
    multicut = true;
    /// A table move with rivals is searched less deep.
    negative_extension = true;
    /// Checks are searched deeper.
    check_extension = false;
    /// Late moves are searched less deep.
    late_move_reduction = true;
    /// The depth of the second search depends on the result of the first.
    deeper_or_shallower = true;
    /// Nodes whose children were refuted often are reduced more.
    cutoff_count = true;
    /// Scores above beta are drawn towards it.
    fail_high_softening = true;
    /// A move that left the opponent without a good reply is rewarded.
    prior_move_bonus = true;
    /// Each iteration begins with a narrow window.
    aspiration = true;
    /// Captures in quiescence that cannot reach alpha are skipped.
    quiescence_futility = true;
    /// After a few moves of quiescence the others are skipped.
    quiescence_move_count = true;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = ALL.iter().map(|feature| feature.name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
