//! Endgame tables in the search and in the ranking of root moves. The tables here are invented;
//! real ones are tested with the engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use koel_board::{Color, Position, Role};
use koel_search::{
    Depth, Limits, RootRanking, Score, SearchResult, Shared, Tablebase, Tablebases, Wdl, Worker,
};

use crate::support::game;

/// Tables in which the side with the only rook or queen wins, the sooner the nearer its king is to
/// the a-file.
#[derive(Debug, Default)]
struct MadeUp {
    max_pieces: usize,
    is_without_distances: bool,
    asked: AtomicU64,
}

impl MadeUp {
    fn winner(position: &Position) -> Option<Color> {
        let heavy = position.role(Role::Rook) | position.role(Role::Queen);
        Color::ALL.into_iter().find(|&color| !(position.color(color) & heavy).is_empty())
    }
}

impl Tablebase for MadeUp {
    fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        self.asked.fetch_add(1, Relaxed);
        Some(match MadeUp::winner(position) {
            Some(color) if color == position.turn() => Wdl::Win,
            Some(_) => Wdl::Loss,
            None => Wdl::Draw,
        })
    }

    fn probe_dtz(&self, position: &Position) -> Option<i32> {
        if self.is_without_distances {
            return None;
        }
        let Some(color) = MadeUp::winner(position) else { return Some(0) };
        let plies = 10 + 2 * position.king(color).file() as i32;
        Some(if color == position.turn() { plies } else { -plies })
    }
}

fn tables(source: MadeUp) -> (Arc<MadeUp>, Tablebases) {
    let source = Arc::new(source);
    let tables = Tablebases {
        source: Arc::clone(&source) as Arc<dyn Tablebase>,
        probe_depth: Depth(1),
        probe_limit: 7,
        fifty_move_rule: true,
    };
    (source, tables)
}

fn of_three() -> MadeUp {
    MadeUp { max_pieces: 3, ..MadeUp::default() }
}

fn rank(fen: &str, moves: &str) -> RootRanking {
    tables(of_three()).1.rank_root_moves(&game(fen, moves)).unwrap()
}

/// The rank of a move in UCI notation.
fn rank_of(ranking: &RootRanking, text: &str) -> i32 {
    ranking.moves.iter().find(|ranked| ranked.m.to_string() == text).unwrap().rank
}

fn search(fen: &str, tables: Option<Tablebases>, limits: Limits) -> (SearchResult, u64) {
    let mut shared = Shared::new(4, 1).unwrap();
    shared.set_tablebases(tables);
    let result = Worker::new(0).search(&shared, &game(fen, ""), &limits, &mut ());
    (result, shared.tablebase_hits())
}

#[test]
fn few_pieces_are_looked_up_once_something_was_taken() {
    // White takes the knight and keeps the rook.
    let fen = "7k/8/8/8/8/n7/8/R3K3 w - - 0 1";
    let (source, known) = tables(of_three());
    let (result, hits) = search(fen, Some(known), Limits::to_depth(4));
    assert_eq!(result.best_move.unwrap().to_string(), "a1a3");
    assert_eq!(result.score, Score::tablebase_win_at(1));
    assert!(hits > 0 && hits == source.asked.load(Relaxed), "{hits}");
    let (result, hits) = search(fen, None, Limits::to_depth(4));
    assert!(!result.score.is_decided() && hits == 0);
    // With castling rights, or beyond a limit, the tables are not probed.
    let castles = "7k/8/8/8/8/n7/8/R3K3 w Q - 0 1";
    let (_, mut known) = tables(of_three());
    let (_, hits) = search(castles, Some(known.clone()), Limits::to_depth(1));
    assert_eq!(hits, 0);
    known.probe_limit = 2;
    let (_, hits) = search(fen, Some(known.clone()), Limits::to_depth(5));
    assert_eq!(hits, 0, "of two pieces nothing is to be asked");
    (known.probe_limit, known.probe_depth) = (3, Depth(100));
    let (_, hits) = search(fen, Some(known), Limits::to_depth(5));
    assert_eq!(hits, 0, "not deep enough");
}

