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

use crate::declaration::Declaration;

/// The declarations of the steps, in the order of docs/search.md.
pub(crate) static DECLARED: &[&Declaration] = &[
    &no_progress_reduction::DECLARED,
    &tt_killer::DECLARED,
    &tt_refresh::DECLARED,
    &mate_in_one::DECLARED,
    &gains::DECLARED,
    &refutes::DECLARED,
    &quadratic_bonus::DECLARED,
    &razoring::DECLARED,
    &null_move_threat::DECLARED,
    &null_move_threat_permitted::DECLARED,
    &internal_iterative_deepening::DECLARED,
    &check_extension::DECLARED,
    &low_depth_extension::DECLARED,
];
