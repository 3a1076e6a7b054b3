//! `speedtest`: what more threads bring on this machine, for whoever has to choose `Threads`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use koel_board::{Game, Position};
use koel_search::{Limits, OutOfMemory, Progress, Shared, Supervisor, Worker};
use koel_uci::Reply;
use thiserror::Error;

use crate::pool::STACK_BYTES;
use crate::report::nodes_per_second;

/// Every so many positions of the benchmark: enough for a mean, few enough for patience.
const EVERY: usize = 6;

const HASH_DEFAULT: usize = 64;
const DEPTH_DEFAULT: i32 = 14;

/// Why it does not begin, or does not go on.
#[derive(Debug, Error)]
pub(crate) enum SpeedtestError {
    #[error("speedtest: wants whole numbers: [THREADS [HASH [DEPTH]]]")]
    Syntax,
    #[error("speedtest: {0}")]
    Memory(#[from] OutOfMemory),
    #[error("speedtest: the system gives no more threads: {0}")]
    Threads(#[from] io::Error),
    #[error("speedtest was stopped")]
    Stopped,
}

/// What is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Speedtest {
    /// The most threads.
    threads: usize,
    hash_mebibytes: usize,
    depth: i32,
}

/// How long all positions took together.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    elapsed: Duration,
    nodes: u64,
}

impl Speedtest {
    /// Reads what stands behind the word.
    pub(crate) fn read(arguments: &str) -> Result<Speedtest, SpeedtestError> {
        let numbers = arguments.split_whitespace().map(str::parse::<u32>);
        let numbers = numbers.collect::<Result<Vec<_>, _>>().map_err(|_| SpeedtestError::Syntax)?;
        let at = |index: usize| numbers.get(index).map(|&number| number as usize);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        if numbers.len() > 3 {
            return Err(SpeedtestError::Syntax);
        }
        Ok(Speedtest {
            threads: at(0).unwrap_or_else(cores).clamp(1, 1024),
            hash_mebibytes: at(1).unwrap_or(HASH_DEFAULT).max(1),
            depth: numbers.get(2).map_or(DEPTH_DEFAULT, |&depth| depth.clamp(1, 200) as i32),
        })
    }

    /// Tells one line for each number of threads.
    pub(crate) fn run(
        self,
        positions: &[Position],
        tell: &dyn Fn(Reply),
        stop: &AtomicBool,
    ) -> Result<(), SpeedtestError> {
        let line = |text: String| tell(Reply::Other(text));
        let games = positions.iter().step_by(EVERY).cloned().map(Game::new).collect::<Vec<_>>();
        line(format!(
            "{} positions to depth {}, hash {} MiB",
            games.len(),
            self.depth,
            self.hash_mebibytes
        ));
        line("Threads  Time to depth       Nodes  Nodes/second  Faster  More nodes/s".to_owned());
        let mut alone = None;
        for threads in self.steps() {
            let sum = self.sum(&games, threads, stop)?;
            let speed = nodes_per_second(sum.nodes, sum.elapsed).max(1) as f64;
            let (time, rate) = *alone.get_or_insert((sum.elapsed, speed));
            line(format!(
                "{threads:>7} {:>12.2} s {:>11} {speed:>13.0} {:>6.2}x {:>12.2}x",
                sum.elapsed.as_secs_f64(),
                sum.nodes,
                time.as_secs_f64() / sum.elapsed.as_secs_f64().max(1e-6),
                speed / rate,
            ));
        }
        Ok(())
    }

    /// 1, 2, 4 and so on, and the most.
    fn steps(self) -> impl Iterator<Item = usize> {
        let doubled = (0..).map(|power| 1 << power);
        doubled.take_while(move |&threads| threads < self.threads).chain([self.threads])
    }

    fn sum(self, games: &[Game], threads: usize, stop: &AtomicBool) -> Result<Sum, SpeedtestError> {
        let mut shared = Shared::new(self.hash_mebibytes, threads)?;
        let mut workers = (0..threads).map(Worker::new).collect::<Vec<_>>();
        let mut sum = Sum::default();
        for game in games {
            workers.iter_mut().for_each(Worker::reset);
            shared.clear(threads);
            shared.new_search();
            let start = Instant::now();
            search(&shared, &mut workers, game, &Limits::to_depth(self.depth), stop)?;
            sum.elapsed += start.elapsed();
            sum.nodes += shared.nodes();
            if stop.load(Relaxed) {
                return Err(SpeedtestError::Stopped);
            }
        }
        Ok(sum)
    }
}

/// All workers search together until the first is done.
fn search(
    shared: &Shared,
    workers: &mut [Worker],
    game: &Game,
    limits: &Limits,
    stop: &AtomicBool,
) -> io::Result<()> {
    let Some((leader, others)) = workers.split_first_mut() else { return Ok(()) };
    thread::scope(|scope| {
        let mut started = Ok(());
        for worker in others {
            let follow = || drop(worker.search(shared, game, &Limits::default(), &mut Beside));
            let builder = Builder::new().stack_size(STACK_BYTES);
            started = builder.spawn_scoped(scope, follow).map(drop);
            if started.is_err() {
                break;
            }
        }
        if started.is_ok() {
            leader.search(shared, game, limits, &mut First { stop });
        }
        shared.stop();
        started
    })
}

/// Watches the first worker.
struct First<'a> {
    stop: &'a AtomicBool,
}

impl Supervisor for First<'_> {
    fn must_stop(&mut self, _: &Progress) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Watches the others, which go on until the first is done.
struct Beside;

impl Supervisor for Beside {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_the_most() {
        let steps = |text| Speedtest::read(text).unwrap().steps().collect::<Vec<_>>();
        assert_eq!(steps("1"), [1]);
        assert_eq!(steps("2"), [1, 2]);
        assert_eq!(steps("6 32"), [1, 2, 4, 6]);
        assert!(Speedtest::read("x").is_err() && Speedtest::read("1 2 3 4").is_err());
        let given = Speedtest { threads: 3, hash_mebibytes: 8, depth: 5 };
        assert_eq!(Speedtest::read("3 8 5").ok(), Some(given));
    }
}
