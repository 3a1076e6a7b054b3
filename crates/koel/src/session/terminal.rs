//! Output for people at a terminal, in place of UCI. In a pipe, and after `uci`, a session prints
//! UCI.

use std::env;
use std::fmt::Write;

use koel_board::{File, Game, Piece, Position, Rank, Square, role_index};
use koel_uci::{Bound, Info, Milliseconds, MoveText, Reply, Score};

use crate::ENGINE_NAME;

/// The width of a terminal that does not tell it, in characters.
pub(crate) const USUAL_WIDTH: usize = 80;

#[derive(Clone, Debug)]
pub(crate) struct Terminal {
    /// True if the terminal understands ANSI colours.
    pub(crate) has_colour: bool,
    /// The number of characters of a line; longer variations are cut.
    width: usize,
    /// The root of the search, from which moves are read.
    root: Position,
}

impl Terminal {
    /// Returns the style of this process's terminal. The variable `NO_COLOR` switches colours off.
    pub(crate) fn detect() -> Terminal {
        let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_plain = cfg!(windows) || env::var_os("TERM").is_none_or(|term| term == "dumb");
        Terminal::new(!is_refused && !is_plain)
    }

    fn new(has_colour: bool) -> Terminal {
        Terminal { has_colour, width: USUAL_WIDTH, root: Position::start() }
    }

    /// Prepares for the reports of a search; the window may have another width than before.
    pub(crate) fn start_search(&mut self, root: &Position) {
        self.root = root.clone();
        self.width = window_width().unwrap_or(USUAL_WIDTH);
    }

    pub(crate) fn width(&self) -> usize {
        window_width().unwrap_or(self.width)
    }

    /// Returns the text with which a session begins.
    pub(crate) fn greeting() -> String {
        format!(
            "{ENGINE_NAME}, a chess engine. Try:\n\
             \x20 d                                   show the board\n\
             \x20 go movetime 2000                    find the best move in two seconds\n\
             \x20 position startpos moves e4 c5       set up a position\n\
             `help` lists all commands, `quit` ends. After `uci` the output is UCI.\n"
        )
    }

    /// Returns a reply as text for people, or `None` if it is left out.
    pub(crate) fn render_reply(&self, reply: &Reply) -> Option<String> {
        match reply {
            Reply::Info(info) if info.string.is_some() => info.string.clone(),
            Reply::Info(info) => self.render_info(info),
            Reply::BestMove { best: Some(MoveText::NULL), .. } => {
                Some("No move: no position is set up".to_owned())
            }
            Reply::BestMove { best, ponder } => {
                let moves: Vec<MoveText> = best.iter().chain(ponder).copied().collect();
                Some(match &self.san(&moves)[..] {
                    [] => "No legal move".to_owned(),
                    [best] => format!("Best move: {best}"),
                    [best, ponder, ..] => format!("Best move: {best} (expected reply: {ponder})"),
                })
            }
            other => Some(other.to_string()),
        }
    }

    /// Returns moves from the root in Standard Algebraic Notation, those that are not legal there
    /// as they are.
    fn san(&self, moves: &[MoveText]) -> Vec<String> {
        let mut position = Some(self.root.clone());
        let to_san = |text: &MoveText| {
            let before = position.take();
            let m = before.as_ref().and_then(|before| before.parse_uci(text.as_str()).ok());
            let Some((before, m)) = before.zip(m) else { return text.to_string() };
            position = Some(before.after(m));
            before.san(m)
        };
        moves.iter().map(to_san).collect()
    }

    /// Returns a report of a search as one line; `None` for a bound, which a result follows.
    fn render_info(&self, info: &Info) -> Option<String> {
        let score = info.score.filter(|score| score.bound == Bound::Exact)?;
        let score = match score.score {
            Score::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
            Score::Mate(moves) => format!("#{moves}"),
        };
        let line = info.multipv.filter(|&line| line > 1);
        let line = line.map_or(String::new(), |n| format!("({n})"));
        let seconds = info.time.map_or(0.0, |Milliseconds(time)| time as f64 / 1000.0);
        let mut text = format!(
            "{:>3} {line:>4} {score:>7} {:>7} nodes {seconds:>6.1} s ",
            info.depth.unwrap_or_default(),
            short_count(info.nodes.unwrap_or_default())
        );
        for m in self.san(&info.pv) {
            // The last column stays empty: some terminals would begin a new line.
            if text.len() + 1 + m.len() >= self.width {
                break;
            }
            let _ = write!(text, " {m}");
        }
        Some(text)
    }

