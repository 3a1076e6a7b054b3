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

#[cfg(feature = "switches")]
pub(crate) use classic::{DECLARED as CLASSIC_DECLARED, Gains};

pub(crate) use deferred_move::deferral_min_depth;

use crate::declaration::Declaration;

/// The declarations of the steps, in the order of docs/search.md.
pub(crate) static DECLARED: &[&Declaration] = &[
    &upcoming_repetition::DECLARED,
    &mate_distance_pruning::DECLARED,
    &probe_tt::DECLARED,
    &probe_tablebases::DECLARED,
    &static_eval::DECLARED,
    &hindsight::DECLARED,
    &reverse_futility::DECLARED,
    &null_move_pruning::DECLARED,
    &probcut::DECLARED,
    &internal_iterative_reduction::DECLARED,
    &pruning::DECLARED,
    &deferred_move::DECLARED,
    &extensions::DECLARED,
    &late_move_reduction::DECLARED,
    &search_move::DECLARED,
    &finish_node::DECLARED,
    &update_histories::DECLARED,
    &quiescence_pruning::DECLARED,
];

/// The names of the classic steps and of their switches.
pub const CLASSIC: &[&str] = &[
    "no_progress_reduction",
    "tt_killer",
    "tt_refresh",
    "mate_in_one",
    "gains",
    "refutes",
    "quadratic_bonus",
    "razoring",
    "null_move_threat",
    "null_move_threat_permitted",
    "internal_iterative_deepening",
    "check_extension",
    "low_depth_extension",
];
