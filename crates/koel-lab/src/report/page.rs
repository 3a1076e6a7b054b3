//! The report as a whole.

use koel_chart::{IntervalChart, STYLE, escaped};

use super::data::Data;
use super::group::Group;
use super::{ablation, cycles, html, matches};

/// The style sheet of the page; `koel_chart` has that of the charts.
const PAGE_STYLE: &str = "\
:root{color-scheme:light dark}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:50rem;font:16px/1.5 system-ui,sans-serif;
color:#1f2328;background:#fff}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.35rem;margin:2.8rem 0 .4rem;padding-top:.8rem;border-top:1px solid #d8dee4}
a{color:#0b62c4}
p{margin:.6rem 0}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;padding:0;list-style:none}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:1rem 0}
dt{color:#59636e}
dd{margin:0;overflow-wrap:anywhere}
figure{margin:1rem 0;overflow-x:auto}
figure svg{display:block;width:100%;min-width:32rem;height:auto}
pre{overflow-x:auto;padding:.6rem .8rem;border-radius:6px;background:#f2f4f7;font-size:.8rem;
line-height:1.4}
code{font-family:ui-monospace,SFMono-Regular,Consolas,monospace}
.scroll{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .5rem;border-bottom:1px solid #d8dee4;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0}
th{font-weight:600;color:#59636e}
details{margin:.5rem 0}
summary{cursor:pointer;font-size:.95rem}
.missing{color:#59636e;font-style:italic}
@media (prefers-color-scheme:dark){
body{color:#e6edf3;background:#14181d}
a{color:#58a6ff}
dt,th,.missing{color:#9aa5b1}
h2,th,td{border-color:#2b323a}
pre{background:#1d232a}
}
";

/// Builds the report.
pub(crate) fn page(data: &Data) -> String {
    let (full, empty): (Vec<_>, Vec<_>) =
        sections(data).into_iter().partition(|(_, body)| !body.is_empty());
    let (mut links, mut bodies) = (String::new(), String::new());
    for (title, body) in &full {
        let id = title.to_lowercase().replace(' ', "-");
        links += &format!("<li><a href=\"#{id}\">{title}</a></li>\n");
        bodies += &format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{body}</section>\n");
    }
    let missing: Vec<&str> = empty.iter().map(|section| section.0).collect();
    let missing = missing.join(", ").to_lowercase();
    let missing = match (full.is_empty(), missing.is_empty()) {
        (true, _) => "<p class=\"missing\">Nothing is measured yet.</p>\n".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!("<p class=\"missing\">Not measured yet: {missing}.</p>\n"),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>Koel, measured</title>\n<style>\n{PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Koel, measured</h1>\n{}</header>\n<nav><ul>\n{links}</ul></nav>\n\
         <main>\n{bodies}{missing}</main>\n{}</body>\n</html>\n",
        head(data),
        foot()
    )
}

/// The head of the page: the tested version and the amount of data.
fn head(data: &Data) -> String {
    let text = "Koel is a chess engine in Rust. This report shows the strength of the engine and \
        of each of its features, measured in games of the engine against itself and against \
        others, with the commands that repeat the measurements.";
    let mut facts = vec![("games", html::count(data.games()))];
    facts.extend(data.about.commit.iter().map(|commit| ("commit", commit.clone())));
    facts.extend(data.about.bench.map(|bench| ("bench", format!("{} nodes", html::count(bench)))));
    facts.extend(data.about.machine.iter().map(|machine| ("machine", machine.clone())));
    if data.seconds() > 0 {
        facts.push(("time", html::duration(data.seconds())));
    }
    let facts: String = facts
        .iter()
        .map(|(name, fact)| format!("<dt>{name}</dt><dd>{}</dd>\n", escaped(fact)))
        .collect();
    format!("{}<dl>\n{facts}</dl>\n", html::paragraph(text))
}

/// The sections by their titles. The body is empty if nothing was measured yet.
fn sections(data: &Data) -> Vec<(&'static str, String)> {
    let section = |group: Group, before: Option<String>| {
        let matches = data.of_group(group);
        let before = before.unwrap_or_default();
        let of_matches = (!matches.is_empty()).then(|| matches::section(group, &matches));
        (group.title(), before + &of_matches.unwrap_or_default())
    };
    let saved = data.no_progress.as_ref().map(cycles::nodes_saved);
    let wrong_values = data.wrong_values.as_ref().map(cycles::wrong_values);
    let figure = |chart: IntervalChart| html::figure(&chart.draw());
    let features = data.ablation.as_ref().map(ablation::section);
    vec![
        ("Elo of each feature", features.unwrap_or_default()),
        section(Group::UpcomingRepetition, None),
        section(Group::NoProgress, saved.map(figure)),
        section(Group::PathDependence, wrong_values.map(figure)),
        section(Group::Tuning, None),
        section(Group::Versions, None),
        section(Group::Opponents, None),
    ]
}

fn foot() -> String {
    let text = "Errors are half-widths of 95 % intervals. Games are played in pairs, each opening \
        from both sides; Elo and its error are computed from the pentanomial counts of pairs where \
        these are known. A faint bar is one whose interval contains zero. LLR is the log-likelihood \
        ratio of the pentanomial test: above the upper bound elo1 is accepted, below the lower \
        bound elo0. Curves follow the order of the openings, not the order in which the games \
        ended.";
    format!(
        "<footer>\n<h2>How to read this</h2>\n{}{}</footer>\n",
        html::paragraph(text),
        html::code("cargo xtask report")
    )
}