    /// Returns the board with White at the bottom, and the side to move.
    pub(crate) fn render_board(&self, game: &Game) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let _ = write!(text, " {} ", rank.char());
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                text += &self.render_square(square, game.position().piece_at(square));
            }
            text.push('\n');
        }
        text += "    a  b  c  d  e  f  g  h\n\n";
        let side = game.position().turn().fold_wb("White", "Black");
        let _ = writeln!(text, "{side} to move");
        text
    }

    fn render_square(&self, square: Square, piece: Option<Piece>) -> String {
        if !self.has_colour {
            return format!(" {} ", piece.map_or('·', outlined_or_filled));
        }
        // Text that is copied from the terminal has no colours.
        let symbol = piece.map_or(' ', outlined_or_filled);
        let background = if square.is_light() { 180 } else { 137 };
        let foreground = piece.map_or(16, |piece| piece.color.fold_wb(231, 16));
        format!("\x1b[48;5;{background}m\x1b[38;5;{foreground}m {symbol} \x1b[0m")
    }
}

/// The symbol of a piece: outlined for White, filled for Black.
fn outlined_or_filled(piece: Piece) -> char {
    const OUTLINED: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
    const FILLED: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];
    piece.color.fold_wb(OUTLINED, FILLED)[role_index(piece.role)]
}

/// Returns the width of the window of the standard output, if it is one.
fn window_width() -> Option<usize> {
    #[cfg(unix)]
    let columns = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?.ws_col;
    #[cfg(not(unix))]
    let columns = 0_u16;
    Some(usize::from(columns)).filter(|&columns| columns > 0)
}

