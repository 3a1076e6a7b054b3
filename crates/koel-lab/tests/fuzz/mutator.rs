//! Mutations of valid inputs.

use koel_random::Rng;

/// The most inputs that are kept for further mutations.
const KEPT: usize = 300;

/// The longest input in bytes, without the valid ones.
const LONGEST: usize = 300_000;

/// Numbers at which readers err.
const NUMBERS: &[&str] =
    &["0", "-1", "1", "9999", "10000", "65536", "4294967295", "4294967296", "99999999999999999999"];

/// A generator of inputs.
pub(crate) struct Mutator {
    rng: Rng,
    inputs: Vec<Vec<u8>>,
    seeds: usize,
    words: &'static [&'static str],
}

impl Mutator {
    /// Creates a generator that begins with these inputs.
    pub(crate) fn new(seed: u64, inputs: Vec<Vec<u8>>, words: &'static [&'static str]) -> Mutator {
        Mutator { rng: Rng::new(seed), seeds: inputs.len(), inputs, words }
    }

    /// Keeps an accepted input for further mutations, in place of another if there are many.
    pub(crate) fn keep(&mut self, input: Vec<u8>) {
        if input.len() > LONGEST {
            return;
        }
        if self.inputs.len() < KEPT {
            self.inputs.push(input);
        } else {
            let place = self.seeds + self.rng.below(KEPT - self.seeds);
            self.inputs[place] = input;
        }
    }

    /// Returns true once in this many calls.
    pub(crate) fn flips(&mut self, times: usize) -> bool {
        self.rng.below(times) == 0
    }

    /// Returns a mutation of one of the inputs.
    pub(crate) fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.any_input();
        for _ in 0..=self.rng.below(4) {
            self.mutate(&mut input);
        }
        input
    }

    fn any_input(&mut self) -> Vec<u8> {
        self.inputs[self.rng.below(self.inputs.len())].clone()
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        // Half of the places are near the beginning, where the headers of files are.
        let end = if self.flips(2) { input.len().min(64) } else { input.len() };
        let at = self.rng.below(end.max(1)).min(input.len());
        match self.rng.below(9) {
            0 if at < input.len() => input[at] ^= 1 << self.rng.below(8),
            1 if at < input.len() => input[at] = self.rng.below(256) as u8,
            2 => input.truncate(at),
            3 => {
                let end = (at + 1 + self.rng.below(12)).min(input.len());
                input.drain(at..end);
            }
            4 => {
                let end = (at + 1 + self.rng.below(40)).min(input.len());
                let piece = input[at..end].to_vec();
                let times = if self.flips(40) { 200 } else { 1 };
                input.splice(at..at, piece.repeat(times));
            }
            5 => {
                let other = self.any_input();
                let from = self.rng.below(other.len().max(1));
                let piece = other.iter().skip(from).take(self.rng.below(60)).copied();
                input.splice(at..at, piece);
            }
            6 if !self.words.is_empty() => {
                let word = self.words[self.rng.below(self.words.len())];
                input.splice(at..at, word.bytes());
            }
            7 => self.change_number(input),
            _ => {
                let bytes = (0..self.rng.below(9)).map(|_| self.rng.below(256) as u8);
                let bytes: Vec<u8> = bytes.collect();
                input.splice(at..at, bytes);
            }
        }
    }

    /// Replaces a run of digits by another number.
    fn change_number(&mut self, input: &mut Vec<u8>) {
        let from = self.rng.below(input.len().max(1));
        let digits = |byte: &u8| byte.is_ascii_digit();
        if let Some(start) = input.iter().skip(from).position(digits) {
            let start = from + start;
            let length = input[start..].iter().take_while(|byte| digits(byte)).count();
            let number = NUMBERS[self.rng.below(NUMBERS.len())];
            input.splice(start..start + length, number.bytes());
        }
    }
}
