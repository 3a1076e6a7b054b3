//! Each rule on one short line that can be checked by eye.

use koel_cuckoo::{Cycle, CycleTable, KeyStack};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::oracle::{is_reversible, key, occupied, parse, shakmaty_table};

struct Game {
    table: CycleTable,
    position: Chess,
    history: KeyStack,
}

impl Game {
    fn new(fen: &str) -> Self {
        Self::with_mode(fen, CastlingMode::Standard)
    }

    fn with_mode(fen: &str, mode: CastlingMode) -> Self {
        let position = parse(fen, mode);
        let history = KeyStack::new(key(&position), 64);
        Self { table: shakmaty_table(), position, history }
    }

    /// Plays moves in UCI notation; `0000` is a null move.
    fn play(mut self, moves: &str) -> Self {
        for text in moves.split_whitespace() {
            if text == "0000" {
                self.position = self.position.swap_turn().unwrap();
                self.history.push_null(key(&self.position));
                continue;
            }
            let played = text.parse::<UciMove>().unwrap().to_move(&self.position).unwrap();
            self.position.play_unchecked(played);
            self.history.push(key(&self.position), is_reversible(played));
        }
        self
    }

    fn upcoming(&self, ply: usize) -> Option<(usize, String)> {
        let timeline = self.history.with_occupied(occupied(&self.position));
        let accept = |plies| self.history.return_is_draw(plies, ply);
        self.table.upcoming_repetition(&timeline, accept).map(|cycle| described(&cycle))
    }

    fn no_progress(&self) -> Option<(usize, String)> {
        let timeline = self.history.with_occupied(occupied(&self.position));
        self.table.no_progress(&timeline, usize::MAX).map(|cycle| described(&cycle))
    }
}

fn described(cycle: &Cycle) -> (usize, String) {
    (cycle.plies, format!("{}{}", cycle.from, cycle.to))
}

fn found(plies: usize, squares: &str) -> Option<(usize, String)> {
    Some((plies, squares.to_owned()))
}

const KINGS: &str = "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
/// A ply at which the root is further back than any repetition.
const DEEP: usize = 99;

#[test]
fn a_king_shuffle_returns_after_four_plies() {
    let game = Game::new(KINGS).play("d3c3 e6d6 c3d3");
    assert_eq!(game.upcoming(DEEP), found(3, "d6e6"));
    assert_eq!(game.no_progress(), None);
}

#[test]
fn a_rook_shuffle_returns_after_four_plies() {
    let game = Game::new(ROOKS).play("a1a7 h8h2 a7a1");
    assert_eq!(game.upcoming(DEEP), found(3, "h2h8"));
}

#[test]
fn two_triangles_return_after_six_plies() {
    // The XOR of the opponent's three moves contains the side key three times.
    let game = Game::new(KINGS).play("d3c3 e6f6 c3c2 f6e7 c2d3");
    assert_eq!(game.upcoming(DEEP), found(5, "e7e6"));
}

#[test]
fn a_square_and_a_square_return_after_eight_plies() {
    let game = Game::new(KINGS).play("d3c3 e6f6 c3c2 f6f7 c2d2 f7e7 d2d3");
    assert_eq!(game.upcoming(DEEP), found(7, "e7e6"));
}

#[test]
fn longer_walks_return_after_ten_and_fourteen_plies() {
    let ten = "d3c3 e6f6 c3b3 f6g6 b3b2 g6g7 b2c2 g7f7 c2d3";
    assert_eq!(Game::new(KINGS).play(ten).upcoming(DEEP), found(9, "f7e6"));
    let fourteen = "d3c3 e6f6 c3b3 f6g6 b3a3 g6h6 a3a2 h6h7 a2b2 h7g7 b2c2 g7f7 c2d3";
    assert_eq!(Game::new(KINGS).play(fourteen).upcoming(DEEP), found(13, "f7e6"));
}

