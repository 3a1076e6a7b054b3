//! Tests of limited strength and of contempt.

use koel_board::Game;
use koel_uci::{Info, Reply, Score};

use crate::support::{Engine, SOON, best_move, dialogue};

const LIMITED: &str = "setoption name UCI_LimitStrength value true\n";

fn infos(lines: &[String]) -> Vec<Info> {
    let read = |line: &String| match line.parse() {
        Ok(Reply::Info(info)) if info.score.is_some() => Some(*info),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

fn at_elo(elo: u32, rest: &str) -> Vec<String> {
    dialogue(format!("{LIMITED}setoption name UCI_Elo value {elo}\n{rest}"))
}

#[test]
fn the_best_move_is_that_of_the_last_line() {
    for elo in [1320, 1500, 2200, 2850] {
        for options in ["", "setoption name Minimal value true\n"] {
            for game in ["startpos", "startpos moves e2e4", "startpos moves d2d4 d7d5"] {
                let lines =
                    at_elo(elo, &format!("{options}position {game}\ngo nodes 20000\nwait\n"));
                let infos = infos(&lines);
                assert!(infos.iter().all(|info| info.multipv == Some(1)), "{lines:#?}");
                assert_eq!(infos.last().unwrap().pv[0].as_str(), best_move(&lines), "{lines:#?}");
            }
        }
    }
}

#[test]
fn lower_ratings_search_fewer_nodes() {
    let nodes = |elo| {
        let lines = at_elo(elo, "go wtime 600000 btime 600000\nwait\n");
        infos(&lines).last().unwrap().nodes.unwrap()
    };
    let nodes = [1320, 1800, 2200].map(nodes);
    assert!(nodes.is_sorted() && nodes[0] <= 400 && nodes[2] > 2 * nodes[0], "{nodes:?}");
    // A node limit of the user applies as well.
    let lines = at_elo(2850, "go nodes 500\nwait\n");
    assert!(infos(&lines).last().unwrap().nodes.unwrap() <= 500);
}

#[test]
fn a_skill_level_limits_the_nodes_as_its_rating_does() {
    let nodes = |options: &str| {
        let lines = dialogue(format!("{options}go wtime 600000 btime 600000\nwait\n"));
        infos(&lines).last().unwrap().nodes.unwrap()
    };
    let level = |level| nodes(&format!("setoption name Skill Level value {level}\n"));
    assert_eq!(level(0), nodes(&format!("{LIMITED}setoption name UCI_Elo value 1320\n")));
    assert!(level(0) < level(5) && level(5) < level(10));
}

#[test]
fn moves_vary_between_games_and_are_reproducible() {
    let game = "position startpos\ngo nodes 3000\nwait\nposition startpos moves e2e4 e7e5\n\
                go nodes 3000\nwait\nposition startpos moves d2d4 d7d5\ngo nodes 3000\nwait\n";
    let games = |count: usize| {
        let lines = at_elo(1320, &format!("ucinewgame\n{game}").repeat(count));
        let moves = lines.into_iter().filter(|line| line.starts_with("bestmove"));
        moves.collect::<Vec<_>>()
    };
    let (once, six) = (games(1), games(6));
    assert_eq!(six[..3], once, "reproducible");
    assert!(six.chunks(3).any(|moves| moves != once), "{six:#?}");
}

#[test]
fn a_mate_in_one_is_played_at_any_strength() {
    let lines =
        at_elo(1320, "position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo nodes 3000\nwait\n");
    assert_eq!(best_move(&lines), "d1d8");
}

#[test]
fn without_the_limit_the_rating_has_no_effect() {
    let moves = |options: &str| {
        let lines = dialogue(format!("{options}go depth 8\nwait\n"));
        infos(&lines).iter().map(|info| (info.nodes, info.pv.clone())).collect::<Vec<_>>()
    };
    let standard = moves("");
    assert_eq!(moves("setoption name UCI_Elo value 1320\n"), standard);
    let off = "setoption name UCI_LimitStrength value false\n";
    assert_eq!(moves(&format!("{LIMITED}{off}")), standard);
    assert_eq!(moves("setoption name Contempt value 0\n"), standard);
}

#[test]
fn analysis_is_not_limited() {
    let limits =
        ["setoption name Skill Level value 0", "setoption name UCI_LimitStrength value true"];
    for limit in limits {
        let mut engine = Engine::start();
        // Far more than the limit of this strength, after which it would be silent until `stop`.
        engine.send(format!("{limit}\ngo infinite"));
        engine.receive_until("info depth 12 ", SOON);
        engine.send("stop");
        engine.receive_until("bestmove", SOON);
        engine.send("setoption name UCI_AnalyseMode value true\ngo depth 12");
        let lines = engine.receive_until("bestmove", SOON);
        assert!(lines.iter().any(|line| line.starts_with("info depth 12 ")), "{lines:#?}");
        engine.send("setoption name UCI_AnalyseMode value false\nucinewgame\ngo depth 12");
        let lines = engine.receive_until("bestmove", SOON);
        assert!(!lines.iter().any(|line| line.starts_with("info depth 12 ")), "{lines:#?}");
    }
}

/// Plays a won ending against a defender of full strength. Returns the number of plies to mate.
fn plies_to_mate(elo: u32, fen: &str) -> usize {
    let mut game = Game::new(fen.parse().unwrap());
    let mut moves = String::new();
    let mut engines = [LIMITED, ""].map(|limit| {
        let mut engine = Engine::start();
        engine.send(format!("setoption name UCI_Elo value {elo}\n{limit}ucinewgame"));
        engine
    });
    while game.position().has_legal_moves() {
        let plies = game.moves().len();
        assert!(game.position().halfmove_clock() < 100, "{elo}, {fen}: not won in time\n{moves}");
        let engine = &mut engines[plies % 2];
        engine.send(format!("position fen {fen} moves{moves}\ngo nodes 10000"));
        let lines = engine.receive_until("bestmove", SOON);
        let m = game.position().parse_uci(best_move(&lines)).unwrap();
        let after = game.position().after(m).key();
        let count = game.keys().filter(|&key| key == after).count();
        assert!(count < 2, "{elo}, {fen}: a draw by repetition\n{moves}");
        moves += &format!(" {}", best_move(&lines));
        game.play(m).unwrap();
    }
    assert!(game.position().is_check(), "{elo}, {fen}: stalemate\n{moves}");
    game.moves().len()
}

#[test]
fn a_won_ending_is_won_at_any_strength() {
    for elo in [1320, 1600] {
        for fen in [
            "8/8/8/4k3/8/8/8/K6R w - - 0 1",
            "8/8/3k4/8/8/2R5/8/7K w - - 0 1",
            "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1",
            "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        ] {
            let plies = plies_to_mate(elo, fen);
            assert!(plies < 160, "{elo}, {fen}: {plies} plies");
        }
    }
}

#[test]
fn contempt_applies_to_play_and_not_to_analysis() {
    // Every move completes the fifty moves without progress.
    let drawn = "position fen 8/8/3k4/8/8/3K4/8/7R b - - 99 90\n";
    let score = |go: &str| {
        let mut engine = Engine::start();
        engine.send(format!("setoption name Contempt value 40\n{drawn}{go}"));
        let lines = engine.receive_until("info depth 4 ", SOON);
        match infos(&lines).last().unwrap().score.unwrap().score {
            Score::Centipawns(centipawns) => centipawns,
            Score::Mate(_) => panic!("{lines:#?}"),
        }
    };
    assert!((score("go depth 4") + 40).abs() <= 2);
    assert!(score("go infinite").abs() <= 2);
}
