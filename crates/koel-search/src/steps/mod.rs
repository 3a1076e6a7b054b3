//! The steps of `search_node` and `quiesce`, one technique a file.

mod check_draw;
mod check_stop;
#[cfg(feature = "ablate")]
mod classic;
mod deferred_move;
mod extensions;
mod finish_node;
mod hindsight;
mod internal_iterative_reduction;
mod late_move_reduction;
mod mate_distance_pruning;
mod null_move_pruning;
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

#[cfg(feature = "ablate")]
pub(crate) use classic::Gains;
