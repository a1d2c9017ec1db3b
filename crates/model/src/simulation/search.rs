//! How a request comes by the name of its subtable, and how the first request on a TMM finds it for all that follow.

use super::turn::Turn;
use super::world::Operation;
use crate::agenda::Nanoseconds;
use crate::log::Line;
use crate::naming::{self, NAMES_PER_TMM, Name, Search};
use crate::ownership::Ownership;
use crate::results::{TRIES_KEPT, Try};
use crate::scenario::{Naming, Workload};
use crate::subtable::SubtableId;

impl Turn<'_> {
    /// The name to use: one that the request brings, or this TMM's, which is known, or being looked for, or now to be
    /// looked for by this request.
    #[inline(always)]
    pub(super) fn find_name(&mut self) {
        if self.world.workload == Workload::Probe || self.world.naming.is_brought() {
            return self.use_brought_name();
        }
        match &mut self.tmm.name {
            Name::Known(subtable) => {
                self.request.subtable = *subtable;
                self.handle();
            }
            Name::Searching(search) => {
                search.waiting.push((self.id, self.visit.clock));
            }
            Name::Unknown => self.begin_search(),
        }
    }

    /// A probe brings the name to be timed, a session the name of its own subtable, a key the name of one of those over
    /// which keys are spread.
    #[inline(never)]
    fn use_brought_name(&mut self) {
        let world = &mut *self.world;
        self.request.subtable = if world.workload == Workload::Probe {
            world.subtables.open(&world.probed, &world.ownership)
        } else {
            self.request.user = world.session_luck.below(world.sessions);
            if world.naming == Naming::PerSession {
                let name = naming::of_session(self.request.user);
                world.subtables.open(&name, &world.ownership)
            } else {
                self.subtable_of_key()
            }
        };
        self.handle();
    }

    /// Where keys are spread, the subtable of the key that the request writes next.
    #[inline(never)]
    pub(super) fn subtable_of_key(&mut self) -> SubtableId {
        let world = &mut *self.world;
        let index = naming::spread(self.request.key, world.spread.len() as u32);
        *world.spread[index as usize].get_or_insert_with(|| {
            world
                .subtables
                .open(&naming::of_spread(index), &world.ownership)
        })
    }

    /// The first request on a TMM finds the name for all that follow.
    #[cold]
    fn begin_search(&mut self) {
        let (candidate, owner) = self.candidate(0);
        if !self.world.naming.probes() {
            self.adopt(&candidate, self.visit.clock);
            return self.find_name();
        }
        self.tmm.name = Name::Searching(Box::new(Search {
            candidate,
            owner,
            tries: 1,
            fastest: None,
            waiting: Vec::new(),
        }));
        if let Some(took) = self.ask(owner, Operation::Trial) {
            self.judge(took);
        }
    }

    /// A trial write took so many clicks: keep a name, or try the next.
    #[inline(never)]
    pub(super) fn judge(&mut self, mut took: u32) {
        // A loop and not a recursion: under a threshold below what local writes take, thousands of local trials can
        // follow each other in one turn.
        loop {
            if let Some((name, took)) = self.kept_name(took) {
                return self.end_search(&name, took);
            }
            let Name::Searching(search) = &self.tmm.name else {
                return;
            };
            let (candidate, owner) = self.candidate(search.tries);
            let Name::Searching(search) = &mut self.tmm.name else {
                return;
            };
            (search.candidate, search.owner) = (candidate, owner);
            search.tries += 1;
            match self.ask(owner, Operation::Trial) {
                Some(next) => took = next,
                None => return,
            }
        }
    }

    /// Writes down a trial, and tells which name is kept, if any, and what its trial took: the candidate when it was
    /// fast or the last, or the fastest of all when all have been tried.
    fn kept_name(&mut self, took: u32) -> Option<(String, u32)> {
        let Name::Searching(search) = &mut self.tmm.name else {
            return None;
        };
        let results = &mut self.tmm.results;
        results.tried += 1;
        if results.tries.len() < TRIES_KEPT {
            results.tries.push(Try {
                name: search.candidate.clone(),
                owner: search.owner,
                clicks: took,
                kept: false,
            });
        }
        if self.world.naming == Naming::MinimumOf {
            if search
                .fastest
                .as_ref()
                .is_none_or(|(least, _)| took < *least)
            {
                search.fastest = Some((took, search.candidate.clone()));
            }
            let all = search.tries >= NAMES_PER_TMM * u64::from(self.world.tmms);
            return search
                .fastest
                .take_if(|_| all)
                .map(|(least, name)| (name, least));
        }
        let kept = u64::from(took) < self.world.threshold || search.tries >= self.world.max_tries;
        kept.then(|| (search.candidate.clone(), took))
    }

    /// The search is over: the name is logged, and the request that looked for it goes on; then those that waited.
    #[inline(never)]
    fn end_search(&mut self, name: &str, took: u32) {
        let tmm = self.tmm.number;
        let Name::Searching(search) = &mut self.tmm.name else {
            return;
        };
        let tries = search.tries;
        self.world.woken.append(&mut search.waiting);
        self.mark_kept(name, took);
        self.adopt(name, self.visit.clock);
        let subtable = name.into();
        let line =
            if u64::from(took) < self.world.threshold || self.world.naming == Naming::MinimumOf {
                Line::Discovered {
                    tmm,
                    subtable,
                    tries,
                    clicks: took,
                    tmms: self.world.tmms,
                }
            } else {
                Line::Exhausted {
                    tmm,
                    subtable,
                    tries,
                    clicks: took,
                }
            };
        self.log(line);
        self.find_name();
    }

    /// Marks the trial of the name that is kept, among those written down.
    fn mark_kept(&mut self, name: &str, took: u32) {
        let owner = self.world.ownership.owner(name.as_bytes());
        let written_down = &mut self.tmm.results.tries;
        match written_down
            .iter_mut()
            .rfind(|trial| trial.name == name && trial.clicks == took)
        {
            Some(trial) => trial.kept = true,
            None => written_down.push(Try {
                name: name.into(),
                owner,
                clicks: took,
                kept: true,
            }),
        }
    }

    /// A name to try or to use after `tries` others, and its owner, which the script does not know.
    fn candidate(&mut self, tries: u64) -> (String, u32) {
        let luck = &mut self.tmm.name_luck;
        let candidate = self.world.naming.candidate(self.tmm.number, tries, luck);
        let owner = self.world.ownership.owner(candidate.as_bytes());
        (candidate, owner)
    }

    /// From now on, this TMM writes to the subtable of this name.
    fn adopt(&mut self, name: &str, at: Nanoseconds) {
        let world = &mut *self.world;
        let subtable = world.subtables.open(name, &world.ownership);
        self.tmm.name = Name::Known(subtable);
        world.names_known += 1;
        if world.subtables.get(subtable).owner == self.tmm.number {
            world.names_local += 1;
        }
        if world.names_known == world.tmms {
            world.results.names_known_at.get_or_insert(at);
        }
    }
}
