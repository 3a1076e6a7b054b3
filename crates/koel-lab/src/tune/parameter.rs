//! The parameters of a tuning run, and their lines in the format of OpenBench.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Error, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// An integer parameter of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parameter {
    /// The name of its UCI option.
    pub(crate) name: String,
    /// The value at the start of the run.
    pub(crate) start: f64,
    /// The current value.
    pub(crate) value: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The size of the perturbation at the end of the run.
    pub(crate) c_end: f64,
    /// The learning rate at the end of the run.
    pub(crate) r_end: f64,
}

impl FromStr for Parameter {
    type Err = Error;

    /// Parses `name, int, value, min, max, c_end, r_end`.
    fn from_str(line: &str) -> Result<Parameter> {
        let fields: Vec<_> = line.split(',').map(str::trim).collect();
        let [name, "int", ref numbers @ ..] = fields[..] else {
            bail!("`{line}` is not `name, int, value, min, max, c_end, r_end`");
        };
        let numbers = numbers.iter().map(|number| number.parse::<f64>());
        let numbers = numbers.collect::<Result<Vec<_>, _>>().with_context(|| line.to_owned())?;
        let [value, min, max, c_end, r_end] = numbers[..] else {
            bail!("`{line}` does not have five numbers");
        };
        ensure!(min <= value && value <= max, "`{line}`: the value is out of its range");
        ensure!(c_end > 0.0 && r_end > 0.0, "`{line}`: c_end and r_end must be above zero");
        Ok(Parameter { name: name.to_owned(), start: value, value, min, max, c_end, r_end })
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, value, min, max, c_end, r_end, .. } = self;
        write!(f, "{name}, int, {value:.1}, {min:.1}, {max:.1}, {c_end:.2}, {r_end}")
    }
}

/// The group of parameters that games without a clock do not depend on.
const CLOCK_GROUP: &str = "time_management_";

/// Parses the lines that an engine prints and returns the parameters of these names, or all; a name
/// may be that of a whole group. Those of time management are in use in games with a clock alone.
pub(crate) fn choose(lines: &str, names: &[String], has_clock: bool) -> Result<Vec<Parameter>> {
    let mut all: Vec<Parameter> = lines.lines().map(str::parse).collect::<Result<_>>()?;
    all.retain(|parameter| has_clock || !parameter.name.starts_with(CLOCK_GROUP));
    let matches_name = |parameter: &Parameter, name: &str| {
        let rest = parameter.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    for name in names {
        let is_known = all.iter().any(|parameter| matches_name(parameter, name));
        ensure!(
            is_known,
            "there is no parameter or group `{name}` in use; `koel spsa` lists them, without those \
             of switches that are off; time_management is in use with --tc alone"
        );
    }
    let is_chosen = |parameter: &Parameter| {
        names.is_empty() || names.iter().any(|name| matches_name(parameter, name))
    };
    Ok(all.into_iter().filter(is_chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "razoring_base, int, 250.0, 50.0, 600.0, 27.50, 0.002\n\
                         razoring_slope, int, 100.0, 20.0, 300.0, 14.00, 0.002\n\
                         futility_base, int, 90.0, 0.0, 300.0, 15.00, 0.002\n";

    #[test]
    fn lines_are_read_and_written() {
        let all = choose(LINES, &[], false).unwrap();
        let written: String = all.iter().map(|parameter| format!("{parameter}\n")).collect();
        assert_eq!(written, LINES);
        for invalid in ["a, float, 1, 0, 2, 1, 1", "a, int, 1, 0, 2, 1", "a, int, 5, 0, 2, 1, 1"] {
            assert!(invalid.parse::<Parameter>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn groups_and_names_are_chosen() {
        let names = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            let chosen = choose(LINES, &names, false).ok()?;
            Some(chosen.into_iter().map(|parameter| parameter.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["razoring"]).unwrap(), ["razoring_base", "razoring_slope"]);
        assert_eq!(names(&["futility_base"]).unwrap(), ["futility_base"]);
        assert_eq!(names(&["raz"]), None);
    }

    #[test]
    fn time_management_is_tuned_with_a_clock_alone() {
        let lines =
            format!("{LINES}time_management_soft_limit, int, 75.0, 30.0, 150.0, 6.00, 0.002\n");
        let count =
            |names: &[String], has_clock| Some(choose(&lines, names, has_clock).ok()?.len());
        let group = ["time_management".to_owned()];
        assert_eq!([false, true].map(|has_clock| count(&[], has_clock)), [Some(3), Some(4)]);
        assert_eq!([false, true].map(|has_clock| count(&group, has_clock)), [None, Some(1)]);
    }
}
