//! What can befall an owner's answer on its way back, beside the hop: a stall, or that it is lost.

use super::turn::Turn;
use super::world::{Operation, What};
use crate::agenda::Nanoseconds;
use crate::results::Part;
use crate::sampling::{Concern, QuantileTable, Stream};
use crate::scenario::Scenario;

/// How answers are delayed and lost.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    /// Neither stalls nor losses are set.
    pub(super) undisturbed: bool,
    /// The stall for a median of [`UNIT`] nanoseconds; none when there is no stall.
    stall: Option<QuantileTable>,
    median: Nanoseconds,
    median_per_entry: Nanoseconds,
    stall_luck: Stream,
    /// An answer is lost when the upper half of a draw lies below this.
    lost_below: u64,
    loss_luck: Stream,
    timeout: Nanoseconds,
}

/// Median of the table of stalls, in nanoseconds; a power of two, so that scaling it is a shift.
const UNIT_BITS: u32 = 20;
const UNIT: Nanoseconds = 1 << UNIT_BITS;

/// Longest stall, in nanoseconds: about an hour, as for everything that is drawn.
const LONGEST: u128 = 1 << 42;

impl Answers {
    pub(super) fn new(scenario: &Scenario, seed: u64) -> Self {
        let (median, median_per_entry) = (scenario.stall(), scenario.stall_per_entry());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of 2^32, between 0 and 2^32"
        )]
        let lost_below = (scenario.lost_answers() * 4_294_967_296.0) as u64;
        Self {
            undisturbed: median == 0 && median_per_entry == 0 && lost_below == 0,
            stall: (median > 0 || median_per_entry > 0)
                .then(|| QuantileTable::log_normal(0, UNIT, scenario.stall_sigma())),
            median,
            median_per_entry,
            stall_luck: Stream::new(seed, Concern::Stall, 0),
            lost_below,
            loss_luck: Stream::new(seed, Concern::Loss, 0),
            timeout: scenario.answer_timeout(),
        }
    }

    /// How long coordination takes over a subtable of so many entries.
    fn draw_stall(&mut self, entries: u64) -> Nanoseconds {
        let Some(stall) = &self.stall else {
            return 0;
        };
        let median =
            u128::from(self.median) + u128::from(self.median_per_entry) * u128::from(entries);
        let drawn = u128::from(stall.draw(&mut self.stall_luck));
        (((drawn * median) >> UNIT_BITS).min(LONGEST)) as Nanoseconds
    }

    fn is_lost(&mut self) -> bool {
        self.lost_below > 0 && self.loss_luck.bits() >> 32 < self.lost_below
    }
}

impl Turn<'_> {
    /// An owner has served: the answer goes back.
    #[inline]
    pub(super) fn answer(&mut self, operation: Operation) {
        if self.world.answers.undisturbed {
            self.send_to_peer(What::Answer(operation));
        } else {
            self.answer_late_or_never(operation);
        }
    }

    #[inline(never)]
    fn answer_late_or_never(&mut self, operation: Operation) {
        let entries = match operation {
            // The name on trial is that of a subtable which nobody uses yet.
            Operation::Trial => 0,
            _ => self.world.subtables.get(self.request.subtable).entries,
        };
        let answers = &mut self.world.answers;
        let (arrives, what) = if answers.is_lost() {
            let given_up = self.request.asked_at.saturating_add(answers.timeout);
            (given_up.max(self.visit.clock), What::Timeout(operation))
        } else {
            let stall = answers.draw_stall(entries);
            let arrives = self.visit.clock + stall + self.world.costs.hop;
            (arrives, What::Answer(operation))
        };
        self.parts.spend(Part::Hop, arrives - self.visit.clock);
        self.world.agenda.push_irregular(arrives, what.of(self.id));
    }

    /// The request has been parked for as long as it may: a trial counts as slow, anything else is given up.
    pub(super) fn give_up(&mut self, operation: Operation) {
        self.work(self.world.costs.resume, Part::Work);
        if operation == Operation::Trial {
            return self.judge(crate::tmm::clicks(self.request.asked_at, self.visit.clock));
        }
        self.request.logged_as = 0;
        self.world.results.given_up += 1;
        self.respond();
    }
}