/// Returns a count with three digits: `12`, `1.23k`, `45.6M`.
fn short_count(count: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")];
    let Some((unit, name)) = units.into_iter().find(|&(unit, _)| count >= unit) else {
        return count.to_string();
    };
    let value = count as f64 / unit as f64;
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(line: &str) -> Option<String> {
        Terminal::new(false).render_reply(&line.parse().unwrap())
    }

    #[test]
    fn a_search_is_a_compact_line() {
        let info = "info depth 12 seldepth 20 multipv 1 score cp 35 nodes 1234567 nps 9 time 812";
        let expected = " 12        +0.35   1.23M nodes    0.8 s  e4 e5";
        assert_eq!(rendered(&format!("{info} pv e2e4 e7e5")).unwrap(), expected);
        let long = rendered(&format!("{info} pv{}", " g1f3 g8f6".repeat(20))).unwrap();
        assert!(
            (70..USUAL_WIDTH).contains(&long.len()) && long.contains("  Nf3 Nf6 g1f3"),
            "{long}"
        );
        let wide = Terminal { width: 200, ..Terminal::new(false) };
        let long = format!("{info} pv{}", " g1f3 g8f6 f3g1 f6g8".repeat(20));
        let long = wide.render_reply(&long.parse().unwrap()).unwrap();
        assert!((180..200).contains(&long.len()) && !long.contains("g1f3"), "{long}");
        let mate =
            rendered("info depth 3 multipv 2 score mate -2 nodes 90 time 1 pv e8d8").unwrap();
        assert!(mate.starts_with("  3  (2)     #-2      90 nodes"), "{mate}");
        assert_eq!(rendered("info depth 12 score cp 35 lowerbound pv e2e4"), None);
    }

    #[test]
    fn answers_are_sentences() {
        let text = |line| rendered(line).unwrap();
        assert_eq!(text("bestmove e2e4 ponder e7e5"), "Best move: e4 (expected reply: e5)");
        assert_eq!(text("bestmove g1f3"), "Best move: Nf3");
        let mut terminal = Terminal::new(false);
        let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
        terminal.start_search(&Position::from_fen(fen).unwrap());
        let mate = terminal.render_reply(&"bestmove d1d8".parse().unwrap());
        assert_eq!(mate.as_deref(), Some("Best move: Rd8#"));
        assert_eq!(text("bestmove (none)"), "No legal move");
        assert_eq!(text("bestmove 0000"), "No move: no position is set up");
        assert_eq!(text("info string error: go: no"), "error: go: no");
        assert_eq!(text("readyok"), "readyok");
    }

    #[test]
    fn counts_have_three_digits() {
        let counts = [0, 999, 1000, 12_345, 123_456, 99_950_000, 7_000_000_000].map(short_count);
        assert_eq!(counts, ["0", "999", "1.00k", "12.3k", "123k", "100.0M", "7.00G"]);
    }

    #[test]
    fn the_board_is_drawn_with_and_without_colours() {
        let plain = Terminal::new(false).render_board(&Game::default());
        assert!(plain.starts_with(" 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ \n"), "{plain}");
        assert!(plain.contains(" 4  ·  ·  ·  ·  ·  ·  ·  · \n"), "{plain}");
        assert!(plain.contains(" 1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖ \n"), "{plain}");
        assert!(plain.ends_with("\nWhite to move\n"), "{plain}");
        let coloured = Terminal::new(true).render_board(&Game::default());
        assert!(coloured.contains("\x1b[48;5;137m\x1b[38;5;231m ♖ \x1b[0m"), "a1 is dark");
        assert_eq!(coloured.matches("\x1b[48;5;180m").count(), 32);
    }

    fn terminal_session(input: &'static str) -> String {
        let mut output = Vec::new();
        let terminal = Some(Terminal::new(false));
        crate::session::run_styled(input.as_bytes(), &mut output, terminal).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn what_a_terminal_prints_it_reads() {
        let output = terminal_session(
            "position startpos moves e4 e7e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O\nd\n\
             go perft 1\nwait\ngo depth 2 searchmoves Nf6 Bg4\nwait\n\
             position startpos moves e4 Ke5\ngo depth 2\nwait\n",
        );
        assert!(output.contains("Last move: O-O") && output.contains("Ne7: 1"), "{output}");
        let best = output.split("Best move: ").nth(1).unwrap();
        assert!(best.starts_with("Nf6") || best.starts_with("Bg4"), "{output}");
        let illegal = "error: position: move 2: `Ke5` is not a legal move in rnbqkbnr/";
        assert!(output.contains(illegal), "{output}");
        assert!(output.ends_with("No move: no position is set up\n"), "{output}");
        // Castling of Chess960, without the option, is no move of the king.
        let output = terminal_session(
            "position fen rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1 moves O-O-O\nd\n\
             position fen rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1\n\
             go depth 1 searchmoves O-O-O\nwait\ngo perft 1\n",
        );
        assert!(output.contains("Last move: O-O-O\n"), "{output}");
        assert!(output.contains("Best move: O-O-O\n"), "{output}");
        assert!(output.contains("O-O-O: 1") && output.contains("Kc1: 1"), "{output}");
    }

    #[test]
    fn the_options_fit_into_the_window() {
        let output = terminal_session("help options\n");
        assert!(output.lines().all(|line| line.chars().count() < USUAL_WIDTH), "{output}");
        assert!(
            output.contains("Move Overhead (10; 0 to 5000)") && !output.contains('|'),
            "{output}"
        );
    }

    #[test]
    fn on_a_terminal_the_output_is_for_people_until_uci() {
        let input = "d\ngo depth 3\nwait\nuci\nd\ngo depth 3\nwait\n";
        let mut output = Vec::new();
        let terminal = Some(Terminal::new(true));
        crate::session::run_styled(input.as_bytes(), &mut output, terminal).unwrap();
        let output = String::from_utf8(output).unwrap();
        let (before, after) = output.split_once("id name").unwrap();
        assert!(before.contains("\x1b[") && before.contains("White to move"), "{before}");
        assert!(before.contains("Best move: ") && !before.contains("info "), "{before}");
        assert!(after.contains("bestmove ") && !after.contains('\x1b'), "{after}");
        assert!(after.contains("info depth 3 ") && after.contains(" +---+"), "{after}");
    }
}
