//! The rules of another game: the verdicts that shogi programs give on a repetition.
//!
//! A key is that of the board without the pieces in hand. If the hands are equal too, the side that
//! has given check with each of its moves loses; otherwise the repetition is a draw. If the side to
//! move has more in hand than before, its position is superior, if less, inferior.

use std::cmp::Ordering;

use koel_cuckoo::{KeyStack, Repetition, ZobristKey};
use koel_random::Rng;

const FILES: i32 = 9;
const SQUARES: usize = 81;
const KINDS: usize = 3;
const LETTERS: [char; KINDS] = ['K', 'R', 'G'];

/// The verdict for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Draw,
    Win,
    Loss,
    Superior,
    Inferior,
}

/// A position with kings, rooks and golds; the side to move is given by the ply.
#[derive(Clone, PartialEq, Eq)]
struct Shogi {
    /// Side (0 or 1, 0 plays towards smaller ranks) and kind of the piece on each square.
    board: [Option<(usize, usize)>; SQUARES],
    hands: [[u8; KINDS]; 2],
}

impl Shogi {
    /// Returns true if the king of this side is attacked.
    fn is_check(&self, side: usize) -> bool {
        let king = self.board.iter().position(|&piece| piece == Some((side, 0)));
        king.is_some_and(|king| {
            let attacks = |from| self.reached(from).any(|to| to == king);
            let is_theirs =
                |from: &usize| self.board[*from].is_some_and(|(owner, _)| owner != side);
            (0..SQUARES).filter(is_theirs).any(attacks)
        })
    }

    /// Returns the squares that the piece on this square attacks.
    fn reached(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        let (side, kind) = self.board[from].unwrap();
        let forward = if side == 0 { -1 } else { 1 };
        let directions: &[(i32, i32)] = match LETTERS[kind] {
            'R' => &[(0, 1), (1, 0), (0, -1), (-1, 0)],
            'G' => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)],
            _ => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)],
        };
        let longest = if LETTERS[kind] == 'R' { 8 } else { 1 };
        directions.iter().flat_map(move |&(files, ranks)| {
            let mut blocked = false;
            (1..=longest).map_while(move |step| {
                let file = from as i32 % FILES + step * files;
                let rank = from as i32 / FILES + step * ranks * forward;
                let is_inside = (0..FILES).contains(&file) && (0..FILES).contains(&rank);
                let to = usize::try_from(file + FILES * rank).ok()?;
                if blocked || !is_inside {
                    return None;
                }
                blocked = self.board[to].is_some();
                Some(to)
            })
        })
    }

    /// Returns the key of the board, without the hands.
    fn board_key(&self, ply: usize) -> ZobristKey {
        let pieces = self.board.iter().enumerate().filter_map(|(square, &piece)| {
            piece.map(|(side, kind)| Rng::new((1000 * square + 10 * side + kind + 1) as u64))
        });
        let board = pieces.fold(0, |key, mut rng| key ^ rng.next_u64());
        ZobristKey(board ^ Rng::new(99_999 + ply as u64 % 2).next_u64())
    }
}

/// A line of moves: its positions, and the history of their keys.
struct Line {
    positions: Vec<Shogi>,
    history: KeyStack,
}

impl Line {
    fn new(start: Shogi) -> Self {
        let history = KeyStack::new(start.board_key(0), 64);
        Self { positions: vec![start], history }
    }

    /// Parses a position: `K5i R5e k5a`, capitals for the side that moves first, `g*` in hand.
    fn from_text(text: &str) -> Self {
        let mut start = Shogi { board: [None; SQUARES], hands: [[0; KINDS]; 2] };
        for piece in text.split(' ') {
            let letter = piece.chars().next().unwrap();
            let kind = kind_of(letter);
            let side = usize::from(letter.is_lowercase());
            match &piece[1..] {
                "*" => start.hands[side][kind] += 1,
                square => start.board[square_of(square)] = Some((side, kind)),
            }
        }
        Self::new(start)
    }

    fn now(&self) -> &Shogi {
        &self.positions[self.positions.len() - 1]
    }

    fn ply(&self) -> usize {
        self.positions.len() - 1
    }

    fn push(&mut self, after: Shogi) {
        self.positions.push(after);
        // A capture can be taken back by a drop, so every move is reversible.
        self.history.push(self.now().board_key(self.ply()), true);
    }

    /// Plays moves in USI notation: `5e4e`, `G*4c`.
    fn play(mut self, moves: &str) -> Self {
        for text in moves.split(' ') {
            let to = square_of(&text[2..]);
            let after = match text.split_once('*') {
                Some((piece, _)) => self.dropped(kind_of(piece.chars().next().unwrap()), to),
                None => self.moved(square_of(&text[..2]), to),
            };
            self.push(after);
        }
        self
    }

    fn moved(&self, from: usize, to: usize) -> Shogi {
        let mut after = self.now().clone();
        if let Some((_, kind)) = after.board[to] {
            after.hands[self.ply() % 2][kind] += 1;
        }
        after.board[to] = after.board[from].take();
        after
    }

    fn dropped(&self, kind: usize, to: usize) -> Shogi {
        let mut after = self.now().clone();
        after.hands[self.ply() % 2][kind] -= 1;
        after.board[to] = Some((self.ply() % 2, kind));
        after
    }

