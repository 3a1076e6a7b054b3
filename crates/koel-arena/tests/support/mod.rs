//! Files, engines and matches of the tests.
#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::HashSet;
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use koel_arena::{
    Adjudication, Conclusion, EngineSpec, Match, MatchEngine, MatchScore, MatchState, MoveLimits,
    parse_epd, read_state,
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// The files of one match in the folder of the tests.
pub(crate) struct Files {
    pub(crate) state: PathBuf,
    pub(crate) pgn: PathBuf,
}

impl Files {
    pub(crate) fn new(name: &str) -> Files {
        let files = Files::kept(name);
        let _ = fs::remove_file(&files.state);
        let _ = fs::remove_file(&files.pgn);
        files
    }

    /// Returns the files as an earlier run left them.
    pub(crate) fn kept(name: &str) -> Files {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arena");
        fs::create_dir_all(&folder).unwrap();
        Files {
            state: folder.join(format!("{name}.json")),
            pgn: folder.join(format!("{name}.pgn")),
        }
    }

    pub(crate) fn state(&self) -> MatchState {
        read_state(&self.state).unwrap().unwrap_or_default()
    }

    /// Asserts that every game is in both files once, and that every move in the PGN is legal.
    pub(crate) fn assert_complete(&self, games: usize) {
        let state = self.state();
        assert_eq!(state.games.len(), games);
        let text = fs::read_to_string(&self.pgn).unwrap();
        let ends = state.games.values().filter_map(|game| Some(game.pgn?.end()));
        assert_eq!(text.len() as u64, ends.max().unwrap_or_default());
        let rounds = read_back(&text);
        assert_eq!(rounds.len(), games);
        let distinct: HashSet<_> = rounds.iter().cloned().collect();
        let known: HashSet<_> = state.games.keys().map(ToString::to_string).collect();
        assert_eq!(distinct, known);
    }
}

/// Replays all games of a PGN and returns the `Round` tag of each.
pub(crate) fn read_back(pgn: &str) -> Vec<String> {
    let mut reader = Reader::new(Cursor::new(pgn));
    reader.read_games(&mut Replay).map(|game| game.unwrap()).collect()
}

/// Replays a game and returns its `Round` tag.
struct Replay;

impl Visitor for Replay {
    type Tags = (String, Chess);
    type Movetext = (String, Chess);
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, Self::Tags> {
        ControlFlow::Continue((String::new(), Chess::new()))
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<String> {
        let value = value.decode_utf8().unwrap();
        match name {
            b"Round" => tags.0 = value.into_owned(),
            b"FEN" => {
                let fen: Fen = value.parse().unwrap();
                // This mode accepts standard games too.
                tags.1 = fen.into_position(CastlingMode::Chess960).unwrap();
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<String, Self::Movetext> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<String> {
        let m = san.san.to_move(&game.1).unwrap();
        game.1.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Self::Movetext) -> String {
        game.0
    }
}

/// The scripted engine, with faults such as `crash@2` as its arguments.
pub(crate) fn scripted(name: &str, faults: &[&str]) -> EngineSpec {
    let mut spec = EngineSpec::new(name, scripted_engine());
    spec.arguments.extend(faults.iter().map(ToString::to_string));
    spec
}

/// The program of `examples/scripted_engine.rs`. Cargo builds examples with the tests of a package,
/// except when only some tests are named.
fn scripted_engine() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let name = format!("scripted_engine{}", std::env::consts::EXE_SUFFIX);
    let engine = profile.join("examples").join(name);
    assert!(engine.is_file(), "run all tests of the package: {} is missing", engine.display());
    engine
}

/// A match of short games between two engines without faults.
pub(crate) fn short_match(files: &Files) -> Match {
    let engine = |name| MatchEngine { spec: scripted(name, &[]), limits: MoveLimits::Depth(1) };
    let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
                rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n\
                rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    let openings = parse_epd(text.as_bytes(), CastlingMode::Standard).unwrap();
    let mut config = Match::new([engine("first"), engine("second")], openings);
    config.adjudication = Adjudication { max_moves: Some(10), ..Adjudication::NONE };
    config.margin = Duration::ZERO;
    config.timeouts.stop = Duration::from_secs(5);
    (config.state, config.pgn) = (Some(files.state.clone()), Some(files.pgn.clone()));
    config
}

pub(crate) fn play(config: &Match) -> (Conclusion, MatchScore) {
    let (conclusion, scores) = config.run(&false.into(), &|_| {}).unwrap();
    (conclusion, scores[0].clone())
}
