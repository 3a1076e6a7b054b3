use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn entries(text: &[u8]) -> Vec<PgnEntry> {
    GameReader::new(text).map(Result::unwrap).collect()
}

/// Reads games that have no fault.
fn games(text: &str) -> Vec<PgnGame> {
    let game = |entry| match entry {
        PgnEntry::Game(game) => *game,
        other => panic!("{text}: {other:?}"),
    };
    entries(text.as_bytes()).into_iter().map(game).collect()
}

fn written(entry: &PgnEntry) -> String {
    match entry {
        PgnEntry::Game(game) => game.with_annotations(|_, _, _| Annotation::default()),
        PgnEntry::Faulty(FaultyGame { readable: Some(game), .. }) => {
            game.with_annotations(|_, _, _| Annotation::default())
        }
        PgnEntry::Faulty(FaultyGame { text, .. }) | PgnEntry::Text(text) => format!("{text}\n\n"),
    }
}

fn rewritten(text: &[u8]) -> String {
    entries(text).iter().map(written).collect()
}

#[test]
fn all_that_was_read_is_written() {
    for game in [
        "[White \"A \\\"B\\\" C\"]\n[X \"y\"]\n\n\
         {first\n  words} 1. e4 $1 {[%clk 0:00:10]} ( {instead} 1. d4 d5 $6 ( 1... Nf6 2. c4 )\n\
         2. c4 ) 1... e5 $14 2. Nf3 {one} {two} 2... Nc6 +/= 1-0\n\n",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 30\"]\n\n30... Kd7 31. O-O *\n\n",
        "% a\n{b}\n; c\n[Event \"the \"big\" one\"]\n{d}\n% e\n\n\
         [White \"x\"] ; f\n[Black\"y\"]\n\n% g\n1. e4 ;h {\n\
         1... e5\n% i ;\n2. Nf3 1-0 {j}\n%k\n;l\n\n{m}\n\n",
        "[Event \"no moves\"]\n\n{lost\n\nby default} 0-1\n\n",
        "{no tags} 1. e4 *\n\n",
    ] {
        assert_eq!(rewritten(game.as_bytes()), game);
        let with_returns = game.replace('\n', "\r\n");
        assert_eq!(rewritten(with_returns.as_bytes()), game);
    }
}

#[test]
fn games_end_with_their_result_or_before_tags() {
    let text = "; a file\n[Event \"1\"]\n\n1. e4\n\n1... e5\n[Event \"2\"]\n1-0\nd4 0-1";
    let games = games(text);
    let seen = games.iter().map(|game| (game.game.moves().len(), game.result));
    assert_eq!(seen.collect::<Vec<_>>(), [(2, "*"), (0, "1-0"), (1, "0-1")]);
    assert_eq!(games[0].header, "; a file\n[Event \"1\"]");
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 7, 9]);
}

/// Returns the events and the number of plies of the games.
fn shapes(text: &str) -> Vec<(String, usize)> {
    let shape = |game: PgnGame| {
        let event = game.tags.value("Event").unwrap_or_default().to_owned();
        (event, game.game.moves().len())
    };
    games(text).into_iter().map(shape).collect()
}

#[test]
fn a_game_may_lack_moves_or_tags_or_a_result() {
    let games = |text: &str, expected: &[(&str, usize)]| {
        let expected = expected.iter().map(|&(event, plies)| (event.to_owned(), plies));
        assert_eq!(shapes(text), expected.collect::<Vec<_>>(), "{text}");
    };
    games("[Event \"1\"]\n[White \"A\"]\n\n[Event \"2\"]\n\n1. d4 *\n", &[("1", 0), ("2", 1)]);
    games("[Event \"1\"]\n[Event \"2\"]\n\n1. d4 *\n", &[("1", 0), ("2", 1)]);
    games("[White \"A\"]\n\n[White \"B\"]\n\n1. d4 *\n", &[("", 0), ("", 1)]);
    games("{a}\n[Event \"x\"]\n\n[White \"A\"]\n[Black \"B\"]\n\n1. d4 *\n", &[("x", 1)]);
    games("{a file}\n[Event \"x\"]\n[White \"A\"]\n\n1. d4 *\n", &[("x", 1)]);
    games("[Event \"1\"]\n\n1. e4 e5\n\n[Event \"2\"]\n\n1. d4", &[("1", 2), ("2", 1)]);
    games("1. e4 e5\n\n1. d4 d5\n\n2. c4 *", &[("", 2), ("", 3)]);
    games("1. e4\n\n1. e5 *", &[("", 2)]);
    for name in ["Standard", "chess 960", "Chess960", "Fischer-Random", "From Position"] {
        games(&format!("[Variant \"{name}\"]\n\n1. e4 *"), &[("", 1)]);
    }
}

