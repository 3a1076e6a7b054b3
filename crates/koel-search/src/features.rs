//! The switches of the search: every technique that can be turned off.
//! A switch is read as `features::name()`. In normal builds that is a constant, and what is off is
//! not compiled; with the cargo feature `ablate` it can be set at run time.

/// A switch of the search.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// The name, that of the step or technique.
    pub name: &'static str,
    /// True if it is on in normal builds.
    pub default: bool,
    /// The current setting.
    #[cfg(feature = "ablate")]
    switch: &'static std::sync::atomic::AtomicBool,
}

#[cfg(feature = "ablate")]
impl Feature {
    /// Turns it on or off for searches that begin later.
    pub fn set(&self, is_on: bool) {
        self.switch.store(is_on, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Runs a classic step, in builds with switches alone. With `or` it is a value, and other builds have
/// the second one.
macro_rules! classic {
    ($step:expr) => {
        #[cfg(feature = "ablate")]
        {
            $step;
        }
    };
    ($value:expr, or $other:expr) => {{
        #[cfg(feature = "ablate")]
        let value = $value;
        #[cfg(not(feature = "ablate"))]
        let value = $other;
        value
    }};
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

        /// All switches.
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
    /// Alpha is raised to a draw if the side to move can repeat.
    upcoming_repetition = true;
    /// Nodes without progress are reduced by a ply.
    no_progress_reduction = false;
    /// Draw scores vary by ±1 with the node count.
    draw_variation = true;
    /// The window is narrowed by the distance to the nearest possible mate.
    mate_distance_pruning = true;
    /// Table scores of sufficient depth end non-PV nodes.
    tt_cutoff = true;
    /// Path-dependent scores are marked in the table, and accepted as the policy says.
    path_dependence = true;
    /// The table key depends on the halfmove clock near the fifty-move rule.
    clock_in_key = true;
    /// A quiet table move that causes a table cutoff gets a history bonus.
    tt_move_bonus = true;
    /// A quiet table move that causes a table cutoff becomes a killer move.
    tt_killer = false;
    /// Table entries that cause a cutoff belong to the present search afterwards.
    tt_refresh = false;
    /// Endgame tables are probed at inner nodes, if there are any.
    tablebases = true;
    /// Nodes with a mate in one end at once.
    mate_in_one = false;
    /// The static evaluation is corrected by the correction histories.
    correction_history = true;
    /// Table scores replace the static evaluation where their bound contradicts it.
    tt_evaluation = true;
    /// The static evaluation is scaled down with little material.
    material_scaling = true;
    /// The static evaluation is scaled down as the halfmove clock grows.
    fifty_move_damping = true;
    /// The history of a quiet move is updated by its change of static evaluation.
    evaluation_difference = true;
    /// Depth is adjusted by the reduction of the last move and the evaluation after it.
    hindsight = true;
    /// Shallow nodes far below alpha that no capture helps are cut.
    razoring = false;
    /// Shallow nodes far above beta are cut.
    reverse_futility = true;
    /// Nodes where a null move search reaches beta are cut.
    null_move = true;
    /// Deep null move cutoffs are verified by a search without null moves.
    null_move_verification = true;
    /// Moves that escape the threat of the refuted null move are reduced less.
    null_move_threat = false;
    /// A reduced move that permitted the threat of a refuted null move is searched again.
    null_move_threat_permitted = false;
    /// Nodes where a capture is far above beta in a shallower search are cut.
    probcut = true;
    /// Nodes whose table score is far above beta are cut.
    small_probcut = true;
    /// Nodes without a table move are searched less deep first, to find one.
    internal_iterative_deepening = false;
    /// Nodes without a table move are reduced.
    internal_iterative_reduction = true;
    /// Killer moves are searched before other quiet moves.
    killers = true;
    /// Quiet moves are ordered and reduced by the quiet history.
    quiet_history = true;
    /// Quiet moves are ordered, pruned and reduced by the continuation histories.
    continuation_history = true;
    /// Quiet moves are ordered by the pawn history.
    pawn_history = true;
    /// Moves away from attacks by lesser pieces are searched early, moves into them late.
    threat_ordering = true;
    /// Quiet moves that give check are ordered before others.
    check_ordering = true;
    /// Captures are ordered by the capture history besides the victim.
    capture_history = true;
    /// Late quiet moves of shallow nodes are skipped.
    late_move_pruning = true;
    /// Late quiet moves that parry the threat of the refuted null move are not skipped.
    refutes = false;
    /// Quiet moves that cannot reach alpha are skipped.
    futility = true;
    /// The gain of a quiet move in static evaluation, seen before, is added to its futility margin.
    gains = false;
    /// Captures that cannot reach alpha are skipped.
    capture_futility = true;
    /// The depth by which quiet moves are pruned depends on their history, as their reduction does.
    history_in_pruning = true;
    /// Quiet moves with a bad history are skipped.
    history_pruning = true;
    /// Moves that lose material by static exchange evaluation are skipped.
    see_pruning = true;
    /// The table move of an expected cut node is put last while another thread searches it.
    deferred_move = true;
    /// Singular table moves are extended.
    singular_extension = true;
    /// Singular moves are extended by two or three plies if all others fail by far.
    double_extension = true;
    /// Nodes where other moves than the table move reach beta too are cut.
    multicut = true;
    /// Table moves that are not singular are reduced in some nodes.
    negative_extension = true;
    /// Table moves of shallow nodes that are far better than the static evaluation are extended.
    low_depth_extension = false;
    /// Checks that lose no material are extended.
    check_extension = false;
    /// Late moves are reduced.
    late_move_reduction = true;
    /// Late moves that history takes more than a ply below no reduction are searched a ply deeper.
    late_move_extension = true;
    /// The depth of a re-search depends on the score of the reduced search.
    deeper_or_shallower = true;
    /// Good captures are reduced in all nodes, not in cut nodes alone.
    noisy_reduction = true;
    /// Moves are reduced more if there were many beta cutoffs at the next ply.
    cutoff_count = true;
    /// Scores above beta are moved towards beta.
    fail_high_softening = true;
    /// In PV nodes moves after the first are searched with a null window first.
    null_window_search = true;
    /// The history bonus grows with the square of the depth.
    quadratic_bonus = false;
    /// The history bonus is larger if the score is far above beta.
    bonus_above_beta = true;
    /// A quiet move gets a history bonus if no reply raised alpha.
    prior_move_bonus = true;
    /// Each iteration begins with an aspiration window.
    aspiration = true;
    /// Captures that cannot reach alpha are skipped in the quiescence search.
    quiescence_futility = true;
    /// After a few moves the others are skipped in the quiescence search.
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
