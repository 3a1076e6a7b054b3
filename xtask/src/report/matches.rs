//! The matches of a group: all in one plot, then each with its curves.

use koel_arena::statistics::{EloModel, ResultCounts, Sprt};
use koel_chart::{Bar, BarGroup, IntervalChart, Line, LineChart, Marker};

use super::group::Group;
use super::html;
use super::kept::Kept;

/// The section of the page.
pub(crate) fn section(group: Group, matches: &[&Kept]) -> String {
    let head = ["match", "games", "result", "Elo", "LLR", "time"];
    let rows: Vec<Vec<String>> = matches.iter().map(|kept| cells(kept)).collect();
    let mut section = html::paragraph(group.question());
    section += &html::figure(|width| comparison(group, matches, width).draw());
    let commands = html::commands(matches.iter().filter_map(|kept| kept.command.as_deref()));
    if !commands.is_empty() {
        section += &html::folded("Commands", &commands, false);
    }
    section += &html::folded("As a table", &html::table(&head, &rows), false);
    for kept in matches {
        section += &html::folded(&summary(kept), &story(kept), kept.sprt.is_some());
    }
    section
}

/// All matches of a group as bars.
fn comparison(group: Group, matches: &[&Kept], width: f64) -> IntervalChart {
    let mut groups: Vec<BarGroup> = Vec::new();
    for kept in matches {
        let name = kept.heading.clone().unwrap_or_default();
        let strength = kept.strength();
        let bar = Bar {
            name: kept.title.clone(),
            value: strength.elo.value,
            error: strength.elo.error,
            is_resolved: strength.is_resolved(),
            notes: vec![html::estimate(strength.elo), html::count(kept.games())],
        };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.bars.push(bar),
            None => groups.push(BarGroup { name, bars: vec![bar] }),
        }
    }
    let columns = ["Elo", "games"].map(str::to_owned).to_vec();
    let (title, x_name) = (format!("{}: Elo", group.title()), "Elo".to_owned());
    IntervalChart { title, x_name, columns, groups, width }
}

fn cells(kept: &Kept) -> Vec<String> {
    let heading = kept.heading.iter().map(|heading| format!(", {heading}"));
    vec![
        kept.title.clone() + &heading.collect::<String>(),
        html::count(kept.games()),
        html::result(kept.wins, kept.losses, kept.draws),
        html::estimate(kept.strength().elo),
        kept.test().map_or_else(String::new, |(llr, verdict)| html::ratio(llr) + ", " + verdict),
        kept.seconds.map(html::duration).unwrap_or_default(),
    ]
}

fn summary(kept: &Kept) -> String {
    let mut summary = kept.title.clone();
    if let Some(heading) = &kept.heading {
        summary += &format!(", {heading}");
    }
    let (elo, games) = (html::estimate(kept.strength().elo), html::count(kept.games()));
    summary += &format!(": {elo} after {games} games");
    if let Some((llr, verdict)) = kept.test() {
        summary += &format!(", LLR {}, {verdict}", html::ratio(llr));
    }
    summary
}

/// A match in words and curves.
fn story(kept: &Kept) -> String {
    let strength = kept.strength();
    let mut facts = vec![
        format!("{} against {}", kept.first, kept.second),
        kept.limits.clone(),
        format!("openings: {}", kept.openings),
        html::result(kept.wins, kept.losses, kept.draws),
    ];
    if let Some(pairs) = kept.pentanomial {
        facts.push(format!("pairs by points 0 to 2: {}", pairs.0.map(html::count).join(", ")));
        facts.push(format!("normalized Elo {}", html::estimate(strength.normalized_elo)));
    }
    facts.push(format!("first stronger with {:.1} %", 100.0 * strength.superiority));
    facts.extend(kept.sprt.map(|sprt| {
        let (lower, upper) = sprt.bounds();
        let (lower, upper) = (html::ratio(lower), html::ratio(upper));
        let scale = match sprt.model {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
        };
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        format!("SPRT [{elo0}, {elo1}] in {scale} Elo, bounds {lower} and {upper}")
    }));
    facts.extend(kept.seed.map(|seed| format!("seed {seed}")));
    facts.extend(kept.commit.iter().map(|commit| format!("commit {commit}")));
    facts.extend(kept.seconds.map(|seconds| format!("{} by the clock", html::duration(seconds))));
    let mut story = html::paragraph(&(facts.join("; ") + "."));
    story += &kept.note.as_deref().map(html::paragraph).unwrap_or_default();
    if kept.samples.len() > 1 {
        story += &html::figure(|width| elo_curve(kept, width).draw());
        if let Some(sprt) = kept.sprt {
            story += &html::figure(|width| ratio_curve(kept, &sprt, width).draw());
        }
    }
    story + &html::commands(kept.command.as_deref().into_iter())
}

/// Elo over games, with its error.
fn elo_curve(kept: &Kept, width: f64) -> LineChart {
    let mut line = Line::new("Elo", Vec::new());
    for sample in &kept.samples {
        let elo = sample.strength().elo;
        line.points.push((2.0 * sample.total() as f64, elo.value));
        line.band.push((elo.value - elo.error, elo.value + elo.error));
    }
    // The wide errors of the first games would press all others flat.
    let settled = &line.band[line.band.len() / 6..];
    let low = settled.iter().map(|band| band.0).filter(|low| low.is_finite()).reduce(f64::min);
    let high = settled.iter().map(|band| band.1).filter(|high| high.is_finite()).reduce(f64::max);
    let y_span = low.zip(high).filter(|(low, high)| low < high);
    LineChart {
        title: "Elo over games, with its error of 95 %".to_owned(),
        x_name: "games".to_owned(),
        lines: vec![line],
        y_span,
        width,
        height: 0.3 * width + 70.0,
        ..LineChart::default()
    }
}

/// The log-likelihood ratio over games, with its bounds.
fn ratio_curve(kept: &Kept, sprt: &Sprt, width: f64) -> LineChart {
    let place = |sample| (2.0 * ResultCounts::total(sample) as f64, sprt.llr(sample));
    let (lower, upper) = sprt.bounds();
    LineChart {
        title: "Log-likelihood ratio over games".to_owned(),
        x_name: "games".to_owned(),
        lines: vec![Line::new("LLR", kept.samples.iter().map(place).collect())],
        markers: vec![
            Marker { y: upper, name: format!("elo1 = {} is accepted", sprt.elo1) },
            Marker { y: lower, name: format!("elo0 = {} is accepted", sprt.elo0) },
        ],
        width,
        height: 0.3 * width + 70.0,
        ..LineChart::default()
    }
}
