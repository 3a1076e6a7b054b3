//! The form of the table of weights: names for the code, one flat list for the tuner.

use std::ops::Range;

/// What a weight belongs to, as the display sums it up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// What the pieces are worth, and where they stand.
    Material,
    /// The pawns among themselves.
    Pawns,
    /// How many squares the pieces reach.
    Mobility,
    /// What else is good or bad for a piece.
    Pieces,
    /// Pawns that no pawn can stop.
    Passed,
    /// What is attacked and not defended well.
    Threats,
    /// The shelter of the king and the attack on it.
    King,
    /// Room behind the own pawns.
    Space,
}

impl Term {
    /// All of them, in the order of the display.
    pub const ALL: [Term; 8] = [
        Term::Material,
        Term::Pawns,
        Term::Mobility,
        Term::Pieces,
        Term::Passed,
        Term::Threats,
        Term::King,
        Term::Space,
    ];
}

/// Weights of one name: one for each rank, number of squares, role or the like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) documentation: &'static [&'static str],
    pub(crate) term: Term,
    pub(crate) start: usize,
    pub(crate) length: usize,
}

impl Group {
    /// The place of a weight in the flat list.
    #[inline(always)]
    pub(crate) const fn at(&self, index: usize) -> usize {
        debug_assert!(index < self.length);
        self.start + index
    }

    /// The places of all its weights.
    pub(crate) fn places(&self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

/// Makes of named lists of pairs a constant [`Group`] for each, and the flat list.
macro_rules! weights {
    ($($term:ident { $($(#[doc = $doc:literal])* $name:ident = [$(($mg:expr, $eg:expr)),* $(,)?];)* })*) => {
        /// One field for each group, so that the compiler finds where a group begins.
        #[allow(non_snake_case, dead_code, reason = "only its layout is used")]
        #[repr(C)]
        struct Layout { $($($name: [$crate::pair::Pair; [$($mg),*].len()],)*)* }

        $($(
            $(#[doc = $doc])*
            pub(crate) const $name: $crate::weights::Group = $crate::weights::Group {
                name: stringify!($name),
                documentation: &[$($doc),*],
                term: $crate::weights::Term::$term,
                start: std::mem::offset_of!(Layout, $name) / size_of::<$crate::pair::Pair>(),
                length: [$($mg),*].len(),
            };
        )*)*

        /// All groups, in order.
        pub(crate) const GROUPS: &[$crate::weights::Group] = &[$($($name),*),*];

        /// The number of weights.
        pub(crate) const COUNT: usize = size_of::<Layout>() / size_of::<$crate::pair::Pair>();

        /// The weights of all groups.
        pub(crate) static WEIGHTS: [$crate::pair::Pair; COUNT] =
            [$($($($crate::pair::Pair::new($mg, $eg)),*),*),*];
    };
}

pub(crate) use weights;

pub(crate) use crate::table::{COUNT, GROUPS, WEIGHTS};
