//! The formats with their valid inputs and their readers.

use std::collections::BTreeMap;
use std::{env, fs, process};

use koel_arena::shakmaty::CastlingMode;
use koel_arena::{Ending, GameId, GameOutcome, GameRecord, MatchJournal, parse_pgn, read_state};
use koel_board::{Epd, Position};
use koel_eval::network::Network;
use koel_random::Rng;
use koel_train::{GameReader, GameResult, ScoredMove, TrainingGame, write_game};
use koel_tt::{Bound, Entry, TranspositionTable};
use koel_uci::{Command, Reply};

use super::{Format, Verdict};

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    "4k3/8/8/8/4pP2/8/8/R3K1R1 b GA f3 12 34",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
];

pub(crate) static UCI: Format = Format {
    name: "uci",
    seeds: || {
        let lines = [
            "position startpos moves e2e4 e7e5 g1f3",
            "position fen r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1 moves e5d6",
            "go wtime 1000 btime 900 winc 10 binc 5 movestogo 40 depth 9 nodes 5 mate 3",
            "go searchmoves e2e4 d2d4 infinite",
            "setoption name Move Overhead value 10",
            "register name A B code 12",
            "debug on",
            "info depth 5 seldepth 9 multipv 1 score cp 13 lowerbound wdl 1 2 997 nodes 9 nps 8 \
             hashfull 7 tbhits 6 time 5 pv e2e4 e7e5",
            "info score mate -3 string a text",
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Mode type combo default a b var a b var c",
            "bestmove e2e4 ponder e7e5",
        ];
        lines.map(|line| line.as_bytes().to_vec()).to_vec()
    },
    words: &["go ", "depth ", "moves ", "fen ", " value ", " string ", "0000", "searchmoves "],
    repair: |_| {},
    read: |input| {
        let text = String::from_utf8_lossy(input);
        let line = text.lines().next().unwrap_or_default();
        let mut command = Command::parse(line);
        if let Ok(Some(command)) = &mut command {
            // What was not understood is not written.
            if let Command::Go(go) = command {
                go.errors.clear();
            }
            let again = Command::parse(&command.to_string());
            assert_eq!(again.as_ref().map(Option::as_ref), Ok(Some(&*command)), "{line}");
        }
        let mut reply = line.parse::<Reply>();
        if let Ok(reply) = &mut reply {
            if let Reply::Info(info) = reply {
                info.ignored.clear();
            }
            assert_eq!(reply.to_string().parse::<Reply>().as_ref(), Ok(&*reply), "{line}");
        }
        verdict(matches!(command, Ok(Some(_))) || reply.is_ok())
    },
};

pub(crate) static FEN: Format = Format {
    name: "fen",
    seeds: || FENS.iter().map(|fen| fen.as_bytes().to_vec()).collect(),
    words: &["/", " w ", " b ", "KQkq", "HAha", "k", "K", "8", " e3 ", "44", "+1"],
    repair: |_| {},
    read: |input| {
        let Ok(position) = Position::from_fen(&String::from_utf8_lossy(input)) else {
            return Verdict::Refused;
        };
        assert_eq!(Position::from_fen(&position.to_string()).as_ref(), Ok(&position));
        assert_eq!(*position.keys(), position.keys_from_scratch());
        for m in position.legal_moves() {
            assert!(position.is_legal(m));
        }
        Verdict::Accepted
    },
};

pub(crate) static EPD: Format = Format {
    name: "epd",
    seeds: || {
        let lines = [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 bm O-O exd6; id \"a; b\";",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 3 9 hmvc 4; fmvn 7; D1 14 ;D2 191",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - c0 \"\";",
        ];
        lines.map(|line| line.as_bytes().to_vec()).to_vec()
    },
    words: &[";", "\"", " hmvc 5;", " fmvn 6;", " id ", " bm ", "\\"],
    repair: |_| {},
    read: |input| {
        let Ok(epd) = String::from_utf8_lossy(input).parse::<Epd>() else {
            return Verdict::Refused;
        };
        // Clocks without an operation are not written.
        let printed = epd.to_string();
        let again: Epd = printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(again.operations, epd.operations, "{printed}");
        assert_eq!(again.to_string(), printed);
        Verdict::Accepted
    },
};

