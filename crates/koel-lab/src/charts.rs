//! `koel-lab charts`: the charts of the documentation, drawn from the measurements in `docs/data`.

mod ablation;
mod cycles;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use koel_chart::IntervalChart;
use serde::de::DeserializeOwned;

use crate::json_file;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Charts {
    /// The folder for the charts; those that are there are replaced [default: docs]
    #[arg(value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Charts {
    pub(crate) fn run(&self, workspace: &Workspace) -> Result<()> {
        self.draw(workspace, ["ablation", "ablation"], ablation::chart)?;
        self.draw(workspace, ["no-progress", "cycles-no-progress"], cycles::nodes_saved)?;
        self.draw(workspace, ["wrong-values", "cycles-wrong-values"], cycles::wrong_values)
    }

    /// Draws the chart of this name from these data.
    fn draw<T: DeserializeOwned>(
        &self,
        workspace: &Workspace,
        [data, name]: [&str; 2],
        chart: fn(&T) -> IntervalChart,
    ) -> Result<()> {
        let data = workspace.path(&format!("docs/data/{data}.json"));
        let found = json_file::read(&data)?;
        let found = found.with_context(|| format!("{}: no such file", data.display()))?;
        let folder = self.output.clone().unwrap_or_else(|| workspace.path("docs"));
        let path = folder.join(format!("{name}.svg"));
        let written = koel_files::replace(&path, chart(&found).draw());
        written.with_context(|| path.display().to_string())?;
        println!("{}", path.display());
        Ok(())
    }
}
