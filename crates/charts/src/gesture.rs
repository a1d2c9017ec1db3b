//! What pointers on a chart mean: read, draw a stretch to zoom to, pinch.

/// How far a pointer moves before it draws a stretch, in CSS pixels: a hand that clicks is never quite still.
const SLACK: f64 = 5.0;

/// A pointer that is down.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Down {
    id: i32,
    /// Where it came down, and where it is, from the left in CSS pixels.
    from: f64,
    at: f64,
    /// A finger reads when it moves; a mouse or a pen draws a stretch.
    finger: bool,
}

/// What a pointer's event means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// The value at the pointer is to be read.
    Read,
    /// A stretch between two places is being drawn.
    Drawing(f64, f64),
    /// It has been drawn: zoom to it.
    Drawn(f64, f64),
    /// Two fingers were at the first two places when the pinch began, and are at the others now.
    Pinch((f64, f64), (f64, f64)),
    /// Nothing.
    Nothing,
}

/// The pointers that are down on one chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gesture {
    down: Vec<Down>,
}

impl Gesture {
    /// A pointer came down.
    pub fn press(&mut self, id: i32, x: f64, finger: bool) -> Meaning {
        self.down.retain(|down| down.id != id);
        self.down.push(Down {
            id,
            from: x,
            at: x,
            finger,
        });
        // A pinch begins where the fingers are when the second comes down.
        for down in &mut self.down {
            down.from = down.at;
        }
        if self.down.len() == 1 {
            Meaning::Read
        } else {
            Meaning::Nothing
        }
    }

    /// A pointer moved, down or not.
    pub fn slide(&mut self, id: i32, x: f64) -> Meaning {
        for down in &mut self.down {
            if down.id == id {
                down.at = x;
            }
        }
        match self.down.as_slice() {
            [one] if one.id != id => Meaning::Nothing,
            [one] if !one.finger && (one.at - one.from).abs() >= SLACK => {
                Meaning::Drawing(one.from, one.at)
            }
            [] | [_] => Meaning::Read,
            [one, other] => Meaning::Pinch((one.from, other.from), (one.at, other.at)),
            _ => Meaning::Nothing,
        }
    }

    /// A pointer went up.
    pub fn lift(&mut self, id: i32, x: f64) -> Meaning {
        let meaning = self.slide(id, x);
        self.down.retain(|down| down.id != id);
        for down in &mut self.down {
            down.from = down.at;
        }
        match meaning {
            Meaning::Drawing(from, to) => Meaning::Drawn(from, to),
            _ => Meaning::Nothing,
        }
    }

    /// Whatever was going on is not meant.
    pub fn cancel(&mut self) {
        self.down.clear();
    }

    /// Whether a stretch is being drawn or two fingers are down.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match self.down.as_slice() {
            [] => false,
            [one] => !one.finger && (one.at - one.from).abs() >= SLACK,
            _ => true,
        }
    }

    /// Whether what is shown is to be remembered now, as what a pinch starts from.
    #[must_use]
    pub fn begins_pinch(&self) -> bool {
        self.down.len() == 2
            && self
                .down
                .iter()
                .all(|down| (down.at - down.from).abs() < 1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mouse_that_is_dragged_draws_a_stretch() {
        let mut gesture = Gesture::default();
        assert_eq!(gesture.slide(1, 50.0), Meaning::Read, "nothing is down");
        assert_eq!(gesture.press(1, 50.0, false), Meaning::Read);
        assert_eq!(gesture.slide(1, 53.0), Meaning::Read, "hardly moved");
        assert!(!gesture.is_busy());
        assert_eq!(gesture.slide(1, 90.0), Meaning::Drawing(50.0, 90.0));
        assert!(gesture.is_busy());
        assert_eq!(gesture.lift(1, 20.0), Meaning::Drawn(50.0, 20.0));
        assert_eq!(gesture.slide(1, 20.0), Meaning::Read);
    }

    #[test]
    fn a_click_is_no_stretch() {
        let mut gesture = Gesture::default();
        gesture.press(1, 50.0, false);
        assert_eq!(gesture.lift(1, 51.0), Meaning::Nothing);
    }

    #[test]
    fn one_finger_reads_and_two_pinch() {
        let mut gesture = Gesture::default();
        gesture.press(7, 50.0, true);
        assert_eq!(gesture.slide(7, 90.0), Meaning::Read);
        assert_eq!(gesture.press(8, 150.0, true), Meaning::Nothing);
        assert!(gesture.begins_pinch());
        assert_eq!(
            gesture.slide(8, 190.0),
            Meaning::Pinch((90.0, 150.0), (90.0, 190.0))
        );
        assert!(!gesture.begins_pinch() && gesture.is_busy());
        assert_eq!(gesture.lift(8, 190.0), Meaning::Nothing);
        assert_eq!(gesture.slide(7, 91.0), Meaning::Read);
        assert_eq!(gesture.slide(9, 10.0), Meaning::Nothing, "another pointer");
    }

    #[test]
    fn what_is_cancelled_is_forgotten() {
        let mut gesture = Gesture::default();
        gesture.press(1, 50.0, false);
        gesture.slide(1, 90.0);
        gesture.cancel();
        assert_eq!(gesture.lift(1, 90.0), Meaning::Nothing);
    }
}