pub(crate) static PGN: Format = Format {
    name: "pgn",
    seeds: || {
        let games = [
            "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 (1. d4 d5 $1) e5 2. Nf3 {good} Nc6 \
             3. Bb5 *\n\n",
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O+ Kd7 ; text\n\
             1-0\n\n",
        ];
        let mut games: Vec<_> = games.iter().map(|game| game.as_bytes().to_vec()).collect();
        games.push(games.concat());
        games
    },
    words: &[
        "[FEN \"",
        "[Event \"",
        "\"]\n",
        "\n\n[Event \"x\"]\n",
        "♘f3",
        "--",
        "½",
        "1.",
        "{",
        "}",
        "(",
        ")",
        " 1-0",
        "e8=Q#",
        "O-O-O",
        "$9",
        ";",
        "%",
        "\n\n",
    ],
    repair: |_| {},
    read: |input| {
        let once = rewritten(input);
        assert_eq!(rewritten(once.as_bytes()), once, "not the same twice");
        let text = String::from_utf8_lossy(input);
        let Ok(openings) = parse_pgn(text.as_bytes(), 30, CastlingMode::Chess960) else {
            return Verdict::Refused;
        };
        for opening in openings {
            opening.start(CastlingMode::Chess960).unwrap();
            let line = opening.setup().to_string();
            assert!(matches!(Command::parse(&line), Ok(Some(Command::Position(_)))), "{line}");
        }
        Verdict::Accepted
    },
};

/// Reads the games of a text and writes them again.
fn rewritten(text: &[u8]) -> String {
    use koel_pgn::PgnEntry::{Faulty, Game, Text};

    let written = |entry| match entry {
        Game(game) => game.with_annotations(|_, _, _| koel_pgn::Annotation::default()),
        Faulty(koel_pgn::FaultyGame { text, .. }) | Text(text) => format!("{text}\n\n"),
    };
    koel_pgn::GameReader::new(text).map(|entry| written(entry.unwrap())).collect()
}

type SmallNetwork = Network<1, 64>;

/// The place of the checksum in the file of a network.
const NETWORK_HASH: std::ops::Range<usize> = 40..48;

pub(crate) static NETWORK: Format = Format {
    name: "network",
    seeds: || vec![SmallNetwork::zero().to_bytes()],
    words: &["KOELNET\0"],
    repair: |input| {
        if input.len() >= NETWORK_HASH.end {
            let hashed = input[..NETWORK_HASH.start].iter().chain(&input[NETWORK_HASH.end..]);
            // FNV-1a.
            let hash = hashed.fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            input[NETWORK_HASH].copy_from_slice(&hash.to_le_bytes());
        }
    },
    read: |input| {
        let Ok(network) = SmallNetwork::from_bytes(input) else { return Verdict::Refused };
        let bytes = network.to_bytes();
        assert!(SmallNetwork::from_bytes(&bytes).is_ok_and(|again| again == network));
        let eval = network.evaluate(&Position::start());
        assert!(eval.0.abs() <= 33 * 65_536 * 400, "{eval:?}");
        Verdict::Accepted
    },
};

/// The stamp of tables.
const STAMP: u64 = 7;
/// The words in the header of the file of a table, and the place of the checksum.
const TABLE_HEADER: usize = 7;
const TABLE_CHECKSUM: usize = 6;