#[test]
fn comments_belong_to_the_game_that_they_touch() {
    let text = "[Event \"1\"]\n\n1. e4 1-0 {one}\n; one\n\n{two}\n[Event \"2\"]\n\n1. d4\n\n\
                ; three\n[Event \"3\"]\n\n{three}\n\n[Event \"4\"]\n\n*\n\n% end\n";
    let entries = entries(text.as_bytes());
    let texts = entries.iter().map(written).collect::<Vec<_>>();
    assert_eq!(
        texts,
        [
            "[Event \"1\"]\n\n1. e4 1-0 {one} ; one\n\n",
            "{two}\n[Event \"2\"]\n\n1. d4 *\n\n",
            "; three\n[Event \"3\"]\n\n{three} *\n\n",
            "[Event \"4\"]\n\n*\n\n",
            "% end\n\n",
        ]
    );
    assert!(matches!(entries[4], PgnEntry::Text(_)));
    assert_eq!(rewritten(texts.concat().as_bytes()), texts.concat());
    let comments = self::entries(b" ; nothing\n% else");
    assert!(matches!(&comments[..], [PgnEntry::Text(_)]), "{comments:?}");
}

#[test]
fn faults_are_named_and_the_text_is_kept() {
    for (text, line, error) in [
        ("1. e4 e5 2. Qz9 *", 1, "`Qz9` is not a move"),
        ("1. e4 e4 *", 1, "`e4` is not a legal move in rnbqkbnr"),
        ("1. e4 { open\ne5 *", 1, "a comment is not closed"),
        ("1. e4\n) *", 2, "a variation ends that did not begin"),
        ("1. e4\n( 1. d4\n*", 2, "a variation does not end"),
        ("[FEN \"nonsense\"]\n\n1. e4 *", 3, "side to move"),
        ("[FEN \"4k3/8/8/8/8/8/8/R3K2R w - - 0 1\"]\n\n1. Ra2-d1 *", 3, "not a legal move"),
        ("[FEN \"4k3/8/8/8/8/8/7K/R6R w - - 0 1\"]\n\n1. Rd1 *", 3, "`Rd1` is ambiguous"),
        ("1. d4 d5 2. ♘f3\n♞f6 3. Sc3 *", 2, "`Sc3` is not a move, number, glyph, comment or"),
        ("1. e4 e5 ( 1... Sf6 ) *", 1, "`Sf6`"),
        ("[Event \"x\n[White \"A\"]\n\n1. e4 *", 1, "a tag is not closed"),
        ("[Event \"x\"]\nhello\n[White \"A\"]\n\n1. e4 *", 2, "`hello`"),
        ("[Variant \"Atomic\"]\n\n1. e4 *", 3, "variant `Atomic`"),
        ("1. e4 [%clk 1] *", 1, "`[%clk`"),
        ("1. e4 } *", 1, "`}`"),
        ("1. e4 Nf6 2. dxe5 Nd5 3. bc4 *", 1, "`dxe5` is not a legal move"),
        ("1. e4 \u{435}5 *", 1, "`\u{435}5` (with U+0435) is not a move"),
        ("2. Nf3 *", 1, "the game begins with move 2, without a position"),
        ("1. e4 1-0 e5 2. d4 *", 1, "the game goes on after its result"),
    ] {
        let two = format!("\n{text}\n\n[Event \"good\"]\n\n1. d4 *\n");
        let entries = entries(two.as_bytes());
        let [PgnEntry::Faulty(faulty), PgnEntry::Game(good)] = &entries[..] else {
            panic!("{text}: {entries:?}");
        };
        assert!(faulty.error.to_string().contains(error), "{text}: {}", faulty.error);
        assert_eq!((faulty.line, faulty.text.as_str()), (line + 1, text));
        assert_eq!(good.tags.value("event"), Some("good"));
    }
}

/// Reads one game with a fault. Returns the fault, the plies that are read, and what is written
/// with a glyph on each move.
fn partly_read(text: &str) -> (String, usize, String) {
    let mut entries = entries(text.as_bytes());
    assert_eq!(entries.len(), 1, "{text}: {entries:?}");
    let Some(PgnEntry::Faulty(FaultyGame { error, readable: Some(game), .. })) = entries.pop()
    else {
        panic!("{text}")
    };
    let glyph = |ply, _: &Position, _: &[u32]| Annotation {
        nag: (ply > 0).then_some(9),
        ..Annotation::default()
    };
    (error.to_string(), game.game.moves().len(), game.with_annotations(glyph))
}

