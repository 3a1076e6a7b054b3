//! Evaluates the moves of a position with the built-in network, the best first. Argument: a FEN.
#![allow(clippy::print_stdout, reason = "an example")]

use koel_board::{Position, START_FEN};
use koel_eval::{Evaluation, Evaluator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position = Position::from_fen(&std::env::args().nth(1).unwrap_or(START_FEN.to_owned()))?;
    let evaluation = Evaluation::default();
    println!("{position}: {}", evaluation.evaluate(&position));
    // A search follows the moves: only what changes is computed.
    let mut evaluator = Evaluator::new(&evaluation, &position);
    let evaluate = |m| {
        let mut child = position.clone();
        evaluator.play(&mut child, m);
        let value = -evaluator.evaluate(&child);
        evaluator.pop();
        (value, m)
    };
    let mut values: Vec<_> = position.legal_moves().into_iter().map(evaluate).collect();
    values.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    for (value, m) in values {
        println!("{value:>7} {}", position.san(m));
    }
    Ok(())
}
