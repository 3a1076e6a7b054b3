//! The choice of evaluation: a network, or material with piece-square tables.

use std::fmt;
use std::sync::{Arc, OnceLock};

use koel_board::Position;

use crate::centipawns::Centipawns;
use crate::custom::CustomEvaluation;
use crate::network::{AccumulatorRow, AccumulatorStack, FEATURES, Network, feature_weight_bytes};
use crate::{mop_up, piece_square};

/// King buckets of the networks that searches use.
pub const KING_BUCKETS: usize = 4;
/// Neurons of the feature transformer, for each perspective.
pub const NEURONS: usize = 512;

/// A network of the size that searches use.
pub type SearchNetwork = Network<KING_BUCKETS, NEURONS>;

/// The accumulators of such a network.
pub(crate) type SearchAccumulators = AccumulatorStack<KING_BUCKETS, NEURONS>;

/// The choice of evaluation, shared by all threads and cheap to clone.
///
/// ```
/// use koel_board::Position;
/// use koel_eval::Evaluation;
///
/// // White has a queen for a rook.
/// let position = Position::from_fen("3rk3/ppp5/8/8/8/8/PPP5/3QK3 w - - 0 1")?;
/// for evaluation in [Evaluation::default(), Evaluation::PieceSquareTables] {
///     assert!(evaluation.evaluate(&position).0 > 200);
/// }
/// # Ok::<(), koel_board::FenError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Evaluation {
    /// A network (NNUE). Bare kings are left to the mop-up evaluation.
    Network(Arc<SearchNetwork>),
    /// Material with piece-square tables, set by hand and never tuned: the evaluation that the
    /// first network learned from, and the baseline of tests.
    PieceSquareTables,
    /// An evaluation of one's own.
    Custom(Arc<dyn CustomEvaluation>),
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Network(network) => f.debug_tuple("Network").field(network).finish(),
            Evaluation::PieceSquareTables => f.write_str("PieceSquareTables"),
            Evaluation::Custom(_) => f.write_str("Custom"),
        }
    }
}

impl Evaluation {
    /// Returns an evaluation of one's own.
    pub fn custom(evaluation: impl CustomEvaluation + 'static) -> Evaluation {
        Evaluation::Custom(Arc::new(evaluation))
    }

    /// Returns the static evaluation of a single position, for the side to move. A search, which
    /// evaluates the positions of a line, uses an [`Evaluator`](crate::Evaluator): it is faster.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> Centipawns {
        match self {
            Evaluation::Network(network) => {
                mop_up::evaluate(position).unwrap_or_else(|| network.evaluate(position))
            }
            Evaluation::PieceSquareTables => piece_square::evaluate(position),
            Evaluation::Custom(custom) => {
                let mut evaluator = custom.evaluator();
                evaluator.restart(position);
                evaluator.evaluate(position)
            }
        }
    }
}

/// The name of the built-in network: that of the file in `crates/koel-eval/network`, or of the file
/// that `KOEL_NETWORK` named at compile time. `nets/NAME.toml` of the repository records how the
/// default network was made.
pub const BUILT_IN: &str = env!("KOEL_NETWORK_NAME");

const BUILT_IN_BYTES: &[u8] = include_bytes!(env!("KOEL_NETWORK_FILE"));

const ROWS: usize = KING_BUCKETS * FEATURES;

/// The feature weights of the built-in network, decoded at compile time. On a big-endian target
/// these are not the weights of the file, and [`Network::with_static_features`] ignores them.
static BUILT_IN_FEATURES: [AccumulatorRow<NEURONS>; ROWS] = {
    let bytes = feature_weight_bytes::<{ 2 * ROWS * NEURONS }>(BUILT_IN_BYTES);
    let weights: [[i16; NEURONS]; ROWS] = zerocopy::transmute!(bytes);
    AccumulatorRow::from_arrays(weights)
};

/// Returns the built-in network. It is validated once, on first use.
pub(crate) fn built_in() -> Arc<SearchNetwork> {
    static NETWORK: OnceLock<Arc<SearchNetwork>> = OnceLock::new();
    let network = NETWORK.get_or_init(|| {
        let network = SearchNetwork::from_bytes(BUILT_IN_BYTES);
        let network = network.expect("the built-in network is valid");
        Arc::new(network.with_static_features(&BUILT_IN_FEATURES))
    });
    Arc::clone(network)
}

impl Default for Evaluation {
    /// Returns the built-in network.
    fn default() -> Evaluation {
        Evaluation::Network(built_in())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{walk, with_wings_flipped};

    #[test]
    fn the_built_in_network_is_that_of_its_file() {
        let built_in = built_in();
        assert_eq!(*built_in, SearchNetwork::from_bytes(BUILT_IN_BYTES).unwrap());
        assert_eq!(built_in.to_bytes(), BUILT_IN_BYTES);
        assert_eq!(built_in.has_features_at(&BUILT_IN_FEATURES), cfg!(target_endian = "little"));
        // Other weights than those of the static stay where they are.
        let other = SearchNetwork::zero().with_static_features(&BUILT_IN_FEATURES);
        assert_eq!(other, SearchNetwork::zero());
    }

    fn choices() -> [Evaluation; 2] {
        [Evaluation::default(), Evaluation::PieceSquareTables]
    }

    #[test]
    fn colours_and_wings_are_alike() {
        walk(100, |position| {
            for evaluation in choices() {
                let here = evaluation.evaluate(position);
                let flipped = position.with_colors_exchanged();
                assert_eq!(here, evaluation.evaluate(&flipped), "{position}");
                if position.castling_rooks().is_empty() {
                    let flipped = with_wings_flipped(position);
                    assert_eq!(here, evaluation.evaluate(&flipped), "{position}");
                }
                assert!(here.0.abs() < 15_000, "{position}");
            }
        });
    }

    #[test]
    fn the_start_is_balanced_but_for_the_move() {
        for evaluation in choices() {
            let eval = evaluation.evaluate(&Position::start()).0;
            assert!((1..60).contains(&eval), "{eval}");
        }
    }

    #[test]
    fn material_counts_most() {
        for (better, worse) in [
            ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"),
            ("4k3/pp6/8/8/8/8/PP6/1R2K3 w - - 0 1", "4k3/pp6/8/8/8/8/PP6/2N1K3 w - - 0 1"),
        ] {
            for evaluation in choices() {
                let evaluate = |fen| evaluation.evaluate(&Position::from_fen(fen).unwrap()).0;
                assert!(evaluate(better) > evaluate(worse) + 100, "{better}");
            }
        }
    }
}
