//! Tests that every `go` is answered exactly once: by a `bestmove`, by the count of a perft, or by
//! a refusal while only `stop` or `ponderhit` can end the running search.

use koel_random::Rng;

use crate::support::{Engine, SOON, dialogue, errors};

/// Counts the answers to `go`.
pub(crate) fn answers_to_go(replies: &[String]) -> usize {
    let is_answer = |line: &&String| {
        line.starts_with("bestmove ")
            || line.starts_with("Nodes searched: ")
            || line.as_str() == "info string perft was stopped"
    };
    replies.iter().filter(is_answer).count() + refusals(replies)
}

fn refusals(replies: &[String]) -> usize {
    let is_refusal =
        |line: &&&str| line.starts_with("go") && line.contains("not possible during a search");
    errors(replies).iter().filter(is_refusal).count()
}

#[test]
fn a_damaged_go_is_reported_and_answered_without_stop() {
    let mut engine = Engine::start();
    for (go, error_count) in [
        ("go depth", 2),
        ("go depth -1", 2),
        ("go depth 3.5", 0),
        ("go depth abc", 2),
        ("go wtime", 2),
        ("go wtime 100.7 btime 100.7", 0),
        ("go wtime 1e3 btime 1e3", 3),
        ("go movestogo -1 wtime 100 btime 100", 0),
        ("go nodes -5", 2),
        ("go mate -1", 2),
        ("go wtime 100 btime 100 winc NaN", 1),
        ("go depth 3 searchmoves", 1),
        ("go depth 3 searchmoves zzzz", 1),
        ("go depth 3 searchmoves e2e5", 1),
        ("go searchmoves e2e5", 2),
        ("go mate 0", 2),
        ("go perft -1", 2),
        ("go perft 21", 2),
        ("go quickly", 2),
    ] {
        engine.send(go);
        let replies = engine.receive_until("bestmove ", SOON);
        assert_eq!(errors(&replies).len(), error_count, "{go}: {replies:#?}");
        assert!(engine.sync().is_empty(), "{go}: no output after bestmove");
    }
}

#[test]
fn fractions_are_rounded_down_and_negative_clocks_are_empty() {
    let depths = dialogue("go depth 3.9\nwait\n");
    assert!(depths.iter().any(|line| line.starts_with("info depth 3 ")), "{depths:#?}");
    assert!(!depths.iter().any(|line| line.starts_with("info depth 4 ")), "{depths:#?}");
    // By nodes, an empty clock is a millisecond of a thousand nodes.
    let lines = dialogue(
        "setoption name nodestime value 1000\ngo wtime -100000.5 btime -1 winc 0 binc 0\nwait\n",
    );
    let last = lines.iter().rfind(|line| line.starts_with("info depth ")).unwrap();
    let nodes = last.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(nodes.parse::<u64>().unwrap() <= 3000, "{last}");
}

/// A part of `go`, with what it contributes to the end of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The search is short.
    Limit,
    /// The search may take years.
    Long,
    /// Only `stop` or `ponderhit` ends the search.
    Endless,
    /// Cannot be obeyed.
    Damaged,
    /// No limit.
    Neutral,
}

const PARTS: &[(&str, Part)] = &[
    ("depth 1", Part::Limit),
    ("depth 3.5", Part::Limit),
    ("depth 0", Part::Limit),
    ("depth +2", Part::Limit),
    ("nodes 1", Part::Limit),
    ("nodes 250.9", Part::Limit),
    ("movetime 3", Part::Limit),
    ("movetime -7", Part::Limit),
    ("wtime 40 btime 40", Part::Limit),
    ("wtime -5 btime -5.5", Part::Limit),
    ("wtime 100.7 btime 100.7", Part::Limit),
    ("wtime 30 btime 30 winc 1 binc 1 movestogo 1", Part::Limit),
    ("perft 2", Part::Limit),
    ("depth 99999999999999999999999999", Part::Long),
    ("nodes 18446744073709551616", Part::Long),
    ("movetime 100000", Part::Long),
    ("mate 1", Part::Long),
    ("infinite", Part::Endless),
    ("ponder", Part::Endless),
    ("depth", Part::Damaged),
    ("depth -1", Part::Damaged),
    ("depth abc", Part::Damaged),
    ("depth 3,5", Part::Damaged),
    ("nodes -5", Part::Damaged),
    ("nodes 1e3", Part::Damaged),
    ("mate -1", Part::Damaged),
    ("mate 0", Part::Damaged),
    ("movetime soon", Part::Damaged),
    ("wtime", Part::Damaged),
    ("wtime 1e3 btime 1e3", Part::Damaged),
    ("winc NaN", Part::Damaged),
    ("movestogo -1", Part::Neutral),
    ("movestogo soon", Part::Damaged),
    ("searchmoves", Part::Damaged),
    ("searchmoves zzzz", Part::Damaged),
    ("searchmoves a1a1 0000", Part::Damaged),
    ("perft", Part::Damaged),
    ("perft 4294967295", Part::Damaged),
    ("quickly", Part::Damaged),
    ("stop \u{221e}", Part::Damaged),
    ("searchmoves e2e4 d2d4", Part::Neutral),
    ("winc 5", Part::Neutral),
    ("movestogo 4", Part::Neutral),
];

