//! The `setoption` command.

use std::io::Write;
use std::path::PathBuf;

use koel_uci::{Reply, SetOption};

use crate::command_error::CommandError;
use crate::file_transfer::TransferOutcome;
use crate::hash_file::HashCommand;
use crate::logging;
use crate::options::Setting;
use crate::session::Session;
use crate::syzygy::{Syzygy, TablebaseSettings};

impl<W: Write> Session<W> {
    /// Sets an option, or executes a button.
    pub(crate) fn set_option(&mut self, set: &SetOption) -> Result<(), CommandError> {
        crate::experiment::set_option(&self.options, set);
        match Setting::parse(&self.options, set)? {
            Setting::Hash(mebibytes) => self.pool.set_hash(mebibytes)?,
            Setting::ClearHash => self.pool.clear_hash(),
            Setting::Threads(count) => {
                let result = self.pool.set_threads(count);
                let running = self.pool.threads();
                result.map_err(|error| CommandError::Threads { running, error })?;
            }
            Setting::MoveOverhead(overhead) => self.settings.move_overhead = overhead,
            Setting::Castling(notation) => self.settings.castling = notation,
            Setting::ShowWdl(is_on) => self.settings.shows_wdl = is_on,
            Setting::MultiPv(lines) => self.settings.multi_pv = lines,
            Setting::NodesTime(rate) => self.settings.nodes_time = rate,
            Setting::Minimal(is_on) => self.settings.is_minimal = is_on,
            Setting::PathPolicy(policy) => {
                self.pool.change_path_rules(|rules| rules.policy = policy)
            }
            Setting::NoProgress(rule) => {
                self.pool.change_path_rules(|rules| rules.no_progress = rule)
            }
            Setting::EvalFile(file) => {
                self.transfer_file(false, move || Ok(TransferOutcome::Evaluation(file.load()?)))?;
            }
            Setting::HashFile(path) => self.settings.hash_file = path,
            Setting::SaveHash => self.run_button(HashCommand::Save)?,
            Setting::LoadHash => self.run_button(HashCommand::Load)?,
            Setting::DebugLog(path) => {
                logging::set_debug_log(path.as_deref()).map_err(CommandError::DebugLog)?;
            }
            Setting::SyzygyPath(path) => self.set_tablebase_path(path)?,
            Setting::SyzygyProbeDepth(depth) => {
                self.change_tablebases(|tables| tables.probe_depth = depth);
            }
            Setting::SyzygyProbeLimit(pieces) => {
                self.change_tablebases(|tables| tables.probe_limit = pieces);
            }
            Setting::SyzygyFiftyMoves(is_on) => {
                self.change_tablebases(|tables| tables.fifty_moves = is_on);
            }
            Setting::LimitStrength(is_on) => self.settings.is_limited = is_on,
            Setting::Elo(elo) => self.settings.elo = elo,
            Setting::Contempt(centipawns) => self.settings.contempt = centipawns,
            Setting::NoEffect => {}
        }
        Ok(())
    }

    fn set_tablebase_path(&mut self, path: String) -> Result<(), CommandError> {
        if path.is_empty() {
            self.change_tablebases(|tables| tables.source = None);
            return Ok(());
        }
        self.transfer_file(false, move || Ok(TransferOutcome::Tablebases(Syzygy::open(&path)?)))
    }

    /// Returns messages about endgame tables that were found to be damaged.
    pub(crate) fn damaged_tables(&self) -> impl Iterator<Item = Reply> {
        let source = self.settings.tablebases.source.as_ref();
        let damaged = source.map(|source| source.take_damaged()).unwrap_or_default();
        damaged.into_iter().map(Reply::error)
    }

    pub(crate) fn change_tablebases(&mut self, change: impl FnOnce(&mut TablebaseSettings)) {
        let had_tables = self.settings.tablebases.source.is_some();
        change(&mut self.settings.tablebases);
        if had_tables || self.settings.tablebases.source.is_some() {
            self.pool.set_tablebases(self.settings.tablebases.tablebases());
        }
    }

    /// Executes a button that saves or loads the transposition table.
    fn run_button(&mut self, button: fn(PathBuf) -> HashCommand) -> Result<(), CommandError> {
        self.hash_file(HashCommand::from_button(button, &self.settings.hash_file)?)
    }
}
