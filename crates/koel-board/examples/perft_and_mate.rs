//! Counts the move tree of a position (perft), and finds the mates in one. Arguments: FEN and
//! depth.
#![allow(clippy::print_stdout, reason = "an example")]

use koel_board::{Position, perft};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let position = Position::from_fen(&arguments.next().unwrap_or_else(|| BACK_RANK.to_owned()))?;
    let depth = arguments.next().map_or(Ok(4), |text| text.parse())?;
    for plies in 1..=depth {
        println!("perft {plies}: {}", perft::perft(&position, plies));
    }
    for m in position.legal_moves() {
        let after = position.after(m);
        if after.is_check() && !after.has_legal_moves() {
            println!("mate in one: {}", position.san(m));
        }
    }
    Ok(())
}
