//! The command `check`: an engine against the protocol.

use anyhow::{Result, ensure};
use koel_files::print_line;

use super::context::CommandContext;
use super::engine_args::EngineList;
use super::outcome::Outcome;
use crate::engine::{CheckResult, check_engine};

/// Checks engines, and prints a line for each check.
///
/// # Errors
/// If an engine is not found.
pub fn run_check(context: &dyn CommandContext, engines: &EngineList) -> Result<Outcome> {
    let mut failed = 0;
    let engines = engines.read()?;
    ensure!(!engines.is_empty(), "name an engine");
    for engine in engines {
        let spec = engine.resolve(context)?;
        let mut passed = 0;
        let mut count = 0;
        check_engine(&spec, &mut |name, result| match result {
            CheckResult::Passed => {
                (passed, count) = (passed + 1, count + 1);
                print_line!("ok    {name}");
            }
            CheckResult::NotApplicable(option) => print_line!("-     {name}: no option {option}"),
            CheckResult::Failed(problem) => {
                count += 1;
                print_line!("FAIL  {name}: {problem}");
            }
        });
        print_line!("{}: {passed} of {count} checks passed", spec.name);
        failed += count - passed;
    }
    Ok(if failed == 0 { Outcome::Complete } else { Outcome::Fault })
}
