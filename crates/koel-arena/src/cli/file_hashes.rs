//! Hashes of the files that the engines of a match read.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use koel_files::ANY_SIZE;
use koel_random::fnv1a;

use crate::engine::EngineSpec;
use crate::match_config::{MatchEngine, place};

/// The options that name a file that the engine writes, in lower case: another content is no
/// other engine.
const WRITTEN: [&str; 2] = ["debug log file", "hash file"];

/// The number of bytes of a file that are in memory at a time.
const PART: u64 = 1 << 26;

/// Returns hashes of the programs, and of the files that their options and arguments name: a match
/// is not resumed with other ones. Returns the paths too.
pub(super) fn file_hashes(
    engines: &[MatchEngine],
) -> Result<(BTreeMap<String, String>, Vec<PathBuf>)> {
    let (mut hashes, mut paths) = (BTreeMap::new(), Vec::new());
    for (index, MatchEngine { spec, .. }) in engines.iter().enumerate() {
        let program = ("program".to_owned(), spec.command.clone());
        for (name, path) in named_files(spec).into_iter().chain([program]) {
            if !WRITTEN.contains(&name.to_lowercase().as_str()) {
                let hash = hash_of(&path, PART).with_context(|| path.display().to_string())?;
                hashes.insert(format!("{} {name} file", place(index)), format!("{hash:016x}"));
            }
            paths.push(path);
        }
    }
    Ok((hashes, paths))
}

/// Returns the files that the options and the arguments of an engine name, from its folder.
fn named_files(spec: &EngineSpec) -> Vec<(String, PathBuf)> {
    let options = spec.options.iter().map(|(name, value)| (name.clone(), value));
    let arguments = spec.arguments.iter().enumerate();
    let arguments = arguments.map(|(index, value)| (format!("argument {}", index + 1), value));
    let folder = spec.folder.as_deref().unwrap_or(Path::new(""));
    let files = options.chain(arguments).map(|(name, value)| (name, folder.join(value)));
    files.filter(|(_, path)| path.is_file()).collect()
}

/// Returns the hash of a file; that of the hashes of its parts if it has several.
fn hash_of(path: &Path, part_bytes: u64) -> io::Result<u64> {
    let mut file = koel_files::open(path, ANY_SIZE)?;
    let (mut part, mut hashes) = (Vec::new(), Vec::new());
    while file.by_ref().take(part_bytes).read_to_end(&mut part)? > 0 {
        hashes.push(fnv1a(&part));
        part.clear();
    }
    Ok(match hashes[..] {
        [hash] => hash,
        _ => fnv1a(&hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect::<Vec<_>>()),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::move_limits::MoveLimits;

    #[test]
    fn files_are_found_from_the_folder_of_the_engine() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("engine.py", "1");
        write("net.bin", "1");
        write("koel.log", "1");
        let program = std::env::current_exe().unwrap();
        let mut spec = EngineSpec::new("a", program).with_option("EvalFile", "net.bin");
        spec = spec.with_option("debug log file", "koel.log").with_option("Threads", 1);
        spec.arguments = ["-u", "engine.py"].map(str::to_owned).into();
        spec.folder = Some(folder.path().to_owned());
        let hashes = || {
            let engine = MatchEngine { spec: spec.clone(), limits: MoveLimits::Nodes(1) };
            file_hashes(&[engine]).unwrap().0
        };
        let before = hashes();
        let names: Vec<_> = before.keys().map(String::as_str).collect();
        let expected =
            ["engine 1 EvalFile file", "engine 1 argument 2 file", "engine 1 program file"];
        assert_eq!(names, expected);
        write("koel.log", "2");
        assert_eq!(hashes(), before);
        for file in ["engine.py", "net.bin"] {
            write(file, "2");
            assert_ne!(hashes(), before, "{file}");
            write(file, "1");
        }
    }

    #[test]
    fn a_large_file_is_hashed_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let hash = |text: &str, part_bytes| {
            fs::write(&path, text).unwrap();
            hash_of(&path, part_bytes).unwrap()
        };
        assert_eq!(["", "abcd"].map(|text| hash(text, 4)), [fnv1a(b""), fnv1a(b"abcd")]);
        let in_parts =
            ["abcdefghi", "abcdefghj", "xbcdefghi", "abcdefgh"].map(|text| hash(text, 4));
        let distinct: std::collections::BTreeSet<_> = in_parts.into_iter().collect();
        assert_eq!(distinct.len(), in_parts.len());
    }
}
