//! Options of experimental builds: the parameters of the search with the cargo feature `tune`, and
//! switches for its steps with `switches`. Other builds have none.

#[cfg(feature = "tune")]
use koel_engine::{koel_search::Param, params};
#[cfg(feature = "switches")]
use koel_search::switches;
use koel_uci::{OptionDeclaration, OptionValue};

/// The declarations of the experimental options of this build.
pub(crate) fn declarations() -> Vec<OptionDeclaration> {
    let declarations: [OptionDeclaration; 0] = [];
    #[cfg(feature = "tune")]
    let declarations = declarations.into_iter().chain(params().map(|param| {
        let range = i64::from(*param.range.start())..=i64::from(*param.range.end());
        OptionDeclaration::spin(&param.full_name(), param.value.into(), range)
            .expect("parameters have valid names and ranges")
    }));
    #[cfg(feature = "switches")]
    let declarations = declarations.into_iter().chain(switches().map(|switch| {
        OptionDeclaration::check(&format!("Switch_{}", switch.name), switch.default)
            .expect("switches have valid names")
    }));
    declarations.into_iter().collect()
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
