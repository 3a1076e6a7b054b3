//! Time management: how long a search may take, and when it ends.

pub(crate) mod clock;
pub(crate) mod factors;
pub(crate) mod lag;
pub(crate) mod manager;