#[test]
fn a_knight_and_a_king_go_round_in_eight_plies() {
    let game = Game::new("4k3/8/8/8/8/8/8/1N2K3 b - - 0 1");
    let game = game.play("e8f8 b1c3 f8f7 c3e4 f7e7 e4c3 e7e8");
    assert_eq!(game.upcoming(DEEP), found(7, "c3b1"));
}

#[test]
fn two_knights_that_swap_squares_are_the_same_position() {
    // b1-c3-d1 and d1-b2-c4-a3, and one move is left.
    let game = Game::new("4k3/8/8/8/8/8/8/1N1NK3 b - - 0 1");
    let game = game.play("e8f8 b1c3 f8e8 d1b2 e8f8 c3d1 f8e7 b2c4 e7f7 c4a3 f7e8");
    assert_eq!(game.upcoming(DEEP), found(11, "a3b1"));
}

#[test]
fn a_position_at_the_root_counts_only_if_it_was_repeated() {
    let once = Game::new(KINGS).play("d3c3 e6d6 c3d3");
    assert_eq!(once.upcoming(4), found(3, "d6e6"), "strictly after the root");
    assert_eq!(once.upcoming(3), None, "the root itself");
    assert_eq!(once.upcoming(0), None, "before the root");
    let twice = once.play("d6e6 d3c3 e6d6 c3d3");
    assert_eq!(twice.upcoming(3), found(3, "d6e6"), "third occurrence of the root");
    assert_eq!(twice.upcoming(0), found(3, "d6e6"), "third occurrence in the game");
}

#[test]
fn the_scan_goes_on_past_a_position_that_does_not_count() {
    // The nearest return (3 plies) occurred once, one further back (7 plies) twice.
    let game = Game::new(KINGS).play("d3c3 e6d6 c3d3 d6e6 d3c3 e6d6 c3d3 d6c6 d3d2 c6d6 d2d3");
    assert_eq!(game.upcoming(DEEP), found(3, "d6c6"));
    assert_eq!(game.upcoming(0), found(7, "d6e6"));
}

#[test]
fn a_blocked_path_is_no_move() {
    // The rook went from a1 to a8 by way of h1 and h8, and one of its own pieces is between.
    let game = Game::new("8/8/8/8/n7/8/k6K/r7 w - - 0 1");
    let game = game.play("h2g2 a1h1 g2f3 h1h8 f3g2 h8a8 g2h2");
    assert_eq!(game.upcoming(DEEP), None);
    let open = Game::new("8/8/8/8/1n6/8/1k5K/r7 w - - 0 1");
    let open = open.play("h2g2 a1h1 g2f3 h1h8 f3g2 h8a8 g2h2");
    assert_eq!(open.upcoming(DEEP), found(7, "a8a1"));
}

#[test]
fn a_castling_right_lost_inside_is_no_return() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(Game::new(fen).play("e1e2 e8e7 e2e1").upcoming(DEEP), None);
    assert_eq!(Game::new(fen).play("a1b1 h8g8 b1a1").upcoming(DEEP), None);
    // Once they are lost, the cycle closes on the second position.
    let game = Game::new(fen).play("e1e2 e8e7 e2e1 e7e8 e1e2");
    assert_eq!(game.upcoming(DEEP), found(3, "e8e7"));
}

#[test]
fn castling_in_chess960_is_no_return() {
    let game = Game::with_mode("6kr/8/8/8/8/8/8/6KR w Kk - 0 1", CastlingMode::Chess960);
    // White castles, which moves only the rook (h1-f1). Then king and rook return.
    let game = game.play("g1h1 g8g7 f1f2 g7g8 f2h2 g8g7 h2h1");
    assert_eq!(game.upcoming(DEEP), None);
    assert_eq!(game.no_progress(), None);
}

