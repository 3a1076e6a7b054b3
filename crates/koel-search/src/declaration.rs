//! Switches and parameters: each is declared at the top of the file that reads it, and is a function
//! of that file. In normal builds it is a constant, and what is off is not compiled; with the cargo
//! features `switches` and `tune` it can be set at run time.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};

use crate::{history, iterate, move_picker, path, quiet_bonus, reductions, search, steps, tt};

/// A switch of the search: a technique that can be turned off.
#[derive(Debug)]
pub struct Switch {
    /// The name, that of the step or technique.
    pub name: &'static str,
    /// True if it is on in normal builds.
    pub default: bool,
    is_on: AtomicBool,
}

impl Switch {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, default: bool) -> Switch {
        Switch { name, default, is_on: AtomicBool::new(default) }
    }

    /// Returns the current setting.
    pub fn is_on(&self) -> bool {
        #[cfg(test)]
        if let Some(is_on) = crate::testing::turned(self.name) {
            return is_on;
        }
        self.is_on.load(Relaxed)
    }

    /// Turns it on or off for searches that begin later. Normal builds do not read the setting.
    pub fn set(&self, is_on: bool) {
        self.is_on.store(is_on, Relaxed);
    }
}

/// A parameter: a number that a tuner may change.
#[derive(Debug)]
pub struct Param {
    /// The step or table that it belongs to.
    pub group: &'static str,
    /// The name within the group.
    pub name: &'static str,
    /// The value in normal builds.
    pub value: i32,
    /// The least and the largest value.
    pub range: RangeInclusive<i32>,
    current: AtomicI32,
    /// The switches of its file.
    switches: &'static [&'static Switch],
}

impl Param {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        group: &'static str,
        name: &'static str,
        value: i32,
        range: RangeInclusive<i32>,
        switches: &'static [&'static Switch],
    ) -> Param {
        assert!(*range.start() <= value && value <= *range.end());
        Param { group, name, value, range, current: AtomicI32::new(value), switches }
    }

    /// Returns the current value.
    pub fn get(&self) -> i32 {
        self.current.load(Relaxed)
    }

    /// Sets the value, limited to the range, for searches that begin later. Normal builds do not
    /// read it.
    pub fn set(&self, value: i32) {
        self.current.store(value.clamp(*self.range.start(), *self.range.end()), Relaxed);
    }

    /// Returns true if its step is on, as far as it has switches.
    pub fn is_in_use(&self) -> bool {
        self.switches.is_empty() || self.switches.iter().any(|switch| switch.is_on())
    }
}

/// The switches and parameters of a file.
#[derive(Debug)]
pub struct Declaration {
    /// The switches.
    pub switches: &'static [&'static Switch],
    /// The parameters.
    pub params: &'static [&'static Param],
}

/// Declares the switches and parameters of a file: functions that return them, and `DECLARED`.
#[doc(hidden)]
#[macro_export]
macro_rules! declare {
    (
        $(switches {
            $( $(#[$about:meta])* $vis:vis $switch:ident = $default:literal; )*
        })?
        $(
            $(#[$group_about:meta])*
            params $group:ident {
                $(
                    $(#[$meaning:meta])*
                    $name:ident = $value:literal in $low:literal..=$high:literal;
                )*
            }
        )*
    ) => {
        $($(
            $(#[$about])*
            #[inline(always)]
            $vis fn $switch() -> bool {
                if cfg!(feature = "switches") { declared::$switch::SWITCH.is_on() } else { $default }
            }
        )*)?

        $(
            $(#[$group_about])*
            mod $group {
                $(
                    $(#[$meaning])*
                    #[inline(always)]
                    pub(super) fn $name() -> i32 {
                        if cfg!(feature = "tune") { $name::PARAM.get() } else { $value }
                    }

                    pub(super) mod $name {
                        pub(in super::super) static PARAM: $crate::Param = $crate::Param::new(
                            stringify!($group),
                            stringify!($name),
                            $value,
                            $low..=$high,
                            super::super::declared::SWITCHES,
                        );
                    }
                )*
            }
        )*

        mod declared {
            pub(super) static SWITCHES: &[&$crate::Switch] = &[$($( &$switch::SWITCH, )*)?];
            $($(
                pub(super) mod $switch {
                    pub(in super::super) static SWITCH: $crate::Switch =
                        $crate::Switch::new(stringify!($switch), $default);
                }
            )*)?
        }

        pub(crate) static DECLARED: $crate::Declaration = $crate::Declaration {
            switches: declared::SWITCHES,
            params: &[$($( &$group::$name::PARAM, )*)*],
        };
    };
}

/// Runs a classic step, in builds with switches alone. With `or` it is a value, and other builds have
/// the second one.
macro_rules! classic {
    ($step:expr) => {
        #[cfg(feature = "switches")]
        {
            $step;
        }
    };
    ($value:expr, or $other:expr) => {{
        #[cfg(feature = "switches")]
        let value = $value;
        #[cfg(not(feature = "switches"))]
        let value = $other;
        value
    }};
}

/// The declarations of the search, besides those of its steps.
static OTHERS: &[&Declaration] = &[
    &iterate::DECLARED,
    &search::DECLARED,
    &tt::DECLARED,
    &path::DECLARED,
    &path::MULLER,
    &move_picker::DECLARED,
    &quiet_bonus::DECLARED,
    &history::DECLARED,
    &history::CORRECTION,
    &reductions::DECLARED,
];

fn declarations() -> impl Iterator<Item = &'static Declaration> {
    let all = steps::DECLARED.iter().chain(OTHERS);
    #[cfg(feature = "switches")]
    let all = all.chain(steps::CLASSIC_DECLARED);
    all.copied()
}

/// All switches of the search.
pub fn switches() -> impl Iterator<Item = &'static Switch> {
    declarations().flat_map(|declaration| declaration.switches).copied()
}

/// All parameters of the search.
pub fn params() -> impl Iterator<Item = &'static Param> {
    declarations().flat_map(|declaration| declaration.params).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = switches().map(|switch| switch.name).collect();
        assert_eq!(names.len(), switches().count());
        let names: HashSet<_> = params().map(|param| (param.group, param.name)).collect();
        assert_eq!(names.len(), params().count());
    }

    #[cfg(feature = "switches")]
    #[test]
    fn every_classic_step_is_named_and_off() {
        let off: Vec<_> = switches().filter(|switch| !switch.default).map(|s| s.name).collect();
        assert_eq!(off, steps::CLASSIC);
        assert!(params().any(|param| param.group == "razoring" && !param.is_in_use()));
        assert!(params().any(|param| param.group == "reverse_futility" && param.is_in_use()));
    }
}
