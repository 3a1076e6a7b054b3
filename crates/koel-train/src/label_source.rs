//! Sources of labels: networks, searches, and the rule of a run of self-play.

use std::path::Path;

use anyhow::{Context, Result};
use koel_board::{Game, Position};
use koel_eval::{Evaluation, Evaluator};
use koel_search::Searcher;

use crate::load_evaluation::load_evaluation;
use crate::node_limits::{NodeLimits, for_white};
use crate::selfplay::{RunFolder, SETTINGS_FILE};

/// The transposition table of a search with a number of nodes, in MiB.
const HASH_MEBIBYTES: usize = 16;

/// Something that scores positions.
pub(crate) enum LabelSource {
    /// An evaluation without a search.
    Static(Evaluation, Box<Evaluator>),
    /// Searches with the limits of each position, each from an empty transposition table.
    Search(Box<Searcher>, Box<dyn Fn(&Position) -> NodeLimits>),
}

impl LabelSource {
    /// Returns the source with this name: the folder of a run of self-play, for full searches by
    /// its settings, `NETWORK:NODES` for searches of so many nodes, or the name of an evaluation.
    /// `nets` is the folder of networks.
    ///
    /// # Errors
    /// A network or the settings of the run cannot be read, or the table cannot be allocated.
    pub(crate) fn named(name: &str, nets: &Path) -> Result<LabelSource> {
        let folder = Path::new(name);
        if folder.join(SETTINGS_FILE).exists() {
            let settings = RunFolder(folder).settings()?;
            let evaluation = load_evaluation(&settings.evaluation, nets)?;
            let searcher = Searcher::new(settings.hash_mebibytes, evaluation)?;
            let limits = Box::new(move |position: &_| settings.limits(position, true));
            return Ok(LabelSource::Search(Box::new(searcher), limits));
        }
        if let Some((network, nodes)) = name.split_once(':') {
            let nodes = nodes.parse().with_context(|| format!("{name}: a number of nodes"))?;
            let searcher = Searcher::new(HASH_MEBIBYTES, load_evaluation(network, nets)?)?;
            let limits = Box::new(move |_: &_| NodeLimits { soft_nodes: nodes, hard_nodes: nodes });
            return Ok(LabelSource::Search(Box::new(searcher), limits));
        }
        let evaluation = load_evaluation(name, nets)?;
        let evaluator = Box::new(Evaluator::new(&evaluation, &Position::start()));
        Ok(LabelSource::Static(evaluation, evaluator))
    }

    /// Returns the score of a position in centipawns from White's view.
    pub(crate) fn white_score(&mut self, position: &Position) -> i32 {
        match self {
            LabelSource::Static(evaluation, evaluator) => {
                evaluator.restart(evaluation, position);
                for_white(position, evaluator.evaluate(position)).0
            }
            LabelSource::Search(searcher, limits) => {
                searcher.new_game();
                let result = limits(position).search(searcher, &Game::new(position.clone()));
                for_white(position, result.score).centipawns()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::toml_file::write_toml;

    #[test]
    fn a_source_is_a_network_a_search_or_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        write_toml(&folder.join(SETTINGS_FILE), &SelfplaySettings::default()).unwrap();
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        let position = Position::from_fen(fen).unwrap();
        let built_in = koel_eval::BUILT_IN;
        let run = folder.display().to_string();
        let names = [built_in.to_owned(), format!("{built_in}:2000"), run];
        let scores = names.map(|name| {
            let mut source = LabelSource::named(&name, folder).unwrap();
            let score = source.white_score(&position);
            // Earlier searches leave no trace.
            source.white_score(&Position::start());
            assert_eq!(source.white_score(&position), score, "{name}");
            score
        });
        assert!(scores.iter().all(|score| (0..100).contains(score)), "{scores:?}");
        for invalid in ["material:", "material:many", "missing"] {
            assert!(LabelSource::named(invalid, folder).is_err(), "{invalid}");
        }
    }
}
