//! The page of `koel analyze --html` in a browser: Chromium without a window, if it is there.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]
#![allow(clippy::print_stdout, reason = "reports a skipped test")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use koel_board::Game;

/// Games of which the first has a variation of its file and a move that Koel marks.
const GAMES: &str = "\
[White \"Zoe </script> & co\"]
[Black \"Ann\"]
[Result \"0-1\"]

1. f3 {[%cal Gd1d4] <b>bad</b>} e5 ({or} 1... d5 {too} 2. d4) 2. g4 Qh4# 0-1

[White \"Bob\"]
[Black \"Cid\"]
[Result \"1-0\"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White \"Ann\"]
[Black \"Bob\"]
[Result \"*\"]

1. d4 d5 *
";

/// A script that does what a person does with the page, and notes what is seen then.
const ACTIONS: &str = r##"
<script>
(async () => {
  const seen = {};
  const wait = () => new Promise((done) => setTimeout(done, 50));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const event = (key) => new KeyboardEvent("keydown", { key, bubbles: true });
const press = (key) => document.body.dispatchEvent(event(key));
  const whites = () => all("#games td:nth-child(2)").map((cell) => cell.textContent).join("|");
  const board = () => {
    const squares = Array(64).fill(".");
    for (const use of all("#squares use")) {
      const at = 8 * use.getAttribute("y") + Number(use.getAttribute("x"));
      squares[at] = use.getAttribute("href").slice(-1);
    }
    return squares.join("");
  };
  try {
    seen.rows = whites();
    all("#games th")[1].click();
    seen.ascending = whites();
    all("#games th")[1].click();
    seen.descending = whites();
    all("#games tbody tr").find((row) => row.textContent.includes("Zoe")).click();
    await wait();
    seen.opened = location.hash + (document.querySelector("#collection").hidden ? " alone" : "");
    const box = document.querySelector("#chart svg").getBoundingClientRect();
    seen.clicked = [0, 0.3, 0.5, 1].map((share) => {
      const at = { clientX: box.left + share * box.width, clientY: box.top + 5, bubbles: true };
      document.querySelector("#chart").dispatchEvent(new PointerEvent("pointerdown", at));
      return location.hash;
    }).join(" ");
    press("Home");
    seen.start = board();
    press("ArrowRight");
    seen.first = board();
    seen.arrows = all("#squares .arrow.G").length;
    seen.comment = document.querySelector("#moves .comment").textContent;
    press("End");
    seen.end = location.hash + " " + board();
    press("ArrowLeft");
    seen.back = location.hash;
    press("f");
    seen.flipped = board();
    press("f");
    const marked = all("#moves > details").find((found) => found.textContent.includes("was best"));
    seen.closed = String(marked.open);
    marked.querySelector("summary").click();
    await wait();
    seen.open = String(marked.open);
    marked.querySelector(".move").click();
    seen.inside = String(marked.contains(document.querySelector(".move.current")));
    press("ArrowLeft");
    seen.outside = location.hash;
    const given = all("#moves > details").find((found) => found.textContent.includes("d5"));
    given.querySelectorAll(".move")[1].click();
    seen.variation = board() + " " + given.open;
    press("Escape");
    await wait();
    seen.closing = String(!document.querySelector("#collection").hidden);
    seen.requests = String(performance.getEntriesByType("resource").length);
    seen.width = `${innerWidth} ${document.documentElement.scrollWidth <= innerWidth}`;
  } catch (error) {
    seen.error = String(error.stack);
  }
  const lines = Object.entries(seen).map(([name, text]) => `${name}: ${text}\n`);
  parent.postMessage(lines.join(""), "*");
})();
</script>
"##;

/// A page with the other in a frame, because a window has a least width, and with what is seen
/// there.
const FRAME: &str = r#"
<pre id="seen"></pre>
<script>
onmessage = (event) => { document.getElementById("seen").textContent = event.data; };
</script>
<iframe src="games.html" height="800" width=""#;

/// Returns the pieces from a8 to h1 after moves.
fn board(moves: &[&str]) -> String {
    let mut game = Game::default();
    for san in moves {
        game.play(game.position().parse_san(san).unwrap()).unwrap();
    }
    let fen = game.position().to_string();
    let squares = fen.split(' ').next().unwrap().replace('/', "");
    squares
        .chars()
        .map(|c| c.to_digit(10).map_or(c.to_string(), |empty| ".".repeat(empty as usize)))
        .collect()
}

/// Opens a page and returns its document at the end; `None` without Chromium.
fn document(page: &Path, profile: &Path) -> Option<String> {
    let programs = ["chromium", "chromium-browser", "google-chrome"];
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--virtual-time-budget=20000",
        "--dump-dom",
    ];
    let opened = programs.iter().find_map(|program| {
        let mut command = Command::new(program);
        command.args(flags).arg(format!("--user-data-dir={}", profile.display()));
        command.arg("--window-size=1700,900");
        command.arg(format!("file://{}", page.display())).output().ok()
    });
    opened.map(|output| String::from_utf8(output.stdout).unwrap())
}

#[test]
#[ignore = "a browser: cargo xtask ci --step long-page"]
fn a_person_finds_the_way_through_a_page() {
    let folder_guard = tempfile::tempdir().unwrap();
    let folder = folder_guard.path();
    let (games, page) = (folder.join("games.pgn"), folder.join("games.html"));
    fs::write(&games, GAMES).unwrap();
    let mut analysis = Command::new(env!("CARGO_BIN_EXE_koel"));
    analysis.arg("analyze").arg(&games).args(["--depth", "5", "--html"]).arg(&page);
    let written = analysis.output().unwrap();
    assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replace("</body>", &format!("{ACTIONS}</body>"))).unwrap();
    for width in [360, 1000, 1600] {
        let profile = folder.join(format!("profile-{width}"));
        let frame = folder.join(format!("frame-{width}.html"));
        fs::write(&frame, format!("{FRAME}{width}\"></iframe>")).unwrap();
        let Some(document) = document(&frame, &profile) else {
            println!("skipped: no Chromium");
            break;
        };
        let seen = document.split("<pre id=\"seen\">").nth(1).expect(&document);
        let seen = seen.split("</pre>").next().unwrap().replace("&lt;", "<");
        let seen = seen.replace("&gt;", ">").replace("&amp;", "&");
        check(&seen, width);
        println!("{width} pixels:\n{seen}");
    }
    // The browser may still be writing.
    std::thread::sleep(Duration::from_millis(500));
}

fn check(seen: &str, width: u32) {
    let (start, reverse) = (board(&[]), |board: &str| board.chars().rev().collect::<String>());
    let zoe = "Zoe </script> & co";
    for (name, expected) in [
        ("rows", format!("{zoe}|Bob|Ann")),
        ("ascending", format!("Ann|Bob|{zoe}")),
        ("descending", format!("{zoe}|Bob|Ann")),
        ("opened", "#1/0 alone".to_owned()),
        ("clicked", "#1/0 #1/1 #1/2 #1/4".to_owned()),
        ("start", start),
        ("first", board(&["f3"])),
        ("arrows", "1".to_owned()),
        ("comment", "<b>bad</b>".to_owned()),
        ("end", format!("#1/4 {}", board(&["f3", "e5", "g4", "Qh4"]))),
        ("back", "#1/3".to_owned()),
        ("flipped", reverse(&board(&["f3", "e5", "g4"]))),
        ("closed", "false".to_owned()),
        ("open", "true".to_owned()),
        ("inside", "true".to_owned()),
        ("variation", format!("{} true", board(&["f3", "d5", "d4"]))),
        ("closing", "true".to_owned()),
        ("requests", "0".to_owned()),
        ("width", format!("{width} true")),
    ] {
        assert!(seen.contains(&format!("{name}: {expected}\n")), "{name}: {expected}\n{seen}");
    }
}
