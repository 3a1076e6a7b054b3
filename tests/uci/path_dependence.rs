//! Tests of the options for path-dependent draws.

use crate::support::{dialogue, errors};

#[test]
fn policies_are_chosen_by_name() {
    for policy in ["trust", "refuse", "relative", "MULLER"] {
        let lines = dialogue(format!(
            "setoption name Path Dependence value {policy}\n\
             setoption name No Progress value tracked\ngo depth 5\nwait\n"
        ));
        assert!(errors(&lines).is_empty(), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:#?}");
    }
    let lines = dialogue("setoption name Path Dependence value unknown\n");
    assert_eq!(errors(&lines).len(), 1, "{lines:#?}");
}
