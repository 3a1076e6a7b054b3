use crate::steps::prelude::*;

declare! { check_extension = false; }

impl Node<'_> {
    /// Returns one ply for a check that loses no material. (Check extensions.)
    pub(crate) fn check_extension(&self, picked: &PickedMove) -> i32 {
        let extends = check_extension()
            && self.position.gives_check(picked.m)
            && self.position.see_ge(picked.m, 0, &SeeValues::default());
        i32::from(extends)
    }
}
