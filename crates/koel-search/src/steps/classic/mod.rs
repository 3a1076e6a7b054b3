//! Steps of earlier engines that are off, a file each. They are compiled only where switches are:
//! elsewhere the lines that call them, marked `classic!`, are nothing.

pub(super) mod check_extension;
pub(super) mod gains;
pub(super) mod internal_iterative_deepening;
pub(super) mod low_depth_extension;
pub(super) mod mate_in_one;
pub(super) mod no_progress_reduction;
pub(super) mod null_move_threat;
pub(super) mod null_move_threat_permitted;
pub(super) mod quadratic_bonus;
pub(super) mod razoring;
pub(super) mod refutes;
pub(super) mod tt_killer;
pub(super) mod tt_refresh;
