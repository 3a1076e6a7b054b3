//! Options of experimental builds: the parameters of the search with the cargo feature `tune`, and
//! switches for its steps with `ablate`. Other builds have none.

use koel_uci::{OptionDeclaration, OptionValue};

/// The prefix of switch names.
#[cfg(feature = "ablate")]
const FEATURE: &str = "Feature_";

/// The declarations of the experimental options of this build.
pub(crate) fn declarations() -> impl Iterator<Item = OptionDeclaration> {
    parameters().into_iter().chain(switches())
}

/// Sets an experimental option; all other options are ignored.
pub(crate) fn set_option(name: &str, value: &OptionValue) {
    set_parameter(name, value);
    set_switch(name, value);
}

/// Returns one line per parameter in the format of OpenBench's SPSA: name, `int`, value, minimum,
/// maximum, final step (`c_end`) and final learning rate (`r_end`). Parameters that nothing reads,
/// because their feature is off, are left out. Names of groups or of parameters choose among them;
/// none chooses all. The last line has no line end, which OpenBench's form would take for a line.
///
/// # Errors
/// A name is that of no group or parameter.
#[cfg(feature = "tune")]
pub(crate) fn spsa_lines(names: &[String]) -> Result<String, String> {
    let in_use = || koel_search::params::ALL.iter().filter(|param| param.is_in_use());
    let is_named = |param: &koel_search::params::Param, name: &str| {
        param.group == name || name_of(param) == name
    };
    if let Some(name) = names.iter().find(|name| !in_use().any(|param| is_named(param, name))) {
        return Err(format!("there is no group or parameter `{name}`"));
    }
    let line = |param: &koel_search::params::Param| {
        let ((low, high), value) = (param.range, param.value);
        let step = (f64::from(high - low) / 20.0).max(0.5);
        format!("{}, int, {value}.0, {low}.0, {high}.0, {step:.2}, 0.002", name_of(param))
    };
    let is_chosen = |param: &&koel_search::params::Param| {
        names.is_empty() || names.iter().any(|name| is_named(param, name))
    };
    Ok(in_use().filter(is_chosen).map(line).collect::<Vec<_>>().join("\n"))
}

#[cfg(feature = "tune")]
fn name_of(param: &koel_search::params::Param) -> String {
    format!("{}_{}", param.group, param.name)
}

#[cfg(feature = "tune")]
fn parameters() -> Vec<OptionDeclaration> {
    let declare = |param: &koel_search::params::Param| {
        let (low, high) = param.range;
        let range = i64::from(low)..=i64::from(high);
        OptionDeclaration::spin(&name_of(param), param.value.into(), range)
            .expect("parameters have valid names and ranges")
    };
    koel_search::params::ALL.iter().map(declare).collect()
}

#[cfg(not(feature = "tune"))]
fn parameters() -> Vec<OptionDeclaration> {
    Vec::new()
}

#[cfg(feature = "tune")]
fn set_parameter(name: &str, value: &OptionValue) {
    let param = koel_search::params::ALL.iter().find(|param| name_of(param) == name);
    if let (Some(param), OptionValue::Spin(value)) = (param, value) {
        param.set((*value).clamp(i32::MIN.into(), i32::MAX.into()) as i32);
    }
}

#[cfg(not(feature = "tune"))]
fn set_parameter(_: &str, _: &OptionValue) {}

#[cfg(feature = "ablate")]
fn switches() -> Vec<OptionDeclaration> {
    let declare = |feature: &koel_search::features::Feature| {
        OptionDeclaration::check(&format!("{FEATURE}{}", feature.name), feature.default)
            .expect("switches have valid names")
    };
    koel_search::features::ALL.iter().map(declare).collect()
}

#[cfg(not(feature = "ablate"))]
fn switches() -> Vec<OptionDeclaration> {
    Vec::new()
}

#[cfg(feature = "ablate")]
fn set_switch(name: &str, value: &OptionValue) {
    let feature = name
        .strip_prefix(FEATURE)
        .and_then(|name| koel_search::features::ALL.iter().find(|feature| feature.name == name));
    if let (Some(feature), OptionValue::Check(is_on)) = (feature, value) {
        feature.set(*is_on);
    }
}

#[cfg(not(feature = "ablate"))]
fn set_switch(_: &str, _: &OptionValue) {}
