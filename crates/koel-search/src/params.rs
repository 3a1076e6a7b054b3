//! Every number that a tuner may touch, once.
//!
//! Each is read as `group::name()`, which is a constant; its range says how far a tuner may go.

/// A number of the search, with its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The step that reads it.
    pub group: &'static str,
    /// Its name within the step.
    pub name: &'static str,
    /// What it is.
    pub value: i32,
    /// What it may be.
    pub range: (i32, i32),
}

macro_rules! params {
    ($(
        $(#[$about:meta])*
        $group:ident {
            $( $(#[$meaning:meta])* $name:ident = $value:literal in $low:literal..=$high:literal; )*
        }
    )*) => {
        $(
            $(#[$about])*
            pub mod $group {
                $(
                    $(#[$meaning])*
                    #[inline(always)]
                    #[must_use]
                    pub const fn $name() -> i32 {
                        $value
                    }

                    const _: () = assert!($low <= $value && $value <= $high);
                )*
            }
        )*

        /// All of them.
        pub const ALL: &[Param] = &[$($(
            Param {
                group: stringify!($group),
                name: stringify!($name),
                value: $value,
                range: ($low, $high),
            },
        )*)*];
    };
}

params! {
    /// Aspiration windows, in centipawns.
    aspiration {
        /// The first iteration with a narrow window.
        from_depth = 4 in 2..=10;
        /// Half the width of the first window.
        margin = 16 in 5..=100;
        /// By how many percent it grows when the score is outside.
        growth = 60 in 10..=300;
        /// Beyond this half-width the window is full.
        widest = 500 in 100..=2000;
    }

    /// Reverse futility pruning.
    reverse_futility {
        /// The deepest depth.
        deepest = 8 in 3..=16;
        /// Centipawns above beta for each ply of depth.
        margin = 75 in 20..=200;
        /// Centipawns less if the side to move is improving.
        improving = 75 in 0..=200;
    }

    /// Null move pruning.
    null_move {
        /// The shallowest depth.
        shallowest = 3 in 1..=8;
        /// The reduction in plies that is always made.
        base = 3 in 1..=6;
        /// One ply more for so many plies of depth.
        depth_divisor = 3 in 2..=8;
        /// One ply more for so many centipawns above beta.
        eval_divisor = 200 in 50..=400;
        /// The most plies for what is above beta.
        eval_most = 3 in 1..=8;
    }

    /// Late move pruning.
    late_move_pruning {
        /// The deepest depth.
        deepest = 8 in 3..=16;
        /// Moves that are always tried, before depth squared is added.
        base = 3 in 1..=10;
    }

    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// The shallowest depth.
        shallowest = 3 in 2..=6;
        /// The reduction that is always made.
        base = 768 in 0..=2048;
        /// What the product of the logarithms of depth and move number is multiplied with.
        slope = 455 in 200..=1000;
        /// Less on the principal variation.
        pv = 1024 in 0..=2048;
        /// More where the node should fail high.
        cut = 1024 in 0..=2048;
        /// More where the side to move is not improving.
        worsening = 512 in 0..=2048;
        /// Less for a killer.
        killer = 1024 in 0..=2048;
        /// Less for a move that gives check.
        check = 1024 in 0..=2048;
        /// Less for the best history, more for the worst.
        history = 1536 in 0..=4096;
    }

    /// History updates.
    history {
        /// The reward for each ply of depth.
        slope = 170 in 50..=400;
        /// What is taken off that.
        offset = 80 in 0..=400;
        /// The largest reward.
        most = 1700 in 500..=4000;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (index, param) in ALL.iter().enumerate() {
            assert!(
                ALL[..index]
                    .iter()
                    .all(|other| { (other.group, other.name) != (param.group, param.name) })
            );
        }
    }
}