pub(crate) static TABLE: Format = Format {
    name: "table",
    seeds: || {
        let mut table = TranspositionTable::<u16>::new(0).unwrap();
        table.new_search();
        table.store(
            0x9e37_79b9_7f4a_7c15,
            Entry {
                best_move: Some(77),
                score: 12,
                static_eval: Some(-3),
                depth: 4,
                bound: Bound::Exact,
                is_pv: true,
                payload: (),
            },
        );
        let mut file = Vec::new();
        table.save(STAMP, &mut file).unwrap();
        vec![file]
    },
    words: &["koel-tt\n"],
    repair: |input| {
        let mut words: Vec<u64> = input
            .chunks_exact(8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        if words.len() < TABLE_HEADER {
            return;
        }
        let hashed = words[1..TABLE_CHECKSUM].iter().chain(&words[TABLE_HEADER..]);
        words[TABLE_CHECKSUM] = hashed.fold(words[0], |checksum, word| {
            (checksum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        input.splice(..words.len() * 8, words.iter().flat_map(|word| word.to_le_bytes()));
    },
    read: |mut input| {
        let file = input;
        let mut table = TranspositionTable::<u16>::new(0).unwrap();
        if table.load(STAMP, file.len() as u64, &mut input).is_err() {
            return Verdict::Refused;
        }
        for key in [0, 1, 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            let _ = table.probe(key);
        }
        let mut again = Vec::new();
        table.save(STAMP, &mut again).unwrap();
        assert!(again == file);
        Verdict::Accepted
    },
};

pub(crate) static STATE: Format = Format {
    name: "state",
    seeds: || {
        let path = state_path();
        let settings = BTreeMap::from([("pairings".to_owned(), "1".to_owned())]);
        let mut journal = MatchJournal::open(Some(&path), None, settings).unwrap();
        let mut states = Vec::new();
        for (pair, ending) in
            [Ending::AgreedDraw, Ending::TimeLoss, Ending::Crash].into_iter().enumerate()
        {
            let id = GameId { pair: pair as u32 + 1, is_swapped: pair == 1 };
            journal.add(id, GameRecord::new(GameOutcome::Draw, ending), "").unwrap();
            states.push(fs::read(&path).unwrap());
        }
        drop(journal);
        fs::remove_file(path).unwrap();
        states
    },
    words: &[
        "[{\"pair\":",
        "}]\n",
        ",\n",
        "\"draw\"",
        "null",
        "[[",
        "{\"",
        "\"version\":2,",
        "\\u0000",
    ],
    repair: |_| {},
    read: |input| {
        let path = state_path();
        fs::write(&path, input).unwrap();
        let read = read_state(&path);
        fs::remove_file(path).unwrap();
        let Ok(state) = read else { return Verdict::Refused };
        assert!(state.is_some());
        Verdict::Accepted
    },
};

fn state_path() -> std::path::PathBuf {
    env::temp_dir().join(format!("koel-fuzz-state-{}.json", process::id()))
}

pub(crate) static VIRIFORMAT: Format = Format {
    name: "viriformat",
    seeds: || {
        let mut rng = Rng::new(3);
        let mut games: Vec<Vec<u8>> = FENS.iter().map(|fen| random_game(fen, &mut rng)).collect();
        games.push(games.concat());
        games
    },
    words: &["\0\0\0\0"],
    repair: |_| {},
    read: |input| {
        let mut reader = GameReader::new(input);
        let mut games = 0;
        loop {
            match reader.next_game() {
                Ok(Some(game)) => {
                    games += 1;
                    let mut bytes = Vec::new();
                    write_game(&game, &mut bytes).unwrap();
                    let again = GameReader::new(bytes.as_slice()).next_game().unwrap();
                    assert_eq!(again, Some(game));
                }
                Ok(None) => return verdict(games > 0),
                Err(_) => return Verdict::Refused,
            }
        }
    },
};

/// Returns the bytes of a game of random moves.
fn random_game(fen: &str, rng: &mut Rng) -> Vec<u8> {
    let start = Position::from_fen(fen).unwrap();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..20 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let played = legal[rng.below(legal.len())];
        position.play(played);
        moves.push(ScoredMove { played, white_score: rng.below(2000) as i16 - 1000 });
    }
    let mut bytes = Vec::new();
    let game = TrainingGame { start, moves, result: GameResult::Draw };
    write_game(&game, &mut bytes).unwrap();
    bytes
}

fn verdict(is_accepted: bool) -> Verdict {
    if is_accepted { Verdict::Accepted } else { Verdict::Refused }
}
