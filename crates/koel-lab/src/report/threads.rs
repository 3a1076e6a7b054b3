//! The speed of the search by number of threads.

use koel_chart::{Drawing, Line, LineChart, shortened};

use super::html;
use crate::speedtest::{SpeedRow, Speeds};

/// The part of the section on threads that shows the speed.
pub(crate) fn scaling(threads: &Speeds) -> String {
    let head = ["threads", "time to depth", "nodes", "nodes/s", "speed-up", "nodes/s ratio"];
    let single = threads.rows.first();
    let rows: Vec<Vec<String>> =
        threads.rows.iter().filter_map(|row| Some(cells(row, single?))).collect();
    let most = threads.rows.last().map_or(1, |row| row.threads);
    let (depth, hash) = (threads.depth, threads.hash_mebibytes);
    let text = format!(
        "{}: {} positions to depth {depth}, hash {hash} MiB. {}",
        threads.engine,
        threads.positions,
        threads.note.as_deref().unwrap_or_default()
    );
    html::paragraph(text.trim())
        + &html::figure(&curve(threads, "Nodes per second over threads", |row| {
            row.nodes_per_second as f64
        }))
        + &html::figure(&curve(threads, "Seconds to depth over threads", |row| row.seconds))
        + &html::code(&format!("cargo xtask speedtest {most} {hash} {depth} --json"))
        + &html::table(&head, &rows)
}

fn curve(threads: &Speeds, title: &str, value: impl Fn(&SpeedRow) -> f64) -> Drawing {
    let points: Vec<_> =
        threads.rows.iter().map(|row| (f64::from(row.threads), value(row))).collect();
    let most = points.iter().map(|point| point.1).fold(0.0, f64::max);
    let chart = LineChart {
        title: title.to_owned(),
        x_name: "threads".to_owned(),
        lines: vec![Line::new("", points)],
        // From zero, so that twice the height is twice the value.
        y_span: (most > 0.0).then_some((0.0, 1.08 * most)),
        ..LineChart::default()
    };
    chart.draw()
}

fn cells(row: &SpeedRow, single: &SpeedRow) -> Vec<String> {
    vec![
        row.threads.to_string(),
        format!("{:.2} s", row.seconds),
        html::count(row.nodes),
        shortened(row.nodes_per_second as f64),
        format!("{:.2} times", single.seconds / row.seconds.max(1e-6)),
        format!("{:.2} times", row.nodes_per_second as f64 / single.nodes_per_second.max(1) as f64),
    ]
}
