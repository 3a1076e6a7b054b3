//! Games taken apart into positions.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use koel_arena::record::stable_hash;
use koel_board::{Move, MoveList, Position, SeeValues};
use koel_eval::tuning::Features;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::Chess;

/// A position, and what became of it.
pub(crate) struct Sample {
    pub(crate) features: Features,
    /// 1 if White won, 0 if Black.
    pub(crate) result: f32,
    /// What the search said, in centipawns from White's view.
    pub(crate) score: f32,
    /// Whether it judges the fit instead of taking part.
    pub(crate) is_held_out: bool,
}

/// Beyond this a game is decided, and its positions teach nothing.
const DECIDED: f32 = 1000.0;

/// One opening in so many is held out.
const HELD_OUT: u64 = 10;

/// Adds the quiet positions of all finished games; answers how many games there were.
pub(crate) fn read(path: &Path, samples: &mut Vec<Sample>) -> Result<usize> {
    let context = || path.display().to_string();
    let file = File::open(path).with_context(context)?;
    let mut reader = Reader::new(BufReader::new(file));
    let mut games = 0;
    for game in reader.read_games(&mut Games) {
        let game = game.with_context(context)?;
        games += 1;
        let game = game.map_err(|problem| anyhow!("{problem}"));
        let Some(game) = game.with_context(|| format!("{}, game {games}", context()))? else {
            continue;
        };
        samples.extend(game.samples());
    }
    Ok(games)
}

/// A position with what the search said of it and played in it.
struct Ply {
    position: Position,
    played: Move,
    /// In centipawns for the side to move.
    score: Option<f32>,
}

struct Game {
    chess: Chess,
    position: Position,
    plies: Vec<Ply>,
    result: f32,
    is_held_out: bool,
}

impl Game {
    fn samples(&self) -> impl Iterator<Item = Sample> {
        self.plies.iter().filter(|ply| is_quiet(&ply.position, ply.played)).filter_map(|ply| {
            let score = ply.score.filter(|score| score.abs() < DECIDED)?;
            Some(Sample {
                features: Features::new(&ply.position),
                result: self.result,
                score: ply.position.turn().fold_wb(score, -score),
                is_held_out: self.is_held_out,
            })
        })
    }
}

/// Whether the position is what a static evaluation is for: no check, nothing played that takes,
/// and no capture that wins something at once.
fn is_quiet(position: &Position, played: Move) -> bool {
    if position.is_check() || played.is_noisy() || position.gives_check(played) {
        return false;
    }
    let mut noisy = MoveList::new();
    position.noisy_moves(&mut noisy);
    !noisy.iter().any(|&m| position.see_ge(m, 1, &SeeValues::default()))
}

#[derive(Default)]
struct Tags {
    fen: Option<String>,
    result: Option<f32>,
}

struct Games;

impl Visitor for Games {
    type Tags = Tags;
    type Movetext = Game;
    type Output = Result<Option<Game>, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        match name {
            b"FEN" => tags.fen = Some(value.decode_utf8_lossy().into_owned()),
            b"Result" => {
                tags.result = match value.as_bytes() {
                    b"1-0" => Some(1.0),
                    b"0-1" => Some(0.0),
                    b"1/2-1/2" => Some(0.5),
                    _ => None,
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Game> {
        let Some(result) = tags.result else { return ControlFlow::Break(Ok(None)) };
        let fen = tags.fen.unwrap_or_else(|| koel_board::START_FEN.to_owned());
        match Position::from_fen(&fen) {
            Ok(position) => ControlFlow::Continue(Game {
                chess: position.to_shakmaty(),
                position,
                plies: Vec::new(),
                result,
                is_held_out: (stable_hash(fen.as_bytes()) >> 32).is_multiple_of(HELD_OUT),
            }),
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn san(&mut self, game: &mut Game, san_plus: SanPlus) -> ControlFlow<Self::Output> {
        let m = match san_plus.san.to_move(&game.chess) {
            Ok(m) => m,
            Err(error) => return ControlFlow::Break(Err(format!("{san_plus}: {error}"))),
        };
        let played = game.position.from_shakmaty_move(m);
        game.plies.push(Ply { position: game.position.clone(), played, score: None });
        game.position.play(played);
        shakmaty::Position::play_unchecked(&mut game.chess, m);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        let score = text.split('/').next().and_then(|text| text.trim().parse::<f32>().ok());
        if let Some(ply) = game.plies.last_mut() {
            ply.score = score.map(|pawns| 100.0 * pawns);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        Ok(Some(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_positions_are_kept() {
        let text = "[Result \"1-0\"]\n\n1. e4 {+0.31/9 0.1s} d5 {-0.20/8 0.1s} 2. exd5 {+0.5/9}\n\
                    Nf6 {-12.5/3} 3. d4 {book} Nxd5 {+0.1/9} 4. Nf3 {+M3/9} 1-0\n\n\
                    [Result \"*\"]\n\n1. e4 {+0.31/9} *\n";
        let file = std::env::temp_dir().join(format!("koel-fit-eval-{}.pgn", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let mut samples = Vec::new();
        let games = read(&file, &mut samples).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(games, 2);
        let scores: Vec<f32> = samples.iter().map(|sample| sample.score).collect();
        assert_eq!(scores, [31.0, 20.0]);
        assert!(samples.iter().all(|sample| sample.result == 1.0));
    }
}
