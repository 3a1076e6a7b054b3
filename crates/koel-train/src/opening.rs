//! Openings of self-play and of matches, so that games differ.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use koel_board::{Color, Epd, Game, Key, Move, Position};
use koel_eval::Evaluation;
use koel_random::Rng;
use koel_search::{OutOfMemory, Searcher};

use crate::node_limits::NodeLimits;

/// The greatest loss of a move of a natural opening against the best move, in centipawns.
const NATURAL_MARGIN: i32 = 60;
/// The soft node limit of the searches that find these moves.
const NATURAL_NODES: u64 = 60;

/// The kind of an opening. Either side may have to make the first move after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpeningKind {
    /// Two to four plies, each drawn among the good moves, as in games of people and engines.
    Natural,
    /// Six or seven random plies.
    Short,
    /// Eight or nine random plies.
    Long,
}

impl OpeningKind {
    /// Returns the numbers of plies, which are equally frequent.
    fn plies(self) -> Range<usize> {
        match self {
            OpeningKind::Natural => 2..5,
            OpeningKind::Short => 6..8,
            OpeningKind::Long => 8..10,
        }
    }
}

/// A generator of openings, which remembers the good moves of the positions it has seen. What it
/// draws follows from the random numbers and the evaluation alone.
#[derive(Default)]
pub(crate) struct OpeningGenerator {
    /// By position and halfmove clock, on which evaluations depend: otherwise a move would be good
    /// or not by which game of the thread came first.
    good_moves: HashMap<(Key, u16), Vec<Move>>,
}

impl OpeningGenerator {
    /// Plays an opening from the start position, or from a Chess960 position with the given
    /// probability. The position reached has a legal move. The searcher is left as for a new game.
    pub(crate) fn draw(
        &mut self,
        searcher: &mut Searcher,
        rng: &mut Rng,
        kind: OpeningKind,
        chess960_share: f64,
    ) -> Game {
        loop {
            let is_chess960 = rng.next_f64() < chess960_share;
            let start = if is_chess960 { chess960_start(rng) } else { Position::start() };
            let plies = kind.plies();
            let plies = plies.start + rng.below(plies.len());
            let line = match kind {
                OpeningKind::Natural => self.natural_line(searcher, rng, start, plies),
                OpeningKind::Short | OpeningKind::Long => {
                    random_walk(rng, start, plies, |rng, at| pick(rng, &at.legal_moves()))
                }
            };
            if let Some(game) = line {
                return game;
            }
        }
    }

    /// Plays moves drawn among those within [`NATURAL_MARGIN`] of the best; `None` if the game ends
    /// before or with the last of them. The searcher is left as for a new game.
    fn natural_line(
        &mut self,
        searcher: &mut Searcher,
        rng: &mut Rng,
        start: Position,
        plies: usize,
    ) -> Option<Game> {
        let line = random_walk(rng, start, plies, |rng, position| {
            pick(rng, self.good_moves(searcher, position))
        });
        // Whether the moves were remembered or searched for must not show in later searches.
        searcher.new_game();
        line
    }

    /// Returns the moves within [`NATURAL_MARGIN`] of the best by a small search of each.
    fn good_moves(&mut self, searcher: &mut Searcher, position: &Position) -> &[Move] {
        let at = (position.key(), position.halfmove_clock());
        self.good_moves.entry(at).or_insert_with(|| {
            searcher.new_game();
            let limits = NodeLimits::with_soft(NATURAL_NODES);
            let score = |&played: &Move| {
                let mut after = position.clone();
                after.play(played);
                (played, -limits.search(searcher, &Game::new(after)).score.centipawns())
            };
            let scored: Vec<_> = position.legal_moves().iter().map(score).collect();
            let best = scored.iter().map(|&(_, score)| score).max().unwrap_or(0);
            let is_good = |&(_, score): &(Move, i32)| score >= best - NATURAL_MARGIN;
            scored.into_iter().filter(is_good).map(|(played, _)| played).collect()
        })
    }
}

