//! The declaration of parameters: their type, and the macro that makes functions of their table.

/// A parameter of the search.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The step that uses it.
    pub group: &'static str,
    /// The name within the group.
    pub name: &'static str,
    /// The value in normal builds.
    pub value: i32,
    /// The least and the largest value.
    pub range: (i32, i32),
    /// The conditions under which it is read at all, beside that of its step.
    pub(super) conditions: &'static [fn() -> bool],
    /// The current value.
    #[cfg(feature = "tune")]
    pub(super) current: &'static std::sync::atomic::AtomicI32,
}

impl Param {
    /// Returns true if the search reads it with its switches as they are and one thread.
    pub fn is_in_use(&self) -> bool {
        self.conditions.iter().all(|is_met| is_met())
    }
}

/// The conditions that a parameter may have after `if`.
pub(super) mod conditions {
    pub(in crate::params) use crate::features::{
        bonus_above_beta, check_ordering, low_depth_extension, null_move_threat, razoring,
        threat_ordering,
    };
}

#[cfg(feature = "tune")]
impl Param {
    /// Sets the value, limited to the range, for searches that begin later.
    pub fn set(&self, value: i32) {
        let value = value.clamp(self.range.0, self.range.1);
        self.current.store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! params {
    ($(
        $(#[$about:meta])*
        $group:ident {
            $(
                $(#[$meaning:meta])*
                $name:ident = $value:literal in $low:literal..=$high:literal $(if $own:ident)?;
            )*
        }
    )*) => {
        $(
            $(#[$about])*
            pub mod $group {
                $(
                    $(#[$meaning])*
                    #[cfg(not(feature = "tune"))]
                    #[inline(always)]
                    #[must_use]
                    pub const fn $name() -> i32 {
                        $value
                    }

                    $(#[$meaning])*
                    #[cfg(feature = "tune")]
                    #[inline(always)]
                    #[must_use]
                    pub fn $name() -> i32 {
                        currents::$name.load(std::sync::atomic::Ordering::Relaxed)
                    }

                    const _: () = assert!($low <= $value && $value <= $high);
                )*

                #[cfg(feature = "tune")]
                #[expect(non_upper_case_globals, reason = "named after the functions that read them")]
                pub(super) mod currents {
                    use std::sync::atomic::AtomicI32;
                    $( pub(in crate::params) static $name: AtomicI32 = AtomicI32::new($value); )*
                }
            }
        )*

        /// All parameters.
        pub static ALL: &[Param] = &[$($(
            Param {
                group: stringify!($group),
                name: stringify!($name),
                value: $value,
                range: ($low, $high),
                conditions: &[$(conditions::$own)?],
                #[cfg(feature = "tune")]
                current: &$group::currents::$name,
            },
        )*)*];
    };
}
