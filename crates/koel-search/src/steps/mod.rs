//! The steps of the two pages, one idea a file.

mod appraise;
mod breadcrumbs;
mod check_stop;
mod conclude;
mod defer;
mod extensions;
mod hindsight;
mod internal_iterative_reduction;
mod late_move_reduction;
mod learn;
mod look_up;
mod mate_distance;
mod mate_in_one;
mod null_move;
mod probcut;
mod pruning;
mod quiescence_pruning;
mod record;
mod reverse_futility;
mod rule_draw;
mod search_move;
mod settle_repetition;
mod stand_pat;
mod tablebase;
mod upcoming_repetition;
