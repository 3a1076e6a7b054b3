//! Which evaluation is used: a network, or terms and numbers by hand.

use std::sync::{Arc, OnceLock};

use koel_board::Position;

use crate::evaluator::{Centipawns, Style};
use crate::line_evaluator::LineEvaluator;
use crate::network::{AccumulatorStack, FEATURES, Network, Row, bytes_of_inputs};

/// Buckets of king squares of the networks that searches use.
pub(crate) const KING_BUCKETS: usize = 4;
/// Their neurons for each side.
pub(crate) const NEURONS: usize = 256;

/// The shape of network that searches use.
pub type SearchNetwork = Network<KING_BUCKETS, NEURONS>;

/// What a line of moves makes of such a network.
pub(crate) type SearchAccumulators = AccumulatorStack<KING_BUCKETS, NEURONS>;

/// A choice of evaluation, cheap to copy and the same for all threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// What a network says.
    Network(Arc<SearchNetwork>),
    /// Terms by hand, or the plain numbers.
    Terms(Style),
}

impl Evaluation {
    /// Whether it is the same choice: of networks the same object, not one with the same numbers.
    #[inline]
    #[must_use]
    pub fn is(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Network(one), Evaluation::Network(other)) => Arc::ptr_eq(one, other),
            (Evaluation::Terms(one), Evaluation::Terms(other)) => one == other,
            _ => false,
        }
    }

    /// What a position that nothing led to is worth to the side to move. Slow: for a line there is
    /// [`LineEvaluator`].
    #[must_use]
    pub fn once(&self, position: &Position) -> Centipawns {
        LineEvaluator::new(self, position).evaluate(position)
    }
}

/// The name of the network that is built in, unless `KOEL_NETWORK` names another file when this is
/// compiled: `nets/NAME.toml` tells how it was made.
pub const BUILT_IN: &str = "v9";

const BUILT_IN_BYTES: &[u8] = include_bytes!(env!("KOEL_NETWORK_FILE"));

const ROWS: usize = KING_BUCKETS * FEATURES;

/// Unpacked by the compiler, where numbers begin with their low byte as in the file; elsewhere these
/// are others, and passed over.
static BUILT_IN_INPUTS: [Row<NEURONS>; ROWS] = {
    let bytes = bytes_of_inputs::<{ 2 * ROWS * NEURONS }>(BUILT_IN_BYTES);
    let numbers: [[i16; NEURONS]; ROWS] = zerocopy::transmute!(bytes);
    Row::of(numbers)
};

impl Default for Evaluation {
    /// The network that is built in. It is examined once.
    fn default() -> Evaluation {
        static NETWORK: OnceLock<Arc<SearchNetwork>> = OnceLock::new();
        let network = NETWORK.get_or_init(|| {
            let network = SearchNetwork::grown_from(BUILT_IN_BYTES);
            let network = network.expect("what is built in is a sound network");
            Arc::new(network.with_inputs_in_program(&BUILT_IN_INPUTS))
        });
        Evaluation::Network(Arc::clone(network))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_of_the_program_is_that_of_its_file() {
        let Evaluation::Network(built_in) = Evaluation::default() else {
            panic!("a network is built in");
        };
        assert_eq!(*built_in, SearchNetwork::grown_from(BUILT_IN_BYTES).unwrap());
        // A smaller one, which `KOEL_NETWORK` may name, has grown and lies elsewhere.
        let is_whole = built_in.to_bytes() == BUILT_IN_BYTES;
        assert_eq!(
            built_in.has_inputs_at(&BUILT_IN_INPUTS),
            is_whole && cfg!(target_endian = "little")
        );
        // Other numbers than the program's stay where they are.
        let other = SearchNetwork::zero().with_inputs_in_program(&BUILT_IN_INPUTS);
        assert_eq!(other, SearchNetwork::zero());
    }
}
