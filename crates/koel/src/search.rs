//! Running a search: its threads, its reports, and the choice of the move to play.

pub(crate) mod best_thread;
pub(crate) mod pool;
pub(crate) mod reporter;
pub(crate) mod strength;
pub(crate) mod supervisor;
pub(crate) mod syzygy;
pub(crate) mod win_draw_loss;
