//! Looks a position up in endgame tables. Arguments: the folder and a FEN.
#![allow(clippy::print_stdout, reason = "an example")]

use std::path::Path;

use koel_syzygy::SyzygyTables;
use koel_syzygy::shakmaty::{CastlingMode, Chess, fen::Fen};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(fen)) = (arguments.next(), arguments.next()) else {
        return Err("expected a folder and a FEN".into());
    };
    let mut tables = SyzygyTables::new();
    println!("{} tables", tables.add_folder(Path::new(&folder))?);
    let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    println!("result for the side to move: {:?}", tables.probe_wdl(&position));
    println!("plies to the next capture or pawn move: {:?}", tables.probe_dtz(&position));
    Ok(())
}
