use super::prelude::*;
use crate::path::{NoProgress, PathPolicy};

declare! { upcoming_repetition = true; }

impl Search<'_> {
    /// Raises alpha to a draw if the side to move can return to an earlier position. It saves the
    /// plies in which the cycle would be played out, and is exact. (Repetitions; van Kervinck's
    /// cuckoo tables.)
    #[inline(always)]
    pub(crate) fn upcoming_repetition(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let draw = self.draw_score(node.ply);
        if !upcoming_repetition()
            || node.window.alpha >= draw
            || !self.worker.repetitions.can_repeat()
        {
            return Continue(());
        }
        self.raise_alpha_to_draw(node, draw)
    }

    // Out of line: few nodes get here, and the others should not save registers for it.
    #[inline(never)]
    fn raise_alpha_to_draw(&mut self, node: &mut Node<'_>, draw: Score) -> ControlFlow<Score> {
        if self.rules.policy == PathPolicy::Muller {
            return Continue(());
        }
        let repetitions = &mut self.worker.repetitions;
        let Some(cycle) = repetitions.upcoming_repetition(node.position, node.ply) else {
            return self.no_progress(node, draw);
        };
        node.score_floor_head = self.head(cycle.plies);
        self.raise_alpha(node, draw)
    }

    /// Raises alpha to a draw if the pieces of the side to move are where they were and the
    /// opponent needed several moves for what one could do: no progress was made. An experiment: it
    /// is wrong about most endgame positions. (van Kervinck 2013; Stockfish 2018 to 2024.)
    fn no_progress(&mut self, node: &mut Node<'_>, draw: Score) -> ControlFlow<Score> {
        classic!(self.no_progress_reduction(node));
        if self.rules.no_progress == NoProgress::Off {
            return Continue(());
        }
        let Some(cycle) = self.worker.repetitions.no_progress(node.position, node.ply) else {
            return Continue(());
        };
        if self.rules.no_progress == NoProgress::Tracked {
            node.score_floor_head = self.head(cycle.plies);
        }
        let end = self.raise_alpha(node, draw);
        let worker = &mut *self.worker;
        worker.path_counts.no_progress += 1;
        worker.path_counts.no_progress_cutoffs += u64::from(end.is_break());
        end
    }

    fn raise_alpha(&self, node: &mut Node<'_>, draw: Score) -> ControlFlow<Score> {
        node.score_floor = draw;
        node.window.alpha = draw;
        if draw < node.window.beta {
            return Continue(());
        }
        node.dependence = node.dependence.with_lower(node.score_floor_head);
        Break(draw)
    }
}