#[test]
fn a_game_is_read_up_to_its_fault() {
    for (text, plies, expected) in [
        ("1. e4 e5 2. Sf3 {x}  Nc6\n3. Bb5 *", 2, "1. e4 $9 e5 $9\n2. Sf3 {x}  Nc6\n3. Bb5 *"),
        (
            "[A \"b\"]\n\n1. e4 {a} 1... e4\n{b} 1-0",
            1,
            "[A \"b\"]\n\n1. e4 $9 {a}\n1... e4\n{b} 1-0",
        ),
        ("1. e4 } e5 *", 1, "1. e4 $9\n} e5 *"),
        ("1. e4 [%clk 1] e5 *", 1, "1. e4 $9 [%clk 1] e5 *"),
        ("1. e4 ;a\n[%clk 1 e5 *", 1, "1. e4 $9 ;a\n[%clk 1 e5 *"),
        ("1. e4 { open\ne5 *", 1, "1. e4 $9\n{ open\ne5 *"),
        ("1. e4 ( 1. d4 ( 1. c4 ) 1... e5 *", 1, "1. e4 $9\n( 1. d4 ( 1. c4 ) 1... e5 *"),
        ("1. e4 ) 1... e5 *", 1, "1. e4 $9\n) 1... e5 *"),
        ("1. e4 e5 1-0 2. Nf3 {x}\nNc6 0-1", 2, "1. e4 $9 e5 $9\n1-0 2. Nf3 {x}\nNc6 0-1"),
        ("1. e4 e5 1-0 1. d4 d5 *", 2, "1. e4 $9 e5 $9\n1-0 1. d4 d5 *"),
        ("1. e4 e5 1-0 {x}\n2. Nf3 Nc6 *", 2, "1. e4 $9 e5 $9\n1-0 {x}\n2. Nf3 Nc6 *"),
        // The main line is known behind a word of a variation.
        ("1. e4 ( 1. Sf3 d5 ) e5 1-0 {x}", 2, "1. e4 $9 ( Sf3 1. d5 ) 1... e5 $9 1-0 {x}"),
        ("1. e4 ( 1. [x ) e5 *", 1, "1. e4 $9 (\n1. [x ) e5 *"),
    ] {
        let (error, found, written) = partly_read(text);
        assert_eq!((found, written), (plies, format!("{expected}\n\n")), "{text}: {error}");
        let plain = rewritten(text.as_bytes());
        assert_eq!(rewritten(plain.as_bytes()), plain, "{text}");
    }
}

#[test]
fn a_result_ends_a_game_that_both_players_lose() {
    let read = |text: &str| {
        let game = games(text).pop().unwrap();
        (game.game.moves().len(), game.result)
    };
    let opening = "[Result \"0-0\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7";
    for end in ["", " 0-0", " {x} 0\u{2013}0 {both}\n; late"] {
        let text = format!("{opening}{end}");
        assert_eq!(read(&text), (6, "0-0"), "{text}");
        let written = rewritten(text.as_bytes());
        assert!(written.contains(" 0-0") && rewritten(written.as_bytes()) == written, "{written}");
    }
    assert_eq!(read(&format!("{opening} 4. 0-0 0-0 *")), (8, "*"));
    assert_eq!(read(&format!("{opening} 4. 0-0 {{x}} 0-0 0-0")), (8, "0-0"));
    assert_eq!(read("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0"), (7, "*"));
    assert_eq!(read("[Result \"0-0\"]\n\n0-0"), (0, "0-0"));
}

#[test]
fn a_long_game_takes_no_more_than_its_length() {
    const COUNT: usize = 20_000;
    let repeat = |text: &str| text.repeat(COUNT);
    let tags = |end| (0..COUNT).map(|n| format!("[T{n} \"x\"]{end}")).collect::<String>();
    for (text, is_read) in [
        (format!("1. e4 {}{}*", repeat("( 1. d4 "), repeat(") ")), true),
        (format!("1. e4 {}*", repeat("( 1. d4 ) ")), true),
        (format!("1. e4 {}*", repeat("( 1. d4 )\n")), true),
        (format!("1. e4 {}*", repeat("{a} ")), true),
        (format!("1. e4 {}*", repeat("$1 ")), true),
        (format!("1. e4 {} *", repeat("1.")), true),
        (format!("{}\n1. e4 *", tags("\n")), true),
        (format!("{}\n\n1. e4 *", tags(" ")), true),
        (format!("[A \"{}\"]\n\n1. e4 *", repeat("\\\"]")), true),
        (format!("1. e4 {}*", repeat("{\n")), false),
        (format!("1. e4 {}*", repeat("( { ")), false),
        (format!("1. e4 {}{}*", repeat(" "), repeat("% ")), false),
    ] {
        let entries = entries(text.as_bytes());
        assert_eq!(entries.len(), 1, "{}", &text[..40]);
        assert_eq!(matches!(entries[0], PgnEntry::Game(_)), is_read, "{}", &text[..40]);
        assert!(written(&entries[0]).len() >= COUNT || text.contains("1.1."));
    }
    // Every game but the first stands behind an open comment.
    let games = format!("1. e4 {{\n*\n\n{}", repeat("1. e4 *\n\n"));
    assert_eq!(entries(games.as_bytes()).len(), COUNT + 1);
}

