//! Limited playing strength to a rating.
//!
//! Two things weaken the engine. A node limit makes it overlook deep tactics, as people do. And it
//! picks one of its best few lines at random: the worse a line, the less likely, so that it errs
//! slightly where moves are nearly equal and hardly ever where one stands out. A mate that it has
//! found is always played. It never idles and never blunders on purpose, and a won ending of few
//! pieces is played as well as the node limit allows, without repetitions.
//!
//! The random choice depends only on the position, the rating and the number of the game in this
//! session, so that the same commands give the same moves.

use koel_board::{Game, Key, Position};
use koel_random::Rng;

use crate::event::Line;

/// The least rating to which strength can be limited, on the scale of Stockfish 15.1's `UCI_Elo`.
pub const MIN_ELO: i32 = ANCHORS[0].elo;
/// The largest rating to which strength can be limited.
pub const MAX_ELO: i32 = ANCHORS[ANCHORS.len() - 1].elo;

/// The number of lines from which one is picked.
pub(crate) const CANDIDATE_LINES: usize = 5;

/// The means by which a rating is reached.
#[derive(Clone, Copy)]
struct Anchor {
    elo: i32,
    /// The node limit of a move.
    nodes: f64,
    /// The softmax temperature in centipawns: of two lines this far apart, the worse one is picked
    /// about a third as often (1/e).
    temperature: f64,
}

/// The anchors, between which both numbers are interpolated. They are set so that Koel scores
/// about half against Stockfish 15.1 with the same `UCI_Elo` and 10,000 nodes a move; the first and
/// the last are extrapolated. (Table: docs/results.md.)
const ANCHORS: [Anchor; 7] = [
    Anchor { elo: 1320, nodes: 415.0, temperature: 82.0 },
    Anchor { elo: 1400, nodes: 600.0, temperature: 60.0 },
    Anchor { elo: 1700, nodes: 1_300.0, temperature: 30.0 },
    Anchor { elo: 2000, nodes: 10_200.0, temperature: 4.6 },
    Anchor { elo: 2300, nodes: 36_000.0, temperature: 1.35 },
    Anchor { elo: 2600, nodes: 52_000.0, temperature: 1.0 },
    Anchor { elo: 2850, nodes: 65_000.0, temperature: 0.8 },
];

/// The least node limit against a bare king.
const BARE_KING_NODES: u64 = 10_000;

/// The number of pieces, kings included, of an ending that is not lost sight of.
const FEW_PIECES: usize = 5;

/// The centipawns of a winning line.
const WON: f64 = 200.0;

/// The score of a mate, less its moves; far above all other lines.
const MATE_SCORE: f64 = 100_000.0;

/// The limit of playing strength in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strength {
    /// The target rating, from [`MIN_ELO`] to [`MAX_ELO`].
    pub(crate) elo: i32,
    /// The number of the game in this session.
    pub(crate) game: u64,
}

impl Strength {
    /// The node limit of a move in this position: enough to mate a bare king.
    pub(crate) fn node_limit(self, root: &Position) -> u64 {
        let nodes = self.interpolate(|anchor| anchor.nodes) as u64;
        if root.color(!root.turn()).count() == 1 { nodes.max(BARE_KING_NODES) } else { nodes }
    }

    /// The value of an anchor at this rating: between two anchors it grows by a constant factor
    /// for each point.
    fn interpolate(self, value: impl Fn(&Anchor) -> f64) -> f64 {
        let above = ANCHORS.partition_point(|anchor| anchor.elo <= self.elo);
        let [low, high] = [above.max(1) - 1, above.min(ANCHORS.len() - 1)].map(|at| &ANCHORS[at]);
        let distance = f64::from((high.elo - low.elo).max(1));
        let share = (f64::from(self.elo - low.elo) / distance).clamp(0.0, 1.0);
        value(low).powf(1.0 - share) * value(high).powf(share)
    }

    /// Picks the line to play after this game; `lines` has the best first.
    pub(crate) fn pick_line<'l>(self, lines: &'l [Line], game: &Game) -> Option<&'l Line> {
        if is_won_ending(lines, game.position()) {
            return lines.iter().find(|line| !repeats(line, game)).or(lines.first());
        }
        self.sample(lines, game.position().key())
    }

    /// Samples a line. Adding Gumbel noise to each score and taking the maximum is equivalent to
    /// sampling from the softmax of the scores (Gumbel-max trick).
    fn sample(self, lines: &[Line], root: Key) -> Option<&Line> {
        let temperature = self.interpolate(|anchor| anchor.temperature);
        let mut random = Rng::new(root.0 ^ (self.game << 16) ^ self.elo as u64);
        let mut best = None::<(f64, &Line)>;
        for line in lines {
            let noise = -(-random.next_f64().ln()).ln() * temperature;
            let total = line_score(line) + noise;
            if best.is_none_or(|(max, _)| total > max) {
                best = Some((total, line));
            }
        }
        best.map(|(_, line)| line)
    }
}

/// Returns true if a few pieces are left and the best line wins: there one step aside leads
/// nowhere.
fn is_won_ending(lines: &[Line], root: &Position) -> bool {
    root.occupied().count() <= FEW_PIECES
        && lines.first().is_some_and(|line| line_score(line) >= WON)
}

