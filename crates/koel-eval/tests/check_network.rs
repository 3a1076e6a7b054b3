//! The check of the build script, compared with what the engine says at run time.

#[path = "../check_network.rs"]
mod check_network;

use check_network::check_network;
use koel_eval::{BUILT_IN, SearchNetwork};

#[test]
fn the_build_rejects_what_the_engine_rejects() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/network");
    let default = std::fs::read(format!("{folder}/{BUILT_IN}.koelnet")).unwrap();
    let check = |file: &[u8]| check_network(file, &default);
    assert_eq!(check(&default), Ok(()));
    let changed = |at: usize| {
        let mut file = default.clone();
        file[at] ^= 1;
        file
    };
    for (file, message) in [
        (b"KOEL".to_vec(), "does not begin with `KOELNET`"),
        (changed(0), "does not begin with `KOELNET`"),
        (changed(8), "version 3, 4 king buckets"),
        (changed(16), "513 neurons"),
        (changed(44), "checksum"),
        (changed(5_000), "checksum"),
        (default[..default.len() - 1].to_vec(), "bytes, not"),
    ] {
        let error = check(&file).unwrap_err();
        assert!(error.contains(message), "{error}");
        assert!(SearchNetwork::from_bytes(&file).is_err());
    }
}
