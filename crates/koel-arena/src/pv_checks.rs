//! Checks of principal variations (PVs): they must be legal, end where the game ends, and begin
//! with the move played.

use koel_uci::{Bound, Info, MoveText, Score};

use crate::record::{Ending, Warning, Warnings};
use crate::referee::Referee;

/// Checks the PVs of one search against the game before it and the move played, and counts the
/// warnings.
pub(crate) fn check_pvs(before: &Referee, infos: &[Info], best: MoveText, warnings: &mut Warnings) {
    let mut pv_move = None;
    for info in infos {
        if let Some(warning) = check_pv(before, info) {
            add_warning(warnings, warning, 1);
        }
        if info.multipv.is_none_or(|rank| rank == 1) && !info.pv.is_empty() {
            pv_move = info.pv.first().copied();
        }
    }
    if pv_move.is_some_and(|first| first != best) {
        add_warning(warnings, Warning::BestMoveNotPv, 1);
    }
}

/// Adds this number of warnings of one kind.
pub(crate) fn add_warning(warnings: &mut Warnings, warning: Warning, count: u32) {
    if count > 0 {
        *warnings.entry(warning).or_default() += count;
    }
}

fn check_pv(before: &Referee, info: &Info) -> Option<Warning> {
    let mut game = before.clone();
    let mut is_drawn = false;
    for &m in &info.pv {
        if is_drawn && let Some(warning) = move_past_end(&game) {
            return Some(warning);
        }
        // The end of the game is tested only where a move is illegal: generating the moves of every
        // position would take most of the time.
        let Some(is_foreign_castling) = game.play_without_san(m) else {
            return move_past_end(&game).or(Some(Warning::IllegalPvMove));
        };
        if is_foreign_castling {
            return Some(Warning::CastlingNotation);
        }
        is_drawn = game.may_be_drawn();
    }
    is_wrong_mate(info, &game).then_some(Warning::WrongMatePv)
}

/// Returns the warning for a further move if the game is over.
fn move_past_end(game: &Referee) -> Option<Warning> {
    match game.end()? {
        Ending::Checkmate => Some(Warning::PvPastMate),
        Ending::Stalemate => Some(Warning::PvPastStalemate),
        Ending::Threefold => Some(Warning::PvPastThreefold),
        Ending::FiftyMoves => Some(Warning::PvPastFiftyMoves),
        // Insufficient material is no error by the usual compliance checks.
        _ => None,
    }
}

/// Returns true if an exact mate score has a PV of another length, or one that does not mate.
fn is_wrong_mate(info: &Info, last: &Referee) -> bool {
    let Some(report) = info.score else { return false };
    let Score::Mate(moves) = report.score else { return false };
    if report.bound != Bound::Exact || info.pv.is_empty() || moves == 0 {
        return false;
    }
    let plies = 2 * u64::from(moves.unsigned_abs()) - u64::from(moves > 0);
    info.pv.len() as u64 != plies || last.end() != Some(Ending::Checkmate)
}

#[cfg(test)]
mod tests {
    use koel_uci::Reply;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    use super::*;

    fn warnings(fen: &str, lines: &[&str], best: &str) -> Vec<Warning> {
        let mode = CastlingMode::Standard;
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
        let info = |line: &&str| match line.parse() {
            Ok(Reply::Info(info)) => Some(*info),
            _ => None,
        };
        let infos: Vec<_> = lines.iter().filter_map(info).collect();
        let mut warnings = Warnings::new();
        let before = Referee::new(position, mode);
        check_pvs(&before, &infos, best.parse().unwrap(), &mut warnings);
        warnings.into_keys().collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn correct_pvs_pass() {
        let lines = ["info depth 1 score cp 5 pv e2e4", "info depth 2 score cp 3 pv d2d4 d7d5"];
        assert!(warnings(START, &lines, "d2d4").is_empty());
        let others = ["info score cp 5 multipv 1 pv e2e4", "info score cp 1 multipv 2 pv d2d4"];
        assert!(warnings(START, &others, "e2e4").is_empty());
        assert!(warnings(START, &["info score cp 5", "what?"], "e2e4").is_empty());
    }

    #[test]
    fn each_fault_has_its_own_warning() {
        let line = |pv: &str| format!("info depth 9 score cp 0 pv {pv}");
        let first = |pv: &str| pv.split(' ').next().unwrap().to_owned();
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let queen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
        let cases = [
            (START, "e2e4 e2e4".to_owned(), Warning::IllegalPvMove),
            (START, format!("{shuffle} e2e4"), Warning::PvPastThreefold),
            (queen, "f1f8 h8h7".to_owned(), Warning::PvPastMate),
            (queen, "f1f7 h8h7".to_owned(), Warning::PvPastStalemate),
            ("7k/8/8/8/8/8/8/R6K w - - 98 80", "a1a2 h8h7 a2a3".into(), Warning::PvPastFiftyMoves),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1".into(), Warning::CastlingNotation),
        ];
        for (fen, pv, warning) in cases {
            assert_eq!(warnings(fen, &[&line(&pv)], &first(&pv)), [warning], "{pv}");
        }
        assert!(warnings(START, &[&line(shuffle)], "g1f3").is_empty());
        assert_eq!(warnings(START, &[&line("e2e4")], "d2d4"), [Warning::BestMoveNotPv]);
    }

    #[test]
    fn mate_scores_need_a_mating_pv() {
        let fen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
        assert!(warnings(fen, &["info score mate 1 pv f1f8"], "f1f8").is_empty());
        let wrong = [Warning::WrongMatePv];
        assert_eq!(warnings(fen, &["info score mate 2 pv f1f8"], "f1f8"), wrong);
        assert_eq!(warnings(fen, &["info score mate 1 pv f1f2"], "f1f2"), wrong);
        assert!(warnings(fen, &["info score mate 2 lowerbound pv f1f2"], "f1f2").is_empty());
    }
}
