//! SHA-256 (FIPS 180-4), by which files are known in manifests.

use std::io::{self, Read};

const BLOCK: usize = 64;

/// The first 32 bits of the fractions of the square roots of the first eight primes.
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The same of the cube roots of the first 64 primes.
const ROUNDS: [u32; 64] = {
    let mut rounds = [0; 64];
    let (mut count, mut number) = (0, 2_u64);
    while count < 64 {
        if is_prime(number) {
            rounds[count] = cube_root_fraction(number);
            count += 1;
        }
        number += 1;
    }
    rounds
};

const fn is_prime(number: u64) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// The first 32 bits behind the point of a cube root.
const fn cube_root_fraction(number: u64) -> u32 {
    // The largest root with root³ at most number · 2⁹⁶, bit by bit.
    let target = (number as u128) << 96;
    let mut root: u128 = 0;
    let mut bit: u128 = 1 << 35;
    while bit > 0 {
        let next = root | bit;
        if next * next * next <= target {
            root = next;
        }
        bit >>= 1;
    }
    root as u32
}

/// The hash of all that a reader gives, as 64 hexadecimal digits.
///
/// # Errors
/// Those of the reader.
pub fn sha256(mut input: impl Read) -> io::Result<String> {
    let mut state = START;
    let mut length = 0_u64;
    let mut buffer = vec![0; 1024 * BLOCK];
    loop {
        let filled = fill(&mut input, &mut buffer)?;
        length += filled as u64;
        let blocks = buffer[..filled].chunks_exact(BLOCK);
        let rest = blocks.remainder().to_vec();
        blocks.for_each(|block| mix(&mut state, block));
        if filled < buffer.len() {
            last_blocks(rest, length).chunks_exact(BLOCK).for_each(|block| mix(&mut state, block));
            break;
        }
    }
    Ok(state.iter().map(|word| format!("{word:08x}")).collect())
}

fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// What is left, a one bit, zeros, and the length in bits, to a whole number of blocks.
fn last_blocks(mut rest: Vec<u8>, length: u64) -> Vec<u8> {
    rest.push(0x80);
    while rest.len() % BLOCK != BLOCK - 8 {
        rest.push(0);
    }
    rest.extend((length * 8).to_be_bytes());
    rest
}

fn mix(state: &mut [u32; 8], block: &[u8]) {
    let mut words = [0; 64];
    for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
    }
    for index in 16..64 {
        let (early, late) = (words[index - 15], words[index - 2]);
        let small0 = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let small1 = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words[index] = words[index - 16]
            .wrapping_add(small0)
            .wrapping_add(words[index - 7])
            .wrapping_add(small1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (&word, &round) in words.iter().zip(&ROUNDS) {
        let large1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first =
            h.wrapping_add(large1).wrapping_add(choice).wrapping_add(round).wrapping_add(word);
        let large0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = large0.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard, and one longer than the buffer.
    #[test]
    fn hashes_are_those_of_the_standard() {
        let hash = |bytes: &[u8]| sha256(bytes).unwrap();
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hash(b""), expected);
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash(b"abc"), expected);
        let expected = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(hash(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), expected);
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(hash(&vec![b'a'; 1_000_000]), expected);
    }
}