/// Plays the moves that `draw` returns; `None` if the game ends before or with the last of them.
fn random_walk(
    rng: &mut Rng,
    start: Position,
    plies: usize,
    mut draw: impl FnMut(&mut Rng, &Position) -> Option<Move>,
) -> Option<Game> {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let played = draw(rng, game.position())?;
        game.play(played).ok()?;
    }
    game.position().has_legal_moves().then_some(game)
}

/// Draws one of the moves, if there are any.
fn pick(rng: &mut Rng, moves: &[Move]) -> Option<Move> {
    moves.get(rng.below(moves.len())).copied()
}

/// Draws one of the 960 starting positions of Chess960. Both sides have the same back rank.
pub(crate) fn chess960_start(rng: &mut Rng) -> Position {
    let rank = back_rank(rng);
    let rooks = |color: Color| -> String {
        let files = rank.iter().enumerate().filter(|(_, piece)| **piece == 'r');
        let letters = files.map(|(file, _)| char::from(b'a' + file as u8));
        letters.map(|c| if color.is_white() { c.to_ascii_uppercase() } else { c }).collect()
    };
    let black: String = rank.iter().collect();
    let white = black.to_ascii_uppercase();
    let castling = rooks(Color::White) + &rooks(Color::Black);
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling} - 0 1");
    Position::from_fen(&fen).expect("a starting position is legal")
}

/// Draws the pieces of the back rank, from the a-file.
fn back_rank(rng: &mut Rng) -> [char; 8] {
    let mut rank = [' '; 8];
    rank[2 * rng.below(4)] = 'b';
    rank[2 * rng.below(4) + 1] = 'b';
    for (piece, free) in [('q', 6), ('n', 5), ('n', 4)] {
        place(&mut rank, rng.below(free), piece);
    }
    for piece in ['r', 'k', 'r'] {
        place(&mut rank, 0, piece);
    }
    rank
}

/// Puts a piece on the nth free square, counted from 0.
fn place(rank: &mut [char; 8], nth: usize, piece: char) {
    if let Some(square) = rank.iter_mut().filter(|square| **square == ' ').nth(nth) {
        *square = piece;
    }
}

/// The least number of plies of an opening for matches; up to three more follow.
const MATCH_PLIES: usize = 5;
/// The largest absolute score of such an opening, in centipawns...
const MATCH_SCORE: i32 = 100;
/// ...by a search with this soft node limit.
const MATCH_NODES: u64 = 5_000;

