//! A ring of points, each held by a TMM: what Cassandra and ketama have in common.

use std::sync::Arc;

/// Points in ascending order, shared by all clones.
#[derive(Clone, Debug)]
pub(super) struct Ring<Point> {
    points: Arc<[(Point, u32)]>,
}

impl<Point: Copy + Ord> Ring<Point> {
    /// A ring of `points`, each with its TMM. Of equal points the lowest TMM's counts.
    pub(super) fn new(mut points: Vec<(Point, u32)>) -> Self {
        points.sort_unstable();
        Self {
            points: points.into(),
        }
    }

    /// The TMM of the first point at or after `position`; of the very first when there is none.
    pub(super) fn owner(&self, position: Point) -> u32 {
        let index = self.points.partition_point(|&(point, _)| point < position);
        self.points
            .get(index)
            .or_else(|| self.points.first())
            .map_or(0, |&(_, tmm)| tmm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_at_its_point_and_the_last_one_wraps_around() {
        let ring = Ring::new(vec![(30, 2), (10, 0), (20, 1), (20, 3)]);
        let owners = [0, 10, 11, 20, 21, 30, 31].map(|position| ring.owner(position));
        assert_eq!(owners, [0, 0, 1, 1, 2, 2, 0]);
    }
}
