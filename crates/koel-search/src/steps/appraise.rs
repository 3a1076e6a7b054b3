use crate::node::Node;
use crate::search::Search;

impl Search<'_> {
    /// What the position looks like, corrected by what the table proves, and whether things have
    /// got better since our last turn. In check it is left open. (Evaluation; Improving.)
    #[inline]
    pub(crate) fn appraise(&mut self, node: &mut Node<'_>) {
        let stack = &mut self.worker.stack;
        if node.in_check {
            stack[node.ply].static_eval = None;
            return;
        }
        let known = node.table_hit.and_then(|hit| hit.static_eval);
        node.static_eval = known.unwrap_or_else(|| node.evaluate());
        node.eval = node.static_eval;
        if let Some(hit) = node.table_hit {
            let is_better = hit.score > node.eval && hit.bound.is_lower();
            let is_worse = hit.score < node.eval && hit.bound.is_upper();
            if (is_better || is_worse) && !hit.score.is_mate() {
                node.eval = hit.score;
            }
        }
        stack[node.ply].static_eval = Some(node.static_eval);
        let earlier =
            stack.before(node.ply, 2).static_eval.or(stack.before(node.ply, 4).static_eval);
        node.is_improving = earlier.is_none_or(|earlier| node.static_eval > earlier);
    }
}
