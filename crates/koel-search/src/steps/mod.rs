//! The steps of `search_node` and `quiesce`, one technique a file.

mod check_draw;
mod check_stop;
#[cfg(feature = "switches")]
mod classic;
mod deferred_move;
mod extensions;
mod finish_node;
mod hindsight;
mod internal_iterative_reduction;
mod late_move_reduction;
mod mate_distance_pruning;
mod muller;
mod null_move_pruning;
mod path_dependence;
mod probcut;
mod probe_tablebases;
mod probe_tt;
mod pruning;
mod quiescence_pruning;
mod reverse_futility;
mod search_move;
mod stand_pat;
mod static_eval;
mod upcoming_repetition;
mod update_best_move;
mod update_histories;

pub(crate) use deferred_move::deferral_min_depth;

// In the order of docs/search.md.
declared_in! { DECLARED:
    upcoming_repetition muller mate_distance_pruning probe_tt path_dependence probe_tablebases
    static_eval hindsight reverse_futility null_move_pruning probcut
    internal_iterative_reduction pruning deferred_move extensions late_move_reduction
    search_move finish_node update_histories quiescence_pruning
}

/// Lists the classic steps: the names of their switches, and their declarations.
macro_rules! classic_steps {
    ($($step:ident)*) => {
        /// The names of the classic steps, which builds without switches do not have.
        pub const CLASSIC: &[&str] = &[$(stringify!($step)),*];
        #[cfg(feature = "switches")]
        use classic::{$($step),*};
        #[cfg(feature = "switches")]
        declared_in! { CLASSIC_DECLARED: $($step)* }
    };
}

classic_steps! {
    no_progress_reduction tt_killer tt_refresh mate_in_one gains refutes quadratic_bonus
    razoring null_move_threat null_move_threat_permitted internal_iterative_deepening
    check_extension low_depth_extension
}

/// The names that most steps use.
pub(crate) mod prelude {
    pub(crate) use std::ops::ControlFlow::{self, Break, Continue};

    pub(crate) use koel_board::{Bitboard, Move, Position, Role, SeeValues};
    pub(crate) use koel_tt::Bound;

    pub(crate) use crate::move_loop::MoveLoop;
    pub(crate) use crate::move_picker::{MovePicker, PickedMove, Stage};
    pub(crate) use crate::node::{Node, SearchArgs, TtHit};
    pub(crate) use crate::path::PathScore;
    pub(crate) use crate::score::{Depth, Score};
    pub(crate) use crate::search::{NodeType, NonPv, Pv, Search};
    pub(crate) use crate::window::Window;
}
