//! Switches and parameters: each is declared at the top of the file that reads it, and is a
//! function of that file. In normal builds it is a constant, and what is off is not compiled; with
//! the cargo features `switches` and `tune` it can be set at run time.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};

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
        [group, name]: [&'static str; 2],
        value: i32,
        range: RangeInclusive<i32>,
        switches: &'static [&'static Switch],
    ) -> Param {
        assert!(*range.start() <= value && value <= *range.end());
        Param { group, name, value, range, current: AtomicI32::new(value), switches }
    }

    /// Returns its full name: that of its group and its own.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}_{}", self.group, self.name)
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

/// Declares the switches of a file (`name = true;`) and its parameters
/// (`group { name = 5 in 0..=9; }`), as functions `name()` and `group::name()` of that file, and
/// lists them in `DECLARED`.
#[doc(hidden)]
#[macro_export]
macro_rules! declare {
    ($(
        $(#[$about:meta])*
        $vis:vis $name:ident
        $(= $default:literal;)?
        $({
            $(
                $(#[$meaning:meta])*
                $number:ident = $value:literal in $low:literal..=$high:literal;
            )*
        })?
    )*) => {
        $($crate::declare! {
            @item { $(#[$about])* } $vis $name
            $(= $default)? $({ $( { $(#[$meaning])* } $number $value $low $high )* })?
        })*

        mod declared {
            pub(super) static SWITCHES: &[&$crate::Switch] =
                &[$($( $crate::declare!(@switch $name $default), )?)*];
            $($(
                pub(super) mod $name {
                    pub(in super::super) static SWITCH: $crate::Switch =
                        $crate::Switch::new(stringify!($name), $default);
                }
            )?)*
        }

        pub(crate) static DECLARED: $crate::Declaration = $crate::Declaration {
            switches: declared::SWITCHES,
            params: &[$($($( &$name::$number::PARAM, )*)?)*],
        };
    };
    (@switch $name:ident $default:literal) => { &$name::SWITCH };
    (@item { $($about:tt)* } $vis:vis $name:ident = $default:literal) => {
        $($about)*
        #[inline(always)]
        $vis fn $name() -> bool {
            if cfg!(feature = "switches") { declared::$name::SWITCH.is_on() } else { $default }
        }
    };
    (
        @item { $($about:tt)* } $vis:vis $group:ident
        { $( { $($meaning:tt)* } $name:ident $value:literal $low:literal $high:literal )* }
    ) => {
        $($about)*
        mod $group {
            $(
                $($meaning)*
                #[inline(always)]
                pub(super) fn $name() -> i32 {
                    if cfg!(feature = "tune") { $name::PARAM.get() } else { $value }
                }

                pub(super) mod $name {
                    pub(in super::super) static PARAM: $crate::Param = $crate::Param::new(
                        [stringify!($group), stringify!($name)],
                        $value,
                        $low..=$high,
                        super::super::declared::SWITCHES,
                    );
                }
            )*
        }
    };
}

/// Lists the declarations of modules.
macro_rules! declared_in {
    ($list:ident: $($module:ident)*) => {
        pub(crate) static $list: &[&$crate::Declaration] = &[$(&$module::DECLARED),*];
    };
}

/// Runs a classic step, in builds with switches alone. With `or` it is a value, and other builds
/// have the second one.
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::*;

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = switches().map(|switch| switch.name).collect();
        assert_eq!(names.len(), switches().count());
        let names: HashSet<_> = params().map(|param| (param.group, param.name)).collect();
        assert_eq!(names.len(), params().count());
    }

    #[cfg(feature = "switches")]
    #[test]
    fn every_classic_step_is_off_and_so_are_its_numbers() {
        let off: Vec<_> = switches().filter(|switch| !switch.default).map(|s| s.name).collect();
        assert_eq!(off, CLASSIC);
        let is_in_use = |group| params().find(|param| param.group == group).unwrap().is_in_use();
        assert!(!is_in_use("razoring") && is_in_use("reverse_futility"));
    }
}
