//! The `setoption` command, and the longer actions of options.

use std::io;
use std::path::Path;
use std::sync::Arc;

use koel_engine::Syzygy;
use koel_eval::network::simd::InstructionSet;
use koel_eval::{BUILT_IN, Evaluation, KING_BUCKETS, NEURONS, SearchNetwork};
use koel_search::{PathRules, Tablebases};
use koel_uci::{Reply, SetOption};

use crate::session::Session;
use crate::session::command_error::CommandError;
use crate::session::experiment;
use crate::session::options::{self, OptionRow};

impl Session<'_> {
    /// Sets an option, or presses a button.
    pub(crate) fn set_option(&mut self, set: &SetOption) -> Result<(), CommandError> {
        let (name, value) = self.options.interpret(set)?;
        match options::find(name) {
            Some(row) => row.set(self, value),
            None => {
                experiment::set_option(name, &value);
                Ok(())
            }
        }
    }

    /// Returns true if a `setoption` is valid but cannot be obeyed during a search.
    pub(crate) fn option_requires_idle(&self, set: &SetOption) -> bool {
        let valid = self.options.interpret(set).ok();
        valid.and_then(|(name, _)| options::find(name)).is_some_and(OptionRow::requires_idle)
    }

    pub(crate) fn load_evaluation(&mut self) -> Result<(), CommandError> {
        let file = self.settings.eval_file.clone();
        self.transfer_file(false, move || {
            let evaluation = evaluation(&file)?;
            let message = format!("evaluation: {}", describe_evaluation(&file, &evaluation));
            Ok(Box::new(|session| {
                session.engine.set_evaluation(evaluation);
                session.evaluation_file = file;
                // The message names it.
                session.is_evaluation_announced = true;
                Ok(message)
            }))
        })
    }

    pub(crate) fn update_path_rules(&mut self) -> Result<(), CommandError> {
        let (policy, no_progress) = (self.settings.path_policy, self.settings.no_progress);
        self.engine.set_path_rules(PathRules { policy, no_progress, ..PathRules::default() });
        Ok(())
    }

    pub(crate) fn open_tablebases(&mut self) -> Result<(), CommandError> {
        let path = self.settings.syzygy_path.clone();
        if path.is_empty() {
            return self.use_tablebases(None);
        }
        self.transfer_file(false, move || {
            let (tables, errors) = Syzygy::open(&path)?;
            Ok(Box::new(|session| {
                for error in errors {
                    let text = format_args!("warning: option SyzygyPath: {error}");
                    session.send(&Reply::text(text))?;
                }
                let summary = tables.summary();
                session.use_tablebases(Some(tables))?;
                for reply in session.damaged_tables() {
                    session.send(&reply)?;
                }
                Ok(summary)
            }))
        })
    }

    pub(crate) fn use_tablebases(&mut self, new: Option<Syzygy>) -> Result<(), CommandError> {
        self.tablebases = new.map(Arc::new);
        self.set_tablebases()
    }

    /// Gives the search the tablebases with the present settings.
    pub(crate) fn set_tablebases(&mut self) -> Result<(), CommandError> {
        let configured = self.tablebases.clone().map(|source| Tablebases {
            source,
            probe_depth: self.settings.probe_depth,
            probe_limit: self.settings.probe_limit,
            fifty_move_rule: self.settings.tablebases_know_fifty_moves,
        });
        self.engine.set_tablebases(configured);
        Ok(())
    }

    /// Returns messages about tablebases that were found to be damaged.
    pub(crate) fn damaged_tables(&self) -> impl Iterator<Item = Reply> + use<> {
        let damaged = self.tablebases.as_ref().map(|tables| tables.take_damaged());
        damaged.into_iter().flatten().map(Reply::error)
    }
}

/// Describes the evaluation for a value of the option `EvalFile`: a network by its name, the hash
/// of a file, its shape and the instructions that compute it.
pub(crate) fn describe_evaluation(value: &str, evaluation: &Evaluation) -> String {
    let Evaluation::Network(network) = evaluation else {
        // The session knows no other.
        return "material and piece-square tables".to_owned();
    };
    let kernel = InstructionSet::detect().name();
    let name = match value {
        // Its name says enough, and its hash would take time in the first search.
        "" => BUILT_IN.to_owned(),
        file => format!("{file} with the hash {:016x}", network.hash()),
    };
    format!("network {name}, {KING_BUCKETS} king buckets, {NEURONS} neurons, {kernel} kernel")
}

/// Returns the evaluation for a value of the option `EvalFile`: the built-in network if it is
/// empty, material with piece-square tables for `plain`, or the network of a file.
fn evaluation(value: &str) -> Result<Evaluation, CommandError> {
    let network = || {
        let bytes = koel_files::read(Path::new(value), SearchNetwork::file_sizes())?;
        SearchNetwork::from_bytes(&bytes).map_err(io::Error::other)
    };
    match value {
        "" => Ok(Evaluation::default()),
        "plain" => Ok(Evaluation::PieceSquareTables),
        path => match network() {
            Ok(network) => Ok(Evaluation::Network(Arc::new(network))),
            Err(error) => Err(CommandError::EvalFile(path.to_owned(), error)),
        },
    }
}
