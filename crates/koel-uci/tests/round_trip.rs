//! Property tests: everything printed is parsed back unchanged, and no input causes a panic.

use std::num::NonZeroU32;

use koel_uci::{
    Bound, Command, Go, Info, Milliseconds, MoveText, OptionDeclaration, OptionKind, PositionSetup,
    Reply, Score, ScoreReport, SetOption, StartPosition, Wdl,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

/// Words that are not part of the protocol, some with unusual characters.
fn word() -> impl Strategy<Value = String> {
    "[A-Z0-9é<>/.;=-][a-zA-Z0-9_é∞<>/.;=-]{0,8}"
}

fn phrase() -> impl Strategy<Value = String> {
    vec(word(), 1..4).prop_map(|words| words.join(" "))
}

/// Text of one line without surrounding whitespace.
fn text() -> impl Strategy<Value = String> {
    "[^\r\n]{0,40}".prop_map(|text| text.trim_ascii().to_owned())
}

fn played() -> impl Strategy<Value = MoveText> {
    "([a-h][1-8][a-h][1-8][nbrq]?)|0000"
        .prop_map(|text| text.parse().expect("has the syntax of a move"))
}

fn moves() -> impl Strategy<Value = Vec<MoveText>> {
    vec(played(), 0..6)
}

fn milliseconds() -> impl Strategy<Value = Milliseconds> {
    any::<i64>().prop_map(Milliseconds)
}

fn go() -> impl Strategy<Value = Go> {
    let clocks = vec(of(milliseconds()), 5);
    let counts = vec(of(any::<u32>()), 4);
    (moves(), clocks, counts, of(any::<u64>()), any::<bool>(), any::<bool>()).prop_map(
        |(searchmoves, clocks, counts, nodes, ponder, infinite)| Go {
            searchmoves,
            ponder,
            wtime: clocks[0],
            btime: clocks[1],
            winc: clocks[2],
            binc: clocks[3],
            movestogo: counts[0],
            depth: counts[1],
            nodes,
            mate: counts[2].and_then(NonZeroU32::new),
            movetime: clocks[4],
            infinite,
            perft: counts[3],
            errors: vec![],
        },
    )
}

fn position() -> impl Strategy<Value = PositionSetup> {
    let fen = vec(word(), 1..=7).prop_map(|fields| StartPosition::Fen(fields.join(" ")));
    (prop_oneof![Just(StartPosition::Standard), fen], moves())
        .prop_map(|(start, moves)| PositionSetup { start, moves })
}

fn command() -> impl Strategy<Value = Command> {
    let set = (phrase(), of(text())).prop_map(|(name, value)| SetOption { name, value });
    prop_oneof![
        Just(Command::Uci),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::IsReady),
        set.prop_map(Command::SetOption),
        text().prop_map(Command::Register),
        Just(Command::NewGame),
        position().prop_map(Command::Position),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
        (word(), text()).prop_map(|(name, arguments)| Command::Other { name, arguments }),
    ]
}

fn score() -> impl Strategy<Value = ScoreReport> {
    let score =
        prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate)];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    (score, bound).prop_map(|(score, bound)| ScoreReport { score, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let wdl = of((0..=1000_u32, 0..=1000_u32, 0..=1000_u32));
    (
        vec(of(any::<u32>()), 5),
        vec(of(any::<u64>()), 3),
        (of(score()), wdl, of(milliseconds())),
        (of(played()), moves()),
        of("[^\r\n]{0,40}"),
    )
        .prop_map(|(small, large, (score, wdl, time), lines, string)| Info {
            depth: small[0],
            seldepth: small[1],
            multipv: small[2],
            score,
            wdl: wdl.map(|(win, draw, loss)| Wdl { win, draw, loss }),
            currmove: lines.0,
            currmovenumber: small[3],
            nodes: large[0],
            nps: large[1],
            hashfull: small[4],
            tbhits: large[2],
            time,
            pv: lines.1,
            string,
            ignored: vec![],
        })
}

fn declaration() -> impl Strategy<Value = OptionDeclaration> {
    let spin = vec(any::<i64>(), 3).prop_map(|mut ends| {
        ends.sort_unstable();
        OptionKind::Spin { default: ends[1], min: ends[0], max: ends[2] }
    });
    let combo = vec(phrase(), 1..4).prop_map(|variants| {
        let default = variants.last().cloned().unwrap_or_default();
        OptionKind::Combo { default, variants }
    });
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        spin,
        combo,
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::Text { default }),
    ];
    (phrase(), kind).prop_map(|(name, kind)| {
        OptionDeclaration::new(&name, kind).expect("has no reserved words")
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        text().prop_map(Reply::Name),
        text().prop_map(Reply::Author),
        declaration().prop_map(Reply::Option),
        Just(Reply::UciOk),
        Just(Reply::ReadyOk),
        info().prop_map(Reply::from),
        (of(played()), of(played())).prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        phrase().prop_map(Reply::Other),
    ]
}

/// Lines of words of the protocol in random order.
fn mangled() -> impl Strategy<Value = String> {
    let known = "go|position|setoption|info|option|bestmove|name|value|type|default|min|max|var|\
                 startpos|fen|moves|searchmoves|depth|wtime|score|cp|mate|lowerbound|wdl|pv|string|\
                 currline|spin|combo|check|button|ponder|e2e4|0000|-1|\
                 99999999999999999999|[ -~]{1,5}|\\PC";
    vec(known, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn commands_round_trip(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(line.lines().count(), 1);
        prop_assert_eq!(Command::parse(&format!("{line}\r\n")), Ok(Some(command)));
    }

    #[test]
    fn replies_round_trip(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(line.lines().count(), 1);
        prop_assert_eq!(format!("{line}\r\n").parse(), Ok(reply));
    }

    #[test]
    fn a_parsed_command_round_trips(line in prop_oneof![any::<String>(), mangled()]) {
        if let Ok(Some(mut command)) = Command::parse(&line) {
            if let Command::Go(go) = &mut command {
                go.errors.clear();
            }
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }
    }

    #[test]
    fn a_parsed_reply_round_trips(line in prop_oneof![any::<String>(), mangled()]) {
        if let Ok(mut reply) = line.parse::<Reply>() {
            if let Reply::Info(info) = &mut reply {
                info.ignored.clear();
            }
            prop_assert_eq!(reply.to_string().parse(), Ok(reply));
        }
    }

    #[test]
    fn any_text_stays_on_one_line(name in any::<String>(), text in any::<String>()) {
        let set = SetOption { name: name.clone(), value: Some(text.clone()) };
        for line in [
            Command::SetOption(set).to_string(),
            Command::Other { name, arguments: text.clone() }.to_string(),
            Reply::error(&text).to_string(),
            Reply::Name(text.clone()).to_string(),
            Reply::Other(text).to_string(),
        ] {
            prop_assert!(!line.contains(['\r', '\n']));
        }
    }
}
