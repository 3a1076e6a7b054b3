//! Histograms.

use crate::USUAL_WIDTH;
use crate::drawing::Drawing;
use crate::lines::{BOTTOM, LEFT, RIGHT, TOP};
use crate::scale::{Scale, shortened};

const HEIGHT: f64 = 320.0;

/// A histogram: a vertical bar for each class.
#[derive(Clone, Debug, Default)]
pub struct ClassChart {
    /// The title.
    pub title: String,
    /// The name of the horizontal axis, with its unit.
    pub x_name: String,
    /// The lower limit and the count of each class. All classes have the same width.
    pub counts: Vec<(f64, u64)>,
}

impl ClassChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(&self.title, USUAL_WIDTH, HEIGHT);
        let counts = &self.counts;
        let first = counts.first().map_or(0.0, |class| class.0);
        let width = counts.get(1).map_or(1.0, |second| second.0 - first);
        let last = counts.last().map_or(1.0, |class| class.0) + width;
        let most = counts.iter().map(|class| class.1).max().unwrap_or(0).max(1);
        let base = HEIGHT - BOTTOM;
        let x = Scale::new((first, last), (LEFT, USUAL_WIDTH - RIGHT));
        let y = Scale::new((0.0, most as f64 * 1.05), (base, TOP));
        drawing.axes(&x, &y, &self.x_name);
        for &(begin, count) in counts {
            let (from, to) = (x.at(begin) + 0.5, x.at(begin + width) - 0.5);
            let tip = format!("{}: {count}", shortened(begin));
            drawing.rect("f0", (from, base), (to.max(from), y.at(count as f64)), &tip);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_heights_are_proportional_to_the_counts() {
        let counts = vec![(0.0, 3), (1.0, 0), (2.0, 6)];
        let svg = ClassChart { counts, ..ClassChart::default() }.draw().inline();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let bars = document.descendants().filter(|node| node.has_tag_name("rect"));
        let number = |text: Option<&str>| text.unwrap().parse::<f64>().unwrap();
        let heights: Vec<f64> = bars.map(|bar| number(bar.attribute("height"))).collect();
        assert_eq!(heights.len(), 3);
        assert!((heights[2] - 2.0 * heights[0]).abs() < 0.2 && heights[1] < 1.0, "{heights:?}");
        let empty = ClassChart::default().draw().inline();
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}
