//! Tests of the whole report.

use std::fs;

use koel_arena::statistics::{ResultCounts, Sprt};
use roxmltree::{Document, Node};
use serde_json::json;

use super::archived_match;
use super::data::Data;
use super::group::Group;
use super::page::page;

/// Parses the page as XML, without its first line.
fn parsed(page: &str) -> Document<'_> {
    let (first, rest) = page.split_once('\n').unwrap();
    assert_eq!(first, "<!DOCTYPE html>");
    Document::parse(rest).unwrap()
}

fn texts<'d>(document: &'d Document<'_>, tag: &'static str) -> Vec<&'d str> {
    let nodes = document.descendants().filter(move |node| node.has_tag_name(tag));
    nodes.filter_map(|node| node.text()).collect()
}

fn data() -> Data {
    let sprt = Some(Sprt::new(0.0, 5.0));
    let mut matches = Vec::new();
    for (group, title) in [
        (Group::UpcomingRepetition, "on against off"),
        (Group::PathDependence, "guard <trust>"),
        (Group::Opponents, "glaurung"),
    ] {
        let test = sprt.filter(|_| group == Group::UpcomingRepetition);
        let state = archived_match::tests::state(400, test);
        matches.push(archived_match::tests::described(group, title).with_games(&state).unwrap());
    }
    let row = |feature: &str, pairs: [u64; 5], elo: f64| {
        json!({"feature": feature, "default": true, "commit": "abc", "bench": 7,
            "settings": "5000 nodes", "games": 400, "wins": 150, "draws": 130,
            "losses": 120, "pentanomial": pairs, "elo": elo, "error": 20.0, "node_ratio": 1.25,
            "time_ratio": 1.1, "depth": 12})
    };
    let rows = [
        json!({"feature": "tablebases", "default": true, "commit": "abc", "bench": 7,
            "settings": "5000 nodes", "node_ratio": 1.75, "time_ratio": 1.0, "depth": 9}),
        row("razoring", [20, 50, 60, 50, 20], 0.0),
        row("null_move", [10, 30, 80, 50, 30], 26.1),
        json!({"feature": "killers", "default": true, "commit": "abc", "bench": 7,
            "settings": "5000 nodes", "games": 900, "elo": 12.0, "error": 15.0}),
    ];
    let ablation = json!({"rows": rows});
    Data { matches, ablation: serde_json::from_value(ablation).unwrap(), ..Data::default() }
}

#[test]
fn the_page_has_every_row() {
    let page = page(&data());
    let document = parsed(&page);
    let cells = texts(&document, "td");
    for due in [
        "null_move",
        "razoring",
        "on against off",
        "guard <trust>",
        "glaurung",
        "1.25",
        "+150 −120 =130",
        "1.75",
        "0.0 ± 20.0, not resolved",
        "+12.0 ± 15.0, not resolved",
    ] {
        assert!(cells.contains(&due), "{due}: {cells:?}");
    }
    let games = 3 * 799 + 2 * 400;
    assert!(texts(&document, "dd").contains(&&*super::html::count(games)));
    let titles = texts(&document, "text");
    assert!(titles.contains(&"elo1 = 5 is accepted"), "{titles:?}");
    for outside in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(
        !page.contains("NaN")
            && page.contains("Not measured yet: no progress, tuning, strength by network")
    );
}

#[test]
fn features_are_sorted_by_elo() {
    let data = data();
    let svg = super::ablation::chart(data.ablation.as_ref().unwrap()).draw().standalone();
    let document = Document::parse(&svg).unwrap();
    let place = |name: &str| {
        let row = document.descendants().find(|node| node.text() == Some(name)).unwrap();
        row.attribute("y").unwrap().parse::<f64>().unwrap()
    };
    assert!(place("null_move") < place("killers") && place("killers") < place("razoring"));
    let is_faint = |bar: &Node<'_, '_>| bar.attribute("class").is_some_and(|c| c.contains("faint"));
    let bars: Vec<_> = document.descendants().filter(|n| n.has_tag_name("rect")).skip(1).collect();
    assert_eq!(bars.iter().map(is_faint).collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn a_page_without_data_states_it() {
    let page = page(&Data::default());
    assert_eq!(parsed(&page).descendants().filter(|node| node.has_tag_name("section")).count(), 0);
    assert!(page.contains("Nothing is measured yet."));
}

#[test]
fn an_archived_match_is_read_back() {
    let folder = std::env::temp_dir().join(format!("koel-report-{}", std::process::id()));
    assert!(Data::read(&folder).unwrap().matches.is_empty());
    let state = archived_match::tests::state(300, Some(Sprt::new(0.0, 5.0)));
    let archived = archived_match::tests::described(Group::Tuning, "tuned");
    let archived = archived.with_games(&state).unwrap();
    let path = archived.write(&folder, "tuned").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let found = Data::read(&folder).unwrap();
    fs::write(folder.join("ablation.json"), "{}").unwrap();
    let broken = Data::read(&folder);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found.matches, [archived]);
    assert!(text.lines().count() < 150, "{text}");
    assert!(format!("{:#}", broken.unwrap_err()).contains("ablation.json"));
}

/// The data of this repository are valid.
#[test]
fn the_data_of_the_repository_are_valid() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/data");
    let data = Data::read(&folder).unwrap();
    for archived in &data.matches {
        let pairs = archived.pentanomial.unwrap_or_default();
        assert!(2 * ResultCounts::total(&pairs) <= archived.games(), "{}", archived.title);
        let last = archived.samples.last();
        assert!(last.is_none_or(|last| Some(*last) == archived.pentanomial), "{}", archived.title);
    }
    parsed(&page(&data));
}
