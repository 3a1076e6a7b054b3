//! Options of experimental builds: the parameters of the search with the cargo feature `tune`, and
//! switches for its steps with `switches`. Other builds have none.

#[cfg(feature = "tune")]
use koel_engine::{koel_search::Param, params};
#[cfg(feature = "switches")]
use koel_search::switches;
use koel_uci::{OptionKind, OptionValue};

/// The names and types of the experimental options of this build.
pub(crate) fn options() -> impl Iterator<Item = (String, OptionKind)> {
    let options = std::iter::empty();
    #[cfg(feature = "tune")]
    let options = options.chain(params().map(|param| {
        let [min, max] = [param.range.start(), param.range.end()].map(|&end| end.into());
        (param.full_name(), OptionKind::Spin { default: param.value.into(), min, max })
    }));
    #[cfg(feature = "switches")]
    let options = options.chain(switches().map(|switch| {
        (format!("Switch_{}", switch.name), OptionKind::Check { default: switch.default })
    }));
    options
}

/// Sets an experimental option; all other options are ignored.
pub(crate) fn set_option(name: &str, value: &OptionValue) {
    #[cfg(feature = "tune")]
    if let OptionValue::Spin(value) = value
        && let Some(param) = params().find(|param| param.full_name() == name)
    {
        param.set((*value).clamp(i32::MIN.into(), i32::MAX.into()) as i32);
    }
    #[cfg(feature = "switches")]
    if let OptionValue::Check(is_on) = value
        && let Some(name) = name.strip_prefix("Switch_")
        && let Some(switch) = switches().find(|switch| switch.name == name)
    {
        switch.set(*is_on);
    }
    // Other builds have no such option.
    let _ = (name, value);
}

/// Returns one line per parameter in the format of OpenBench's SPSA: name, `int`, value, minimum,
/// maximum, final step (`c_end`) and final learning rate (`r_end`). Parameters that nothing reads,
/// because their switch is off, are left out. Names of groups or of parameters choose among them;
/// none chooses all. The last line has no line end, which OpenBench's form would take for a line.
///
/// # Errors
/// A name is that of no group or parameter.
#[cfg(feature = "tune")]
pub(crate) fn spsa_lines(names: &[String]) -> Result<String, String> {
    let in_use = || params().filter(|param| param.is_in_use());
    let is_named = |param: &Param, name: &str| param.group == name || param.full_name() == name;
    if let Some(name) = names.iter().find(|name| !in_use().any(|param| is_named(param, name))) {
        return Err(format!("there is no group or parameter `{name}`"));
    }
    let line = |param: &Param| {
        let (low, high, value) = (param.range.start(), param.range.end(), param.value);
        let step = (f64::from(high - low) / 20.0).max(0.5);
        format!("{}, int, {value}.0, {low}.0, {high}.0, {step:.2}, 0.002", param.full_name())
    };
    let is_chosen =
        |param: &&Param| names.is_empty() || names.iter().any(|name| is_named(param, name));
    Ok(in_use().filter(is_chosen).map(line).collect::<Vec<_>>().join("\n"))
}
