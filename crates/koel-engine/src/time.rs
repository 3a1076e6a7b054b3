//! Time management: how long a search may take, and when it ends.

pub(crate) mod clock;
pub(crate) mod factors;
pub(crate) mod lag;
pub(crate) mod manager;

use koel_search::Declaration;

pub(crate) static DECLARED: [&Declaration; 2] = [&clock::DECLARED, &factors::DECLARED];