/// Returns true if the first move of a line leads to an earlier position of the game.
fn repeats(line: &Line, game: &Game) -> bool {
    line.pv.first().is_some_and(|&m| {
        let key = game.position().after(m).key();
        game.keys().any(|earlier| earlier == key)
    })
}

/// Returns the score of a line in centipawns.
fn line_score(line: &Line) -> f64 {
    match line.score.moves_to_mate() {
        None => line.centipawns.into(),
        Some(moves) if moves > 0 => MATE_SCORE * f64::from(1000 - moves.min(999)),
        Some(moves) => -MATE_SCORE - f64::from(moves) * ANCHORS[0].temperature,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use koel_search::{Bound, Depth, Score};

    use super::*;
    use crate::event::WinDrawLoss;

    fn line(score: Score) -> Line {
        Line {
            multi_pv: 1,
            depth: Depth(1),
            selective_depth: 1,
            score,
            bound: Bound::Exact,
            centipawns: score.centipawns(),
            wdl: WinDrawLoss::DRAW,
            pv: Vec::new(),
            nodes: 0,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tablebase_hits: 0,
        }
    }

    fn lines(scores: &[Score]) -> Vec<Line> {
        scores.iter().map(|&score| line(score)).collect()
    }

    /// Returns the number of times each line is picked in a thousand positions.
    fn counts(elo: i32, scores: &[Score]) -> Vec<usize> {
        let lines = lines(scores);
        let mut counts = vec![0; lines.len()];
        for key in 0..1000_u64 {
            let strength = Strength { elo, game: 1 };
            let key = Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let taken = strength.sample(&lines, key).unwrap();
            counts[lines.iter().position(|line| line == taken).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn lower_ratings_pick_worse_lines_more_often_but_never_a_blunder() {
        let scores = [40, 15, -60, -700].map(Score::from_centipawns);
        let firsts = [1320, 1800, 2300, 2850].map(|elo| counts(elo, &scores)[0]);
        assert!(firsts.is_sorted() && firsts[0] > 400 && firsts[0] < 700, "{firsts:?}");
        assert_eq!(firsts[3], 1000, "the highest rating takes the best");
        assert_eq!(counts(1320, &scores)[3], 0, "a queen is not given away knowingly");
    }

    #[test]
    fn mates_are_played() {
        let scores = [-Score::mated_in(3), -Score::mated_in(7), Score::from_centipawns(900)];
        assert_eq!(counts(1320, &scores), [1000, 0, 0]);
        let scores = [Score::from_centipawns(-900), Score::mated_in(6)];
        assert_eq!(counts(1320, &scores), [1000, 0]);
    }

    #[test]
    fn the_choice_depends_on_position_rating_and_game_only() {
        let lines = lines(&[10, 8, 6, 4, 2].map(Score::from_centipawns));
        let choice = |elo, game, key| {
            let taken = Strength { elo, game }.sample(&lines, Key(key)).unwrap();
            lines.iter().position(|line| line == taken)
        };
        let by = |choose: &dyn Fn(u64) -> Option<usize>| (0..40).map(choose).collect::<Vec<_>>();
        assert_eq!(by(&|key| choice(1500, 1, key)), by(&|key| choice(1500, 1, key)));
        assert_ne!(by(&|key| choice(1500, 1, key)), by(&|key| choice(1500, 2, key)));
        assert_ne!(by(&|key| choice(1500, 1, key)), by(&|key| choice(1400, 1, key)));
        assert_eq!(Strength { elo: 1500, game: 0 }.sample(&[], Key(1)), None);
    }

    #[test]
    fn a_won_ending_is_played_straight_and_without_repetitions() {
        let mut game = Game::new("8/8/8/4k3/8/8/8/K6R w - - 0 1".parse().unwrap());
        let root = game.position().clone();
        let scores = [520, 519, 518].map(Score::from_centipawns);
        let lines = ["h1h2", "h1h8", "a1b2"]
            .iter()
            .zip(scores)
            .map(|(m, score)| Line { pv: vec![root.parse_uci(m).unwrap()], ..line(score) });
        let all: Vec<_> = lines.collect();
        let first = |game: &Game, number| {
            Strength { elo: 1320, game: number }.pick_line(&all, game).unwrap().pv[0].to_string()
        };
        assert!((0..50).all(|number| first(&game, number) == "h1h2"));
        // With h1h2 a position of the game would be there again.
        for m in ["h1h2", "e5e6", "h2h1", "e6e5"] {
            game.play(game.position().parse_uci(m).unwrap()).unwrap();
        }
        assert!((0..50).all(|number| first(&game, number) == "h1h8"));
        // With more pieces it is not an ending of this kind.
        let middlegame = Game::default();
        let played: std::collections::HashSet<_> =
            (0..200).map(|number| first(&middlegame, number)).collect();
        assert_eq!(played.len(), 3);
    }

    #[test]
    fn nodes_grow_with_the_rating() {
        let start = Position::start();
        let node_limit = |elo| Strength { elo, game: 0 }.node_limit(&start);
        let limits: Vec<u64> = (MIN_ELO..=MAX_ELO).map(node_limit).collect();
        assert!(limits.is_sorted(), "{limits:?}");
        for anchor in ANCHORS {
            assert!(node_limit(anchor.elo).abs_diff(anchor.nodes as u64) <= 1, "{}", anchor.elo);
        }
    }
}
