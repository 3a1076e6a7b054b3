//! The generator of the data file. The same program writes the same file, byte for byte.

use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::kinds::{Candidate, KINDS, Kind, RANDOM};
use crate::oracle::{Line, draws};
use crate::random_line::choose;
use crate::record::Record;
use crate::starts::Starts;
use crate::truth::Truth;

const SEED: u64 = 20_261_122;

/// The greatest number of moves of a line.
const MAX_PLIES: usize = 22;

/// Generates the first records of every kind: at most `limit` of each.
pub(crate) fn generate(limit: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for (index, kind) in KINDS.iter().enumerate() {
        generate_kind(kind, index as u64, kind.count.min(limit), &mut records);
    }
    records
}

/// Generates this many random lines that were not selected for anything, of which none is in the
/// file.
pub(crate) fn generate_unselected(count: usize) -> Vec<Record> {
    let mut records = Vec::new();
    generate_kind(&RANDOM, KINDS.len() as u64, count, &mut records);
    records
}

fn generate_kind(kind: &Kind, stream: u64, count: usize, records: &mut Vec<Record>) {
    let mut rng = Rng::for_stream(SEED, stream);
    let first = records.len();
    while records.len() < first + count {
        let Some(mut record) = random_record(kind, &mut rng) else { continue };
        record.id = format!("{}/{}", kind.name, records.len() - first + 1);
        let is_same = |other: &Record| {
            (&other.fen, &other.moves, other.root) == (&record.fen, &record.moves, record.root)
        };
        if !records[first..].iter().any(is_same) {
            records.push(record);
        }
    }
}

/// Plays one random line until it is of this kind. The record has no id yet.
fn random_record(kind: &Kind, rng: &mut Rng) -> Option<Record> {
    let (start, mut first_move) = kind.starts.draw(rng)?;
    let start = later(kind.starts, start, rng);
    let mode = kind.starts.mode();
    let mut line = Line::new(start.clone());
    let mut moves = Vec::new();
    while moves.len() < MAX_PLIES {
        let is_null = |text: &String| text == "0000";
        let null_is_next = rng.below(100) < kind.null_moves && !moves.last().is_some_and(is_null);
        if null_is_next && line.push_null() {
            moves.push("0000".to_owned());
        } else {
            let played = first_move.take().or_else(|| choose(&line, rng))?;
            line.push(played);
            moves.push(played.to_uci(mode).to_string());
        }
        let last_root = moves.iter().position(is_null).unwrap_or(moves.len());
        let root = random_root(&line, last_root, rng);
        let truth = Truth::find(&line, root, mode);
        let candidate = Candidate { line: &line, root, truth: &truth };
        let is_over = line.now().steps.is_empty() || line.now().position.is_insufficient_material();
        if !is_over && (kind.is_met)(&candidate) && is_reachable(&line, root) {
            return Some(Record {
                id: String::new(),
                fen: Fen::from_position(&start, EnPassantMode::Always).to_string(),
                chess960: mode == CastlingMode::Chess960,
                root,
                moves: moves.join(" "),
                truth,
            });
        }
    }
    None
}

/// Returns the position after some random moves, unless the pattern lasts for one move only.
fn later(starts: Starts, start: Chess, rng: &mut Rng) -> Chess {
    let plies = match starts {
        Starts::Standard | Starts::Sliders | Starts::Chess960 => rng.below(12),
        Starts::Castling | Starts::IllegalEnPassant | Starts::LegalEnPassant => 0,
    };
    let mut position = start;
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play_unchecked(legal[rng.below(legal.len())]);
    }
    // The counters of moves say nothing about repetitions.
    let setup = Fen::from_position(&position, EnPassantMode::Always).to_string();
    let fields = setup.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let fen = format!("{fields} 0 1").parse::<Fen>();
    fen.ok().and_then(|fen| fen.into_position(starts.mode()).ok()).unwrap_or(position)
}

/// Returns a root at or before `last`: half of the time one near an earlier position that can be
/// reached, so that the boundary of the root matters.
fn random_root(line: &Line, last: usize, rng: &mut Rng) -> usize {
    let distances = line.returns().into_iter().flat_map(|found| found.plies);
    let distances = distances.chain(line.repetitions()).collect::<Vec<_>>();
    let root = match distances.len() {
        count if count > 0 && rng.below(2) == 0 => {
            (line.plies() - distances[rng.below(count)] + rng.below(2)).saturating_sub(1)
        }
        _ => rng.below(line.plies() + 1),
    };
    root.min(last)
}

/// Returns true if a game and a search can go this way: neither goes on after its draw.
fn is_reachable(line: &Line, root: usize) -> bool {
    (1..=line.plies()).all(|plies_ago| {
        let index = line.plies() - plies_ago;
        !draws(&line.earlier(plies_ago), index.saturating_sub(root))
    })
}
