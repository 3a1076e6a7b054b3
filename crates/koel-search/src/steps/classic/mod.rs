//! Steps of earlier engines that are off, a file each. They are compiled only where switches are:
//! elsewhere the lines that call them, marked `classic!`, are nothing.

mod check_extension;
mod gains;
mod internal_iterative_deepening;
mod low_depth_extension;
mod mate_in_one;
mod no_progress_reduction;
mod null_move_threat;
mod null_move_threat_permitted;
mod quadratic_bonus;
mod razoring;
mod refutes;
mod tt_killer;
mod tt_refresh;

pub(crate) use gains::Gains;