#[test]
fn a_line_in_brackets_that_is_no_tag_costs_only_itself() {
    let text = "[Event \"a\"]\n[WhiteElo 2000]\n[Black “Bob”]\n\n1. e4 e5 *\n\n";
    let [PgnEntry::Faulty(faulty)] = &entries(text.as_bytes())[..] else { panic!() };
    assert_eq!(
        faulty.error.to_string(),
        "`[WhiteElo 2000]` is not a tag with a value in quotation marks"
    );
    assert_eq!((faulty.line, faulty.readable.as_ref().unwrap().game.moves().len()), (2, 2));
    assert_eq!(rewritten(text.as_bytes()), text);
    // Between moves nothing is known behind it.
    let (_, moves, rest) = partly_read("1. e4\n[a b]\ne5 *");
    assert_eq!((moves, &*rest), (1, "1. e4 $9 [a b]\ne5 *\n\n"));
}

#[test]
fn a_variation_before_the_first_move_replaces_none() {
    for (text, written) in [
        ("(1. d4 {so} d5) 1. e4 *", "( 1. d4 {so} 1... d5 ) 1. e4 *\n\n"),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n(1... Kd7 (1... Ke7) 2. Kd2) 1... Kf7 *",
            "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n\
             ( 1... Kd7 ( 1... Ke7 ) 2. Kd2 ) 1... Kf7 *\n\n",
        ),
    ] {
        assert_eq!(rewritten(text.as_bytes()), written);
    }
}

#[test]
fn the_end_of_a_file_of_dos_is_no_game() {
    assert_eq!(games("1. e4 1-0\r\n\x1a").len(), 1);
    assert_eq!(games("1. e4 1-0\x1a")[0].result, "1-0");
}

#[test]
fn text_before_a_game_does_not_hide_it() {
    let entries = entries(b"Games of my club:\n\n[Event \"x\"]\n\n1. e4 *\n");
    assert!(matches!(&entries[..], [PgnEntry::Faulty(_), PgnEntry::Game(_)]), "{entries:?}");
}

#[test]
fn the_main_line_ends_at_a_null_move() {
    for null in ["--", "Z0", "0000"] {
        let text = format!("1. e4 {null} 2. Nf3 e5 {{a}} 1-0\n\n");
        let game = games(&text).pop().unwrap();
        assert_eq!((game.game.moves().len(), game.ends_at_null_move), (1, true), "{null}");
        assert_eq!(rewritten(text.as_bytes()), text);
    }
    let variation = "1. e4 ( 1. d4 -- 2. c4 ) 1... e5 *\n\n";
    assert!(!games(variation)[0].ends_at_null_move);
    assert_eq!(rewritten(variation.as_bytes()), variation);
}

proptest! {
    /// Any text is read without panic, and what is written is read as the same.
    #[test]
    fn any_text_is_read(
        words in vec(
            prop_oneof![
                9 => select(WORDS).prop_map(str::to_owned),
                1 => any::<char>().prop_map(String::from),
            ],
            0..40,
        )
    ) {
        let text = words.concat();
        let once = rewritten(text.as_bytes());
        prop_assert_eq!(rewritten(once.as_bytes()), once, "{}", text);
    }
}

const WORDS: &[&str] = &[
    "\n",
    "\n",
    "\n\n",
    " ",
    " ",
    "[Event \"x\"]\n",
    "[White \"A\"]\n",
    "[Result \"½\"]\n",
    "[A",
    "]",
    "{a}",
    "{",
    "}",
    "{b\n\nc}",
    ";d\n",
    "%e\n",
    "\n%f\n",
    "(",
    ")",
    "1. ",
    "1... ",
    "2. ",
    "e4 ",
    "d5 ",
    "♘f3 ",
    "-- ",
    "Sf3 ",
    "$1 ",
    "! ",
    "+/= ",
    "1-0 ",
    "½ ",
    "* ",
    "é ",
];