const POSITIONS: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves b4b1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves e2e4 e2e4",
    "position",
];

const OTHERS: &[&str] = &[
    "isready",
    "isready",
    "ponderhit",
    "ucinewgame",
    "setoption name MultiPV value 2",
    "setoption name MultiPV value 1",
    "setoption name Clear Hash",
    "d",
    "debug on",
    "",
];

/// The lines of a dialogue.
struct Dialogue {
    lines: Vec<String>,
    /// True if each of its searches ends by itself.
    ends_by_itself: bool,
}

impl Dialogue {
    fn new(rng: &mut Rng) -> Dialogue {
        let ends_by_itself = rng.below(2) == 0;
        let mut lines = Vec::new();
        for _ in 0..=rng.below(6) {
            lines.push(match rng.below(20) {
                0..=9 => Dialogue::go(rng, ends_by_itself),
                10..=13 => pick(rng, POSITIONS).to_owned(),
                14..=15 if !ends_by_itself => "stop".to_owned(),
                _ => pick(rng, OTHERS).to_owned(),
            });
        }
        Dialogue { lines, ends_by_itself }
    }

    fn go(rng: &mut Rng, ends_by_itself: bool) -> String {
        loop {
            let parts: Vec<_> = (0..rng.below(4)).map(|_| pick(rng, PARTS)).collect();
            let has = |part| parts.iter().any(|&(_, other)| other == part);
            let is_short =
                (has(Part::Limit) || has(Part::Damaged)) && !has(Part::Long) && !has(Part::Endless);
            if is_short || !ends_by_itself {
                let texts = parts.iter().map(|&(text, _)| text);
                return ["go"].into_iter().chain(texts).collect::<Vec<_>>().join(" ");
            }
        }
    }

    /// Counts the lines that begin with a word.
    fn count(&self, word: &str) -> usize {
        self.lines.iter().filter(|line| line.split(' ').next() == Some(word)).count()
    }
}

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len())]
}

/// `KOEL_DIALOGUES=10000 cargo test -p koel --test uci dialogues` checks more dialogues.
#[test]
fn every_go_of_random_dialogues_is_answered_once() {
    let count = std::env::var("KOEL_DIALOGUES").map_or(200, |text| text.parse().unwrap());
    let mut rng = Rng::new(25);
    let mut engine = Engine::start();
    let mut searches = 0;
    for number in 0..count {
        let dialogue = Dialogue::new(&mut rng);
        // Only a dialogue with an endless search gets a `stop`.
        let end = if dialogue.ends_by_itself { "wait" } else { "stop\nwait" };
        engine.send(format!("{}\n{end}\nend{number}", dialogue.lines.join("\n")));
        let end = format!("info string error: unknown command `end{number}`");
        let replies = engine.receive_until(&end, SOON);
        let report = || format!("{:#?} {replies:#?}", dialogue.lines);
        let go_count = dialogue.count("go");
        assert_eq!(answers_to_go(&replies), go_count, "{}", report());
        let ready = replies.iter().filter(|line| *line == "readyok").count();
        assert_eq!(ready, dialogue.count("isready"), "{}", report());
        if dialogue.ends_by_itself {
            assert_eq!(refusals(&replies), 0, "{}", report());
            assert!(!replies.iter().any(|line| line.contains("not possible")), "{}", report());
        }
        searches += go_count;
    }
    assert!(searches > count, "{searches}");
    let (rest, status) = engine.end_input();
    assert!(status.success() && rest.is_empty(), "{rest:#?}");
}