#[test]
fn en_passant_in_the_first_position_is_no_return() {
    let taken = Game::new("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").play("e8e7 e1e2 e7e8");
    assert_eq!(taken.upcoming(DEEP), None);
    // No pawn can capture: the en-passant square has no effect, and the cycle closes.
    let idle = Game::new("4k3/8/8/8/1p2P3/8/8/4K3 b - e3 0 1").play("e8e7 e1e2 e7e8");
    assert_eq!(idle.upcoming(DEEP), found(3, "e2e1"));
    // The capture would expose the king on the rank, which has the same effect.
    let pinned = Game::new("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1").play("a4a5 e1e2 a5a4");
    assert_eq!(pinned.upcoming(DEEP), found(3, "e2e1"));
}

#[test]
fn an_illegal_en_passant_capture_hides_no_repetition() {
    // Stockfish 94175524b: taking on f6 would open the rank to the rook on a5.
    let game = Game::new("5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4");
    let game = game.play("d7c8 f8f7 c8d7 f7f8");
    assert_eq!((game.history.occurrences(), game.history.previous_occurrence()), (2, Some(4)));
    let game = game.play("d7d8 f8f7 d8d7");
    assert_eq!(game.upcoming(0), found(3, "f7f8"), "for the third time");
}

#[test]
fn a_pawn_move_or_a_capture_ends_the_reach() {
    let pawn = Game::new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").play("e2e4 e8e7 e1e2 e7e8");
    assert_eq!(pawn.history.reversible_plies(), 3);
    assert_eq!(pawn.upcoming(DEEP), found(3, "e2e1"), "back to the position after the push");
    let capture = Game::new("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1").play("e1e2 e8e7 a1a8 e7e6 e2e1");
    assert_eq!(capture.history.reversible_plies(), 2);
    assert_eq!(capture.upcoming(DEEP), None);
}

#[test]
fn a_null_move_ends_the_reach() {
    let game = Game::new(KINGS).play("d3c3 0000 c3d3");
    assert_eq!((game.history.reversible_plies(), game.upcoming(DEEP)), (1, None));
    // Two null moves restore the key, but positions before them do not count as repeated.
    let game = Game::new(KINGS).play("0000 0000 d3c3 e6d6 c3d3 d6e6");
    assert_eq!(game.history.occurrences(), 2, "once since the second null move");
    assert_eq!(game.history.previous_occurrence(), Some(4));
}

#[test]
fn a_move_of_the_opponent_is_no_upcoming_repetition() {
    // White triangulated while Black moved forth and back: Black's pieces are back.
    let game = Game::new(KINGS).play("d3c3 e6d6 c3c2 d6e6 c2d2");
    assert_eq!(game.upcoming(DEEP), None);
    // Five plies ago, with White to move, Kd3-d2 would have led here directly.
    assert_eq!(game.no_progress(), found(5, "d3d2"));
}

#[test]
fn only_the_opponents_piece_differs_after_one_move() {
    // Distances of one ply and of three plies (one move of ours) do not count as cycles.
    let game = Game::new(KINGS).play("d3c3");
    assert_eq!(game.no_progress(), None);
    let game = Game::new(KINGS).play("d3c3 e6d6 c3d2");
    assert_eq!(game.no_progress(), None);
}

#[test]
fn no_progress_is_bounded_by_the_root() {
    let game = Game::new(KINGS).play("d3c3 e6d6 c3c2 d6e6 c2d2");
    let timeline = game.history.with_occupied(occupied(&game.position));
    let found = |ply| game.table.no_progress(&timeline, ply).is_some();
    assert_eq!([0, 1, 4, 5, 6].map(found), [false, false, false, false, true]);
}

