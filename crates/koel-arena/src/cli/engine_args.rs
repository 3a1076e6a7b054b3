//! Engines as they are given: by their names, by `--engine` and in TOML files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use koel_files::SETTINGS;
use toml::{Table, Value};

use super::context::CommandContext;
use crate::engine::EngineSpec;
use crate::match_config::MatchEngine;
use crate::move_limits::{LIMIT_NAMES, MoveLimits, parse_limit};

/// An engine with the settings of its own.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    /// Its program: a path, a name on the search path, or whatever else the context accepts.
    program: String,
    /// Everything but the program. The name is that of the program if it is empty.
    spec: EngineSpec,
    /// Its limits; `None` for those of the match.
    pub(super) limits: Option<MoveLimits>,
    /// Its known rating.
    pub(super) rating: Option<f64>,
    /// The file that it comes from.
    pub(super) file: Option<PathBuf>,
}

/// The engines of a match on the command line.
#[derive(Args, Clone, Default)]
pub struct EngineList {
    /// Engines: programs, and TOML files (.toml) with tables `[[engine]]`, whose keys are those of
    /// `--engine`
    engines: Vec<String>,
    /// An engine with settings of its own (repeatable): name, cmd, arg, dir, env.NAME, option.NAME,
    /// one of tc, nodes, depth and movetime, ponder, log and rating
    #[arg(long = "engine", value_name = "KEY=VALUE,..", value_parser = EngineArgs::from_str)]
    further: Vec<EngineArgs>,
}

impl EngineList {
    /// Returns a list of these words, programs and files.
    pub fn of_words(engines: Vec<String>) -> EngineList {
        EngineList { engines, further: Vec::new() }
    }

    /// Returns the engines: those by their words, and those by settings.
    pub(super) fn read(&self) -> Result<Vec<EngineArgs>> {
        let mut engines = Vec::new();
        for word in &self.engines {
            match word.ends_with(".toml") {
                true => engines.extend(EngineArgs::read_file(Path::new(word))?),
                false => {
                    engines.push(EngineArgs { program: word.clone(), ..EngineArgs::default() })
                }
            }
        }
        engines.extend(self.further.iter().cloned());
        Ok(engines)
    }
}

const KEYS: &str = "name, cmd, arg, dir, env.NAME, option.NAME, tc, nodes, depth, movetime, \
                    ponder, log, rating";

impl From<EngineSpec> for EngineArgs {
    fn from(spec: EngineSpec) -> EngineArgs {
        EngineArgs { spec, ..EngineArgs::default() }
    }
}

/// Reads `name=A,cmd=./a,option.Hash=32`. What begins with no key belongs to the value before it.
impl FromStr for EngineArgs {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<EngineArgs> {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        for part in text.split(',') {
            match (part.split_once('='), pairs.last_mut()) {
                (Some((key, value)), _) if is_key(key) => pairs.push((key, value.to_owned())),
                (_, Some((_, value))) => *value += &format!(",{part}"),
                _ => bail!("`{part}` is no setting of an engine: {KEYS}"),
            }
        }
        let mut engine = EngineArgs::default();
        pairs.iter().try_for_each(|(key, value)| engine.set(key, value))?;
        engine.checked()
    }
}

