//! The name of the engine.

/// The name and version, as in `id name`.
pub const ENGINE_NAME: &str = concat!("Koel ", env!("CARGO_PKG_VERSION"));