#[test]
fn no_progress_needs_equal_castling_rights_and_no_en_passant() {
    let with = Game::new("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").play("e1d1 e8d8 d1c2 d8e8 c2d2");
    assert_eq!(with.no_progress(), None, "Ke1-d2 would have given up castling");
    let without = Game::new("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").play("e1d1 e8d8 d1c2 d8e8 c2d2");
    assert_eq!(without.no_progress(), found(5, "e1d2"));
    let taken = Game::new("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").play("e8d8 e1d1 d8d7 d1e1 d7e7");
    assert_eq!(taken.no_progress(), None, "en passant was legal there");
    let idle = Game::new("4k3/8/8/8/1p2P3/8/8/4K3 b - - 0 1").play("e8d8 e1d1 d8d7 d1e1 d7e7");
    assert_eq!(idle.no_progress(), found(5, "e8e7"));
}

#[test]
fn no_progress_needs_a_clear_path() {
    // The rook goes around its own knight; with the knight off the file it could go directly.
    let blocked = Game::new("8/5k2/8/8/N7/8/1K6/R7 w - - 0 1").play("a1h1 f7e7 h1h8 e7f7 h8a8");
    assert_eq!(blocked.no_progress(), None);
    let open = Game::new("8/5k2/8/8/1N6/8/1K6/R7 w - - 0 1").play("a1h1 f7e7 h1h8 e7f7 h8a8");
    assert_eq!(open.no_progress(), found(5, "a1a8"));
}

#[test]
fn pins_and_checks_need_no_special_case() {
    // The knight is pinned; only the kings move.
    let game = Game::new("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1").play("e1f1 g8g7 f1e1");
    assert_eq!(game.upcoming(DEEP), found(3, "g7g8"));
    // Perpetual check: White, in check, returns by the only move.
    let game = Game::new("6k1/5ppp/8/8/7q/8/6PP/7K b - - 0 1").play("h4e1");
    assert_eq!(game.upcoming(DEEP), None);
    let game = Game::new("7k/6pp/8/8/8/8/q5PP/5Q1K w - - 0 1").play("f1f8");
    assert!(game.position.legal_moves().is_empty() || game.upcoming(DEEP).is_none());
    let game = Game::new("6k1/8/8/6Q1/8/8/8/K7 b - - 0 1").play("g8h8 g5h6 h8g8 h6g5");
    assert_eq!(game.history.occurrences(), 2);
    assert!(game.position.is_check());
    assert_eq!(game.upcoming(DEEP), found(3, "g8h8"));
}

#[test]
fn single_occurrences_before_the_root_do_not_count() {
    // Stockfish ad8b78ad5: after 1...Kb2 2.Kg1 Black could go to c1 or a1, each once on the board
    // before the root. Kb2 wins; an engine that counts one such occurrence returns 0.00.
    let line = "c1b1 h1g1 b1c1 g1h1 c1b1 h1g1 b1a1 g1h1";
    let root = Game::new("8/8/8/8/8/8/p7/2k4K b - - 0 1").play(line);
    assert_eq!(root.upcoming(0), found(3, "a1b1"), "a true third occurrence");
    let after = root.play("a1b2 h1g1");
    assert_eq!(after.upcoming(2), None);
    let timeline = after.history.with_occupied(occupied(&after.position));
    assert!(after.table.upcoming_repetition(&timeline, |_| true).is_some());
}

#[test]
fn a_drawing_return_in_a_pawn_ending_is_seen_at_the_root() {
    // A single return to the root is not a draw at the root itself.
    let game = Game::new("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1").play("a1a2 a7a8 a2a1");
    assert_eq!(game.upcoming(0), None);
    assert_eq!(game.upcoming(DEEP), found(3, "a8a7"));
}

#[test]
fn a_bishop_that_moves_back_and_forth_is_no_draw_by_itself() {
    let fen = "4rbkr/1q3pp1/b3pn2/7p/1pN5/1P1BBP1P/P1R2QP1/3R2K1 w - - 5 31";
    let game = Game::new(fen).play("e3d4 h8h6 d4e3");
    assert_eq!(game.upcoming(0), None);
    assert_eq!(game.upcoming(DEEP), found(3, "h6h8"));
    assert!(!game.history.is_draw_by_repetition(0));
}
