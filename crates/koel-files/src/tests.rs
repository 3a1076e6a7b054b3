use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::{TempDir, tempdir};

use super::*;

/// Writes a file into a folder and returns its path.
fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn reason(error: &io::Error) -> Option<&UnsuitableFile> {
    error.get_ref()?.downcast_ref()
}

/// Calls a function that must return at once. The limit only ends a call that would block for good.
#[cfg(unix)]
fn returns<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(call()));
    receiver.recv_timeout(Duration::from_secs(20)).expect("the call blocks")
}

#[test]
fn a_file_of_the_right_size_is_read() {
    let folder = tempdir().unwrap();
    let path = write(&folder, "a", "ö12".as_bytes());
    assert_eq!(read(&path, 4..=4).unwrap(), "ö12".as_bytes());
    assert_eq!(read_to_string(&path, ANY_SIZE).unwrap(), "ö12");
    assert_eq!(open(&path, IN_MEMORY).unwrap().metadata().unwrap().len(), 4);
    let other = write(&folder, "b", b"\xff");
    assert_eq!(read_to_string(&other, ANY_SIZE).unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn a_wrong_size_is_an_error_that_states_both() {
    let folder = tempdir().unwrap();
    let path = write(&folder, "a", b"12345");
    for (sizes, text) in [
        (0..=4, "expected a file of at most 4 bytes, found 5 bytes"),
        (6..=u64::MAX, "expected a file of at least 6 bytes, found 5 bytes"),
        (6..=8, "expected a file of 6 to 8 bytes, found 5 bytes"),
        (6..=6, "expected a file of 6 bytes, found 5 bytes"),
    ] {
        let error = read(&path, sizes.clone()).unwrap_err();
        assert_eq!(reason(&error), Some(&UnsuitableFile::Size { found: 5, expected: sizes }));
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::InvalidInput, text.to_owned()));
    }
}

#[test]
fn folders_and_missing_files_are_errors() {
    let folder = tempdir().unwrap();
    let error = open(folder.path(), ANY_SIZE).unwrap_err();
    assert_eq!(reason(&error), Some(&UnsuitableFile::Kind("a folder")));
    let missing = read(&folder.path().join("missing"), ANY_SIZE).unwrap_err();
    assert_eq!((missing.kind(), reason(&missing)), (ErrorKind::NotFound, None));
}

#[cfg(unix)]
#[test]
fn a_device_is_not_read() {
    let error = returns(|| read(Path::new("/dev/zero"), ANY_SIZE)).unwrap_err();
    assert_eq!(error.to_string(), "expected a regular file, found a device");
}

#[cfg(unix)]
#[test]
fn a_pipe_and_a_link_to_it_do_not_block() {
    let folder = tempdir().unwrap();
    let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for path in [pipe, link] {
        let error = returns(move || open(&path, ANY_SIZE)).unwrap_err();
        assert_eq!(reason(&error), Some(&UnsuitableFile::Kind("a pipe")));
    }
}

#[cfg(unix)]
#[test]
fn one_file_has_many_names() {
    let folder = tempdir().unwrap();
    let path = write(&folder, "a", b"1");
    let [link, hard, other, missing, dangling] =
        ["link", "hard", "other", "missing", "dangling"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("a", &link).unwrap();
    std::os::unix::fs::symlink("missing", &dangling).unwrap();
    fs::hard_link(&path, &hard).unwrap();
    fs::write(&other, "1").unwrap();
    for same in [&path, &link, &hard, &folder.path().join("../").join(folder.path().join("./a"))] {
        assert!(is_same_file(&path, same) && is_same_file(same, &path), "{same:?}");
    }
    assert!(!is_same_file(&path, &other) && !is_same_file(&path, &missing));
    assert!(is_same_file(&missing, &folder.path().join(".").join("missing")));
    assert!(
        is_same_file(&missing, &dangling) && !is_same_file(&missing, &folder.path().join("else"))
    );
    assert_eq!(resolve(&dangling).unwrap(), missing);
    let circle = folder.path().join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    assert!(resolve(&circle).is_err());
    assert!(check_kind(&path).is_ok() && check_kind(&missing).is_ok());
    assert!(check_kind(folder.path()).is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn descriptors_are_known_by_their_paths() {
    let folder = tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", link.to_str().unwrap()] {
        assert!(is_descriptor(Path::new(path)), "{path}");
    }
    assert!(open_stream(Path::new("/dev/null")).unwrap().is_some());
    assert!(open_stream(&write(&folder, "file", b"1")).unwrap().is_none());
    assert!(open_stream(folder.path()).unwrap_err().to_string().ends_with("found a folder"));
    for path in ["/dev/null", "stdout", "/dev/shm/a", folder.path().to_str().unwrap()] {
        assert!(!is_descriptor(Path::new(path)), "{path}");
    }
}
