//! The results of file transfers.

use koel_board::Move;
use koel_eval::Evaluation;
use koel_search::PathDependence;
use koel_tt::TranspositionTable;

use crate::syzygy::Syzygy;

/// The result of a file transfer, for the session to use. Messages are for the user.
pub(crate) enum Transferred {
    Evaluation(Evaluation),
    Tablebases(Syzygy),
    HashTable { table: TranspositionTable<Move, PathDependence>, message: String },
    Saved { message: String },
}
