//! The steps of the two pages, one idea a file.

mod appraise;
mod check_stop;
mod conclude;
mod late_moves;
mod look_up;
mod mate_distance;
mod null_move;
mod record;
mod reverse_futility;
mod rule_draw;
mod search_move;
mod stand_pat;
mod upcoming_repetition;
