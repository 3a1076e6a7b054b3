//! The form of the table of weights: a name for each group, one flat list.

/// Weights of one name: one for each rank, number of squares, role or the like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
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
                start: std::mem::offset_of!(Layout, $name) / size_of::<$crate::pair::Pair>(),
                length: [$($mg),*].len(),
            };
        )*)*

        /// The number of weights.
        const COUNT: usize = size_of::<Layout>() / size_of::<$crate::pair::Pair>();

        /// The weights of all groups.
        pub(crate) static WEIGHTS: [$crate::pair::Pair; COUNT] =
            [$($($($crate::pair::Pair::new($mg, $eg)),*),*),*];
    };
}

pub(crate) use weights;

pub(crate) use crate::table::WEIGHTS;