/// Returns openings of five to eight good moves from the start position: their final positions as
/// sorted lines of EPD, none twice. The moves are drawn like those of natural openings of
/// self-play. The count and the seed determine the set. `report` receives the
/// number found so far.
///
/// # Errors
/// The memory of a search cannot be allocated.
pub(crate) fn match_openings(
    count: usize,
    seed: u64,
    report: &mut dyn FnMut(usize),
) -> Result<Vec<String>, OutOfMemory> {
    let mut searcher = Searcher::new(1, Evaluation::default())?;
    let mut generator = OpeningGenerator::default();
    let mut rng = Rng::new(seed);
    let mut lines = BTreeSet::new();
    while lines.len() < count {
        let plies = MATCH_PLIES + rng.below(4);
        let start = Position::start();
        let Some(game) = generator.natural_line(&mut searcher, &mut rng, start, plies) else {
            continue;
        };
        let score = NodeLimits::with_soft(MATCH_NODES).search(&mut searcher, &game).score;
        if score.centipawns().abs() <= MATCH_SCORE && !game.position().is_check() {
            let position = game.position().clone();
            lines.insert(Epd { position, operations: Vec::new() }.to_string());
            report(lines.len());
        }
    }
    Ok(lines.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_960_positions_are_those_of_the_rules() {
        let mut rng = Rng::new(1);
        let mut seen = HashSet::new();
        for _ in 0..20_000 {
            let rank = back_rank(&mut rng);
            let files =
                |piece| -> Vec<usize> { (0..8).filter(|&file| rank[file] == piece).collect() };
            let (rooks, king, bishops) = (files('r'), files('k')[0], files('b'));
            assert!(rooks[0] < king && king < rooks[1], "{rank:?}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank:?}");
            seen.insert(rank);
        }
        assert_eq!(seen.len(), 960);
        assert_eq!(chess960_start(&mut rng).castling_rooks().count(), 4);
    }

    #[test]
    fn openings_differ_and_go_on() {
        let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
        let mut generator = OpeningGenerator::default();
        for (kind, shorter) in [(OpeningKind::Short, 6), (OpeningKind::Long, 8)] {
            let mut seen = HashSet::new();
            let (mut after_fewer, mut chess960) = (0, 0);
            for stream in 0..400 {
                let rng = &mut Rng::for_stream(1, stream);
                let game = generator.draw(&mut searcher, rng, kind, 0.25);
                assert!(game.position().has_legal_moves());
                after_fewer += usize::from(game.moves().len() == shorter);
                chess960 += usize::from(game.start() != &Position::start());
                seen.insert(game.position().key().0);
            }
            assert!(seen.len() > 390, "{}", seen.len());
            assert!((150..250).contains(&after_fewer), "{after_fewer}");
            assert!((60..140).contains(&chess960), "{chess960}");
        }
    }

    #[test]
    fn good_moves_do_not_depend_on_the_order_of_positions_with_one_key() {
        let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
        let mut good = |generator: &mut OpeningGenerator, at: &Position| {
            generator.good_moves(&mut searcher, at).to_vec()
        };
        let mut different = 0;
        for placement in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq",
            "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq",
            "r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq",
            "r2q1rk1/pp2ppbp/2npbnp1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ",
        ] {
            let both = [0, 95]
                .map(|clock| Position::from_fen(&format!("{placement} - {clock} 60")).unwrap());
            assert_eq!(both[0].key(), both[1].key());
            let alone = both.clone().map(|at| good(&mut OpeningGenerator::default(), &at));
            different += usize::from(alone[0] != alone[1]);
            let mut generator = OpeningGenerator::default();
            assert_eq!(both.map(|at| good(&mut generator, &at)), alone);
        }
        assert!(different > 0);
    }

    #[test]
    fn natural_openings_are_good_and_do_not_depend_on_what_was_drawn_before() {
        let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
        let mut generator = OpeningGenerator::default();
        let mut lengths = HashSet::new();
        let games: Vec<_> = (0..30)
            .map(|stream| {
                let rng = &mut Rng::for_stream(2, stream);
                generator.draw(&mut searcher, rng, OpeningKind::Natural, 0.1)
            })
            .collect();
        for (stream, game) in games.iter().enumerate().rev() {
            let rng = &mut Rng::for_stream(2, stream as u64);
            let mut fresh = OpeningGenerator::default();
            let again = fresh.draw(&mut searcher, rng, OpeningKind::Natural, 0.1);
            assert!(again.moves().eq(game.moves()));
            lengths.insert(game.moves().len());
        }
        assert_eq!(lengths, HashSet::from([2, 3, 4]));
        // Nobody gives the queen or opens the king: 1. f3 e5 2. g4 is no natural opening.
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let position = Position::from_fen(fen).unwrap();
        let good = generator.good_moves(&mut searcher, &position);
        assert!(!good.contains(&position.parse_uci("g2g4").unwrap()));
        assert!(good.contains(&position.parse_uci("e2e4").unwrap()) && good.len() < 19);
    }

    #[test]
    fn openings_are_positions_of_five_to_eight_plies_and_repeat() {
        let openings = |count, seed| match_openings(count, seed, &mut |_| ()).unwrap();
        let lines = openings(6, 1);
        assert_eq!(lines, openings(6, 1));
        assert_ne!(lines, openings(6, 2));
        assert_eq!(lines.len(), 6);
        for line in &lines {
            assert_eq!(line.split(' ').count(), 4);
            let position = Position::from_fen(&format!("{line} 0 1")).unwrap();
            assert!(position.has_legal_moves() && position.occupied().count() >= 26, "{line}");
        }
    }
}
