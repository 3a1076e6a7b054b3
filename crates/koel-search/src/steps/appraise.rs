use koel_board::Move;
use koel_eval::material;

use crate::features;
use crate::history::LastMoves;
use crate::node::Node;
use crate::params::evaluation;
use crate::score::Score;
use crate::search::Search;

impl Search<'_> {
    /// What the position looks like, corrected by what searches of its like have found and by what
    /// the table proves, and whether things have got better since our last turn. In check it is
    /// left open. (Evaluation; Improving; correction history; static evaluation as policy.)
    #[inline]
    pub(crate) fn appraise(&mut self, node: &mut Node<'_>) {
        if node.excluded.is_some() {
            return;
        }
        let frame = &mut self.worker.stack[node.ply];
        frame.was_pv = node.was_pv;
        frame.threat = Move::NONE;
        if node.in_check {
            frame.static_eval = None;
            return;
        }
        let known = node.table_hit.and_then(|hit| hit.raw_eval);
        node.raw_eval = known.unwrap_or_else(|| self.evaluate(node));
        if features::correction() {
            let last = self.last_moves(node.ply);
            node.correction = self.worker.histories.correction.score(node.position, last);
        }
        node.static_eval = node.corrected_evaluation();
        node.eval = node.evaluation_by_table().unwrap_or(node.static_eval);
        let stack = &mut self.worker.stack;
        stack[node.ply].static_eval = Some(node.static_eval);
        let earlier =
            stack.before(node.ply, 2).static_eval.or(stack.before(node.ply, 4).static_eval);
        node.is_improving = earlier.is_none_or(|earlier| node.static_eval > earlier);
        self.reward_evaluation_difference(node);
    }

    /// The last two moves, which the correction goes by.
    #[inline]
    pub(crate) fn last_moves(&self, ply: usize) -> LastMoves {
        [1, 2].map(|plies| self.worker.stack.before(ply, plies).piece_to)
    }

    /// A quiet move that made the position look better is a good one, before anything is searched.
    #[inline]
    fn reward_evaluation_difference(&mut self, node: &Node<'_>) {
        let before = self.worker.stack.before(node.ply, 1);
        if let (Some(slot), Some(eval)) = (before.quiet_slot, before.static_eval)
            && features::evaluation_difference()
        {
            let gain = -(node.static_eval.centipawns() + eval.centipawns());
            let most = evaluation::difference_most();
            let bonus = (gain * evaluation::difference_slope() / 64).clamp(-most, most);
            self.worker.histories.reward_anywhere(slot, bonus);
        }
    }
}

impl Node<'_> {
    #[inline]
    fn corrected_evaluation(&self) -> Score {
        let mut eval = self.raw_eval.centipawns();
        if features::material_scaling() {
            let material = material(self.position) as i32;
            let share = evaluation::material_base() + evaluation::material_slope() * material;
            eval = eval * share / 1024;
        }
        eval += self.correction;
        if features::fifty_move_damping() {
            let clock = i32::from(self.position.halfmove_clock());
            eval -= eval * clock / evaluation::damping();
        }
        Score::from_centipawns(eval)
    }

    /// A bound of the table says more than evaluation, where it contradicts it.
    #[inline]
    fn evaluation_by_table(&self) -> Option<Score> {
        let hit = self.table_hit.filter(|_| features::table_evaluation())?;
        let is_better = hit.score > self.static_eval && hit.bound.is_lower();
        let is_worse = hit.score < self.static_eval && hit.bound.is_upper();
        ((is_better || is_worse) && !hit.score.is_decided()).then_some(hit.score)
    }
}