#[test]
fn a_capture_that_mates_is_more_than_a_win_by_the_tables() {
    for fen in ["n6k/R7/6K1/8/8/8/8/8 w - - 0 1", "n6k/R7/6K1/8/8/8/7P/8 w - - 0 1"] {
        for depth in 1..=14 {
            let (_, known) = tables(of_three());
            let (result, _) = search(fen, Some(known), Limits::to_depth(depth));
            assert_eq!(result.best_move.unwrap().to_string(), "a7a8", "{fen}, depth {depth}");
            assert_eq!(result.score, -Score::mated_in(1), "{fen}, depth {depth}");
        }
    }
}

#[test]
fn the_loser_sees_it_too() {
    let (_, known) = tables(of_three());
    let lost = "7k/8/8/8/8/8/1R6/n3K3 b - - 0 1";
    let (result, _) = search(lost, Some(known), Limits::to_depth(14));
    assert!(result.score.is_loss(), "{:?}", result.score);
}

#[test]
fn certain_wins_are_equal_until_something_repeats() {
    let fen = "7k/8/8/8/8/8/8/R3K3 w - - 0 1";
    let fresh = rank(fen, "");
    assert!(fresh.uses_dtz);
    assert_eq!(rank_of(&fresh, "e1d1"), rank_of(&fresh, "e1f1"));
    assert!(fresh.moves.iter().all(|ranked| ranked.score == Score::tablebase_win_at(1)));
    let shuffle = "e1d1 h8g8 d1e1 g8h8";
    let repeated = rank(fen, shuffle);
    assert!(rank_of(&repeated, "e1d1") > rank_of(&repeated, "e1f1"), "the shortest way now");
    // A move to a third occurrence is a draw, however short its distance.
    let again = rank(fen, &format!("{shuffle} {shuffle} e1d1 h8g8"));
    assert_eq!(rank_of(&again, "d1e1"), 0);
    assert!(rank_of(&again, "d1c1") > rank_of(&again, "d1d2"));
}

#[test]
fn a_win_that_comes_too_late_is_not_certain() {
    // Ten plies and two a file, and one for the move.
    let late = rank("7k/8/8/8/8/8/8/R3K3 w - - 81 60", "");
    let score =
        |text: &str| late.moves.iter().find(|ranked| ranked.m.to_string() == text).unwrap().score;
    assert_eq!(score("e1d1"), Score::tablebase_win_at(1), "17 plies");
    assert!(!score("e1f1").is_decided(), "21 plies");
    assert!(rank_of(&late, "e1d1") > rank_of(&late, "e1f1") && rank_of(&late, "e1f1") > 0);
}

#[test]
fn only_the_best_ranked_are_searched_and_their_score_is_told() {
    let fen = "8/8/8/8/8/8/1k6/3K3R b - - 0 1";
    let (_, known) = tables(of_three());
    let ranking = known.rank_root_moves(&game(fen, ""));
    let limits = Limits { ranking, multi_pv: 3, ..Limits::to_depth(5) };
    let (result, hits) = search(fen, Some(known), limits);
    assert_eq!((result.score, hits), (-Score::tablebase_win_at(1), 0), "the ranking is enough");
    // Taking the rook draws, all other moves lose.
    let fen = "8/8/8/8/8/8/1k5K/2R5 b - - 0 1";
    let (_, known) = tables(of_three());
    let ranking = known.rank_root_moves(&game(fen, ""));
    let limits = Limits { ranking, ..Limits::to_depth(5) };
    let (result, _) = search(fen, Some(known), limits);
    assert_eq!(result.best_move.unwrap().to_string(), "b2c1");
    assert_eq!(result.score, Score::DRAW);
}

#[test]
fn without_distances_verdicts_rank_and_the_search_goes_on_asking() {
    let fen = "7k/8/8/8/8/n7/8/R3K3 w - - 0 1";
    let source = MadeUp { max_pieces: 4, is_without_distances: true, ..MadeUp::default() };
    let (_, known) = tables(source);
    let ranking = known.rank_root_moves(&game(fen, "")).unwrap();
    assert!(!ranking.uses_dtz);
    let limits = Limits { ranking: Some(ranking), ..Limits::to_depth(5) };
    let (result, hits) = search(fen, Some(known), limits);
    assert!(hits > 0 && result.score.is_win());
}

#[test]
fn unknown_positions_have_no_ranking() {
    let (_, known) = tables(of_three());
    assert_eq!(known.rank_root_moves(&game("7k/8/8/8/8/n7/8/R3K3 w - - 0 1", "")), None);
    assert_eq!(known.rank_root_moves(&game("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "")), None);
}