    /// The rule of shogi, on one earlier position with the same board.
    fn judge(&self, earlier: Repetition) -> Option<Verdict> {
        let side = self.ply() % 2;
        let then = self.ply() - earlier.plies;
        match compare(&self.now().hands[side], &self.positions[then].hands[side])? {
            Ordering::Greater => return Some(Verdict::Superior),
            Ordering::Less => return Some(Verdict::Inferior),
            Ordering::Equal => {}
        }
        let is_always_in_check = |last: usize| {
            let mut plies = (then + 1..=last).rev().step_by(2);
            plies.all(|ply| self.positions[ply].is_check(ply % 2))
        };
        Some(if is_always_in_check(self.ply()) {
            Verdict::Win
        } else if is_always_in_check(self.ply() - 1) {
            Verdict::Loss
        } else {
            Verdict::Draw
        })
    }

    fn verdict(&self) -> Option<Verdict> {
        self.history.verdict(|earlier| self.judge(earlier))
    }

    /// Returns the same verdict by comparing all positions.
    fn verdict_by_comparison(&self) -> Option<Verdict> {
        let is_same = |ply: usize| self.positions[ply].board == self.now().board;
        let mut earlier = (0..self.ply()).rev().skip(1).step_by(2).filter(|&ply| is_same(ply));
        earlier.find_map(|ply| self.judge(Repetition { plies: self.ply() - ply, occurrences: 1 }))
    }

    /// Plays a random move: often back to where a piece came from, so that positions repeat.
    fn push_random(&mut self, rng: &mut Rng) {
        let (now, side) = (self.now(), self.ply() % 2);
        let own = |square: &usize| now.board[*square].is_some_and(|(owner, _)| owner == side);
        let is_king = |square: &usize| now.board[*square].is_some_and(|(_, kind)| kind == 0);
        let mut after = Vec::new();
        for from in (0..SQUARES).filter(own) {
            let targets = now.reached(from).filter(|to| !own(to) && !is_king(to));
            after.extend(targets.map(|to| self.moved(from, to)));
        }
        for kind in (1..KINDS).filter(|&kind| now.hands[side][kind] > 0) {
            let free = (36..SQUARES).filter(|&to| now.board[to].is_none()).take(3);
            after.extend(free.map(|to| self.dropped(kind, to)));
        }
        let is_return = |position: &&Shogi| {
            let mut seen = self.positions.iter().rev().skip(3).step_by(2);
            seen.any(|earlier| earlier.board == position.board)
        };
        let captures = after.iter().filter(|position| position.hands[side] > now.hands[side]);
        let wanted: Vec<&Shogi> = after.iter().filter(is_return).chain(captures).collect();
        let any: Vec<&Shogi> = after.iter().collect();
        let pool = if wanted.is_empty() || rng.below(3) == 0 { any } else { wanted };
        let chosen = pool[rng.below(pool.len())].clone();
        self.push(chosen);
    }
}

/// Compares two hands; `None` if each has more of one kind.
fn compare(now: &[u8], then: &[u8]) -> Option<Ordering> {
    let orders = now.iter().zip(then).map(|(now, then)| now.cmp(then));
    orders.into_iter().try_fold(Ordering::Equal, |all, order| match (all, order) {
        (all, Ordering::Equal) => Some(all),
        (Ordering::Equal, order) => Some(order),
        (all, order) => (all == order).then_some(all),
    })
}

fn kind_of(letter: char) -> usize {
    LETTERS.iter().position(|&kind| kind == letter.to_ascii_uppercase()).unwrap()
}

/// Parses a square: file 1 to 9, rank a to i.
fn square_of(name: &str) -> usize {
    let bytes = name.as_bytes();
    usize::from(bytes[0] - b'1') + 9 * usize::from(bytes[1] - b'a')
}

fn verdict(start: &str, moves: &str) -> Option<Verdict> {
    Line::from_text(start).play(moves).verdict()
}

#[test]
fn a_repetition_without_checks_is_a_draw() {
    assert_eq!(verdict("K5i k5a", "5i5h 5a5b 5h5i"), None);
    assert_eq!(verdict("K5i k5a", "5i5h 5a5b 5h5i 5b5a"), Some(Verdict::Draw));
}

#[test]
fn the_side_that_checks_perpetually_loses() {
    let cycle = "4e5e 5a4a 5e4e 4a5a";
    assert_eq!(verdict("K9i R4e k5a", cycle), Some(Verdict::Loss));
    assert_eq!(verdict("K9i R4e k5a", &format!("{cycle} 4e5e")), Some(Verdict::Win));
    // One quiet move in the cycle.
    assert_eq!(verdict("K9i R4e k5a", "4e3e 5a4a 3e4e 4a5a"), Some(Verdict::Draw));
}

#[test]
fn more_in_hand_is_superior_and_less_inferior() {
    let wins_a_gold = "5e4e g*4c 4e4c 5a5b 4c4e 5b4b 4e5e 4b5a";
    assert_eq!(verdict("K9i R5e k5a g*", wins_a_gold), Some(Verdict::Superior));
    let loses_a_gold = "9i9h g*3e 5e3e 5a5b 3e4e 5b5a 4e5e";
    assert_eq!(verdict("K9i R5e k5a g*", loses_a_gold), Some(Verdict::Inferior));
}

#[test]
fn random_lines_agree_with_a_comparison_of_all_positions() {
    let mut counts = [0; 5];
    for seed in 1..=200 {
        let mut rng = Rng::new(seed);
        let mut line = Line::from_text("K5g R4e G5f k5d r6e g5e G* g*");
        for _ in 0..60 {
            line.push_random(&mut rng);
            let verdict = line.verdict();
            assert_eq!(verdict, line.verdict_by_comparison(), "seed {seed}");
            if let Some(verdict) = verdict {
                counts[verdict as usize] += 1;
            }
        }
    }
    println!("draw, win, loss, superior, inferior: {counts:?}");
    assert!(counts.iter().all(|&count| count >= 10), "{counts:?}");
}
