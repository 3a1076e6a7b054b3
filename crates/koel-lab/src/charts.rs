//! `koel-lab charts`: the charts of the documentation, drawn from the measurements in `docs/data`.

mod ablation;
mod cycles;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use koel_chart::Drawing;

use crate::json_file::read;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Charts {
    /// The folder for the charts; those that are there are replaced [default: docs]
    #[arg(value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// The folder of the data [default: docs/data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl Charts {
    /// Writes the charts for which there are data.
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let output = self.output.unwrap_or_else(|| workspace.path("docs"));
        let data = self.data.unwrap_or_else(|| workspace.path("docs/data"));
        let mut charts: Vec<(&str, Drawing)> = Vec::new();
        if let Some(results) = read(&data.join("ablation.json"))? {
            charts.push(("ablation.svg", ablation::chart(&results).draw()));
        }
        if let Some(counts) = read(&data.join("no-progress.json"))? {
            charts.push(("cycles-no-progress.svg", cycles::nodes_saved(&counts).draw()));
        }
        if let Some(counts) = read(&data.join("wrong-values.json"))? {
            charts.push(("cycles-wrong-values.svg", cycles::wrong_values(&counts).draw()));
        }
        for (name, chart) in charts {
            let path = output.join(name);
            koel_files::replace(&path, chart.standalone())
                .with_context(|| path.display().to_string())?;
            println!("{}", path.display());
        }
        Ok(())
    }
}
