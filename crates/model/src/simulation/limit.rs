//! Requests that are limited per user: first the count of what the user has, then, below the limit, one more.
//!
//! Where the subtable is local, count and write are one turn, and no other comes between. Where it is remote, others come
//! between the answer to the count and the write.

use super::turn::Turn;
use super::world::Operation;

impl Turn<'_> {
    /// How much does the user have?
    #[inline(never)]
    pub(super) fn count_user(&mut self) {
        if !self.world.naming.is_brought() {
            self.request.user = self.world.session_luck.below(self.world.sessions);
        }
        let owner = self.world.subtables.get(self.request.subtable).owner;
        if self.ask(owner, Operation::CountUser).is_some() {
            self.request.listed = self.slots_of_user();
            self.admit();
        }
    }

    /// What the user has in the subtable of the request.
    pub(super) fn slots_of_user(&self) -> u64 {
        let place = (self.request.subtable, self.request.user);
        self.world.slots.get(&place).copied().unwrap_or(0)
    }

    /// Below the limit the request takes one more; else it is turned away.
    pub(super) fn admit(&mut self) {
        if self.request.listed < self.world.limit {
            self.write();
        } else {
            self.world.results.turned_away += 1;
            self.respond();
        }
    }

    /// The owner has the user's entry.
    #[inline(never)]
    pub(super) fn take_slot(&mut self) {
        let place = (self.request.subtable, self.request.user);
        *self.world.slots.entry(place).or_insert(0) += 1;
        let admitted = &mut self.world.results.admitted;
        let user = self.request.user as usize;
        if admitted.len() <= user {
            admitted.resize(user + 1, 0);
        }
        admitted[user] += 1;
    }
}
