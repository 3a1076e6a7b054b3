//! The parameters of the search during an SPSA run.

use std::cmp::Ordering;

use koel_chart::{Drawing, Line, LineChart, Marker};

use super::html;
use crate::tune::TuningRun;
use crate::tune::parameter::Parameter;

/// The width of the chart of a parameter in pixels; several charts fit in a row.
const WIDTH: f64 = 300.0;

/// The part of the section on tuning that shows the parameters.
pub(crate) fn parameters(run: &TuningRun) -> String {
    let mut parameters: Vec<&Parameter> = run.parameters.iter().collect();
    let distance = |p: &Parameter| (p.value - p.start).abs() / p.c_end.abs().max(1e-9);
    parameters.sort_by(|a, b| distance(b).partial_cmp(&distance(a)).unwrap_or(Ordering::Equal));
    let text = format!(
        "{} parameters in {} of {} pairs of games ({}; commit {}). Sorted by the distance from the \
         start in units of c_end; the dashed line is the start.",
        parameters.len(),
        html::count(run.done.into()),
        html::count(run.iterations.into()),
        run.settings,
        run.commit
    );
    let charts: String =
        parameters.iter().map(|parameter| html::figure(&path(parameter, run))).collect();
    let head = ["parameter", "start", "value", "min", "max", "c_end"];
    let rows: Vec<Vec<String>> = parameters.iter().map(|parameter| cells(parameter)).collect();
    html::paragraph(&text)
        + &format!("<div class=\"many\">\n{charts}</div>\n")
        + &html::code("cargo xtask tune")
        + &html::folded("As a table", &html::table(&head, &rows), false)
}

fn path(parameter: &Parameter, run: &TuningRun) -> Drawing {
    let iterations = run.samples.iter().map(|&iteration| f64::from(iteration));
    let points: Vec<_> = iterations.zip(parameter.path.iter().copied()).collect();
    let chart = LineChart {
        title: parameter.name.clone(),
        x_name: "pairs".to_owned(),
        lines: vec![Line::new(&parameter.name, points)],
        markers: vec![Marker { y: parameter.start, name: String::new() }],
        ..LineChart::default()
    };
    chart.draw_with_width(WIDTH)
}

fn cells(parameter: &Parameter) -> Vec<String> {
    let Parameter { start, value, min, max, c_end, .. } = parameter;
    let numbers = [start, value, min, max, c_end].map(|number| koel_chart::shortened(*number));
    [vec![parameter.name.clone()], numbers.to_vec()].concat()
}
