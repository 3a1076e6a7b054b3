//! The engine plays a game against itself by the clock, with two threads. The first argument is the
//! time of each side in milliseconds (10,000).
#![allow(clippy::print_stdout, reason = "an example")]

use std::sync::mpsc;
use std::time::{Duration, Instant};

use koel_engine::koel_board::Game;
use koel_engine::{Engine, Event, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let milliseconds = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let (sender, outcomes) = mpsc::channel();
    let mut engine = Engine::new(move |event| {
        if let Event::Finished(outcome) = event {
            let _ = sender.send(outcome);
        }
    })?;
    engine.set_threads(2)?;
    let (mut game, increment) = (Game::default(), Duration::from_millis(milliseconds / 100));
    let mut clocks = [Duration::from_millis(milliseconds); 2];
    while game.outcome().is_none() && clocks.iter().all(|clock| !clock.is_zero()) {
        let clock = &mut clocks[game.moves().len() % 2];
        let start = Instant::now();
        engine.go(Request::new(game.clone()).clock(*clock, increment));
        let Some(m) = outcomes.recv()?.best_move else { break };
        *clock = clock.saturating_sub(start.elapsed()) + increment;
        print!("{} ", game.position().san(m));
        game.play(m)?;
    }
    println!("{:?}", game.outcome());
    Ok(())
}
