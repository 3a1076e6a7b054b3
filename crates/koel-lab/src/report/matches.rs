//! The section of a group of matches: all in one chart, then each with its curves.

use koel_arena::statistics::{EloModel, ResultCounts, Sprt};
use koel_chart::{Bar, BarGroup, IntervalChart, Line, LineChart, Marker};

use super::archived_match::ArchivedMatch;
use super::group::Group;
use super::html;

/// The section of the report.
pub(crate) fn section(group: Group, matches: &[&ArchivedMatch]) -> String {
    let head = ["match", "games", "result", "Elo", "LLR", "time"];
    let rows: Vec<Vec<String>> = matches.iter().map(|archived| cells(archived)).collect();
    let mut section = html::paragraph(group.texts().1);
    section += &html::figure(&comparison(group, matches).draw());
    section += &html::folded("As a table", &html::table(&head, &rows), false);
    for archived in matches {
        section += &html::folded(&summary(archived), &details(archived), archived.sprt.is_some());
    }
    section
}

/// All matches of a group as bars.
pub(crate) fn comparison(group: Group, matches: &[&ArchivedMatch]) -> IntervalChart {
    let mut groups: Vec<BarGroup> = Vec::new();
    for archived in matches {
        let name = archived.heading.clone().unwrap_or_default();
        let strength = archived.strength();
        let bar = Bar {
            name: archived.title.clone(),
            value: strength.elo.value,
            error: strength.elo.error,
            is_resolved: strength.is_resolved(),
            notes: vec![html::estimate(strength.elo), html::count(archived.games())],
        };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.bars.push(bar),
            None => groups.push(BarGroup { name, bars: vec![bar] }),
        }
    }
    let columns = ["Elo", "games"].map(str::to_owned).to_vec();
    let (title, x_name) = (format!("{}: Elo", group.title()), "Elo".to_owned());
    IntervalChart { title, x_name, columns, groups }
}

fn cells(archived: &ArchivedMatch) -> Vec<String> {
    vec![
        archived.name(),
        html::count(archived.games()),
        html::result(archived.wins, archived.losses, archived.draws),
        html::estimate(archived.strength().elo),
        archived
            .test()
            .map_or_else(String::new, |(llr, verdict)| html::ratio(llr) + ", " + verdict),
        archived.seconds.map(html::duration).unwrap_or_default(),
    ]
}

/// The Elo and the test of a match in a line.
pub(crate) fn summary(archived: &ArchivedMatch) -> String {
    let (elo, games) = (html::estimate(archived.strength().elo), html::count(archived.games()));
    let mut summary = format!("{}: {elo} after {games} games", archived.name());
    if let Some((llr, verdict)) = archived.test() {
        summary += &format!(", LLR {}, {verdict}", html::ratio(llr));
    }
    summary
}

/// The facts and curves of a match.
fn details(archived: &ArchivedMatch) -> String {
    let strength = archived.strength();
    let mut facts = vec![
        format!("{} against {}", archived.first, archived.second),
        archived.limits.clone(),
        format!("openings: {}", archived.openings),
        html::result(archived.wins, archived.losses, archived.draws),
    ];
    if let Some(pairs) = archived.pentanomial {
        facts.push(format!("pairs by points 0 to 2: {}", pairs.0.map(html::count).join(", ")));
        facts.push(format!("normalized Elo {}", html::estimate(strength.normalized_elo)));
    }
    facts.push(format!("likelihood of superiority {:.1} %", 100.0 * strength.superiority));
    facts.extend(archived.sprt.map(|sprt| {
        let (lower, upper) = sprt.bounds();
        let (lower, upper) = (html::ratio(lower), html::ratio(upper));
        let scale = match sprt.model {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
        };
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        format!("SPRT [{elo0}, {elo1}] in {scale} Elo, bounds {lower} and {upper}")
    }));
    facts.extend(archived.seed.map(|seed| format!("seed {seed}")));
    facts.extend(archived.commit.iter().map(|commit| format!("commit {commit}")));
    facts.extend(archived.seconds.map(html::duration));
    let mut text = html::paragraph(&(facts.join("; ") + "."));
    text += &archived.note.as_deref().map(html::paragraph).unwrap_or_default();
    if archived.samples.len() > 1 {
        text += &html::figure(&elo_curve(archived).draw());
        if let Some(sprt) = archived.sprt {
            text += &html::figure(&ratio_curve(archived, &sprt).draw());
        }
    }
    text + &archived.command.as_deref().map(html::code).unwrap_or_default()
}

/// The Elo estimate and its 95 % interval over the number of games.
fn elo_curve(archived: &ArchivedMatch) -> LineChart {
    let mut line = Line::new("Elo", Vec::new());
    for sample in &archived.samples {
        let elo = sample.strength().elo;
        line.points.push((2.0 * sample.total() as f64, elo.value));
        line.band.push((elo.value - elo.error, elo.value + elo.error));
    }
    // The wide intervals of the first games would flatten the rest of the curve.
    let settled = &line.band[line.band.len() / 6..];
    let low = settled.iter().map(|band| band.0).filter(|low| low.is_finite()).reduce(f64::min);
    let high = settled.iter().map(|band| band.1).filter(|high| high.is_finite()).reduce(f64::max);
    let y_span = low.zip(high).filter(|(low, high)| low < high);
    LineChart {
        title: "Elo over games, with its 95 % interval".to_owned(),
        x_name: "games".to_owned(),
        lines: vec![line],
        y_span,
        ..LineChart::default()
    }
}

/// The log-likelihood ratio over the number of games, with the bounds of the test.
fn ratio_curve(archived: &ArchivedMatch, sprt: &Sprt) -> LineChart {
    let place = |sample| (2.0 * ResultCounts::total(sample) as f64, sprt.llr(sample));
    let (lower, upper) = sprt.bounds();
    LineChart {
        title: "Log-likelihood ratio over games".to_owned(),
        x_name: "games".to_owned(),
        lines: vec![Line::new("LLR", archived.samples.iter().map(place).collect())],
        markers: vec![
            Marker { y: upper, name: format!("elo1 = {} is accepted", sprt.elo1) },
            Marker { y: lower, name: format!("elo0 = {} is accepted", sprt.elo0) },
        ],
        ..LineChart::default()
    }
}