/// Returns true if a word may be the name of a setting, known or not.
fn is_key(word: &str) -> bool {
    let has_name = word.starts_with("option.") || word.starts_with("env.");
    has_name || (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

impl EngineArgs {
    /// Reads the tables `[[engine]]` of a file.
    fn read_file(path: &Path) -> Result<Vec<EngineArgs>> {
        let file = || path.display().to_string();
        let text = koel_files::read_to_string(path, SETTINGS).with_context(file)?;
        let mut document: Table = text.parse().with_context(file)?;
        let engines = document.remove("engine").unwrap_or(Value::Array(Vec::new()));
        let other = document.keys().next();
        ensure!(other.is_none(), "{}: only [[engine]] is known", path.display());
        let engines: Vec<Table> = engines.try_into().with_context(file)?;
        let engine = |table| {
            let engine = EngineArgs::from_table(table)?;
            Ok(EngineArgs { file: Some(path.to_owned()), ..engine })
        };
        engines.iter().map(engine).collect::<Result<_>>().with_context(file)
    }

    fn from_table(table: &Table) -> Result<EngineArgs> {
        let mut engine = EngineArgs::default();
        for (key, value) in table {
            match value {
                Value::Array(values) => {
                    values.iter().try_for_each(|value| engine.set(key, &text(value)))?;
                }
                Value::Table(table) => table.iter().try_for_each(|(name, value)| {
                    engine.set(&format!("{key}.{name}"), &text(value))
                })?,
                value => engine.set(key, &text(value))?,
            }
        }
        engine.checked()
    }

    fn checked(self) -> Result<EngineArgs> {
        ensure!(!self.program.is_empty(), "an engine needs a program: cmd=PROGRAM");
        Ok(self)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let wrong = || format!("{key}: `{value}`");
        let named = key.split_once('.').map(|(kind, name)| (kind, name.to_owned()));
        match (key, named) {
            (_, Some(("option" | "options", name))) => {
                self.spec.options.push((name, value.to_owned()));
            }
            (_, Some(("env", name))) => self.spec.environment.push((name, value.to_owned())),
            ("name", _) => self.spec.name = value.to_owned(),
            ("cmd" | "command", _) => self.program = value.to_owned(),
            ("arg" | "arguments", _) => self.spec.arguments.push(value.to_owned()),
            ("dir", _) => self.spec.folder = Some(PathBuf::from(value)),
            ("log", _) => self.spec.log = Some(PathBuf::from(value)),
            ("ponder", _) => self.spec.ponders = value.parse().with_context(wrong)?,
            ("rating", _) => {
                let rating: f64 = value.parse().with_context(wrong)?;
                ensure!(rating.is_finite(), "rating: expected a number, found {value}");
                self.rating = Some(rating);
            }
            _ if LIMIT_NAMES.contains(&key) => {
                let limits = parse_limit(key, value).map_err(|error| anyhow!("{key}: {error}"))?;
                ensure!(self.limits.replace(limits).is_none(), "an engine has one limit");
            }
            _ => bail!("`{key}` is no setting of an engine: {KEYS}"),
        }
        Ok(())
    }

    /// Checks that there is the program, before any is built.
    pub(super) fn check(&self, context: &dyn CommandContext) -> Result<()> {
        if self.program.is_empty() { Ok(()) } else { context.check(&self.program) }
    }

    /// Returns the engine with its program.
    pub(super) fn resolve(&self, context: &dyn CommandContext) -> Result<EngineSpec> {
        let mut spec = self.spec.clone();
        if self.program.is_empty() {
            return Ok(spec);
        }
        let program = context.resolve(&self.program)?;
        spec.command = match spec.folder {
            // A relative path would be taken from that folder.
            Some(_) => std::path::absolute(program.command)?,
            None => program.command,
        };
        if spec.name.is_empty() {
            spec.name = program.name;
        }
        spec.arguments.splice(0..0, program.arguments);
        spec.options.splice(0..0, program.options);
        Ok(spec)
    }
}

/// Returns a value as the text of an option.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Describes an engine by parts: the folders of its path, its arguments, options and limits.
fn descriptions(engine: &MatchEngine) -> [Vec<String>; 4] {
    let path = engine.spec.command.parent().into_iter().flat_map(Path::components);
    let option = |(name, value): &(String, String)| format!("{name}={value}");
    [
        path.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect(),
        engine.spec.arguments.clone(),
        engine.spec.options.iter().map(option).collect(),
        vec![engine.limits.to_string()],
    ]
}

/// Adds to equal names what tells their engines apart: parts of their paths, arguments, options or
/// limits that they do not all have. Only engines without any difference are numbered.
pub(super) fn tell_apart(engines: &mut [MatchEngine]) {
    let names: Vec<_> = engines.iter().map(|engine| engine.spec.name.clone()).collect();
    let all: Vec<_> = engines.iter().map(descriptions).collect();
    for (index, name) in names.iter().enumerate() {
        let twins: Vec<_> = (0..names.len()).filter(|&other| names[other] == *name).collect();
        let own_parts = |engine: usize, kind: usize| {
            let is_own = |part: &&String| !twins.iter().all(|&twin| all[twin][kind].contains(part));
            all[engine][kind].iter().filter(is_own).cloned().collect::<Vec<_>>().join(" ")
        };
        let differs = |&kind: &usize| {
            let parts: HashSet<_> = twins.iter().map(|&twin| own_parts(twin, kind)).collect();
            parts.len() == twins.len()
        };
        let number = twins.iter().take_while(|&&twin| twin <= index).count();
        let difference = (0..all[index].len()).find(differs);
        let part = difference.map_or_else(|| number.to_string(), |kind| own_parts(index, kind));
        if twins.len() > 1 && !part.is_empty() {
            engines[index].spec.name = format!("{name} ({part})");
        }
    }
}
