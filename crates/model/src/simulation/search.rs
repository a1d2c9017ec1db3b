//! How a request comes by the name of its subtable, and how the first request on a TMM finds it for all that follow.

use super::{Operation, RequestId, Simulation};
use crate::agenda::Nanoseconds;
use crate::log::Line;
use crate::naming::{self, NAMES_PER_TMM, Name, Search};
use crate::ownership::Ownership;
use crate::results::{Part, TRIES_KEPT, Try};
use crate::scenario::{Naming, Workload};
use crate::tmm::Visit;

impl Simulation {
    /// The name to use: one that the request brings, or this TMM's, which is known, or being looked for, or now to be
    /// looked for by this request.
    #[inline]
    pub(super) fn find_name(&mut self, request: RequestId, visit: &mut Visit) {
        if self.workload == Workload::Probe || self.naming == Naming::PerSession {
            return self.use_brought_name(request, visit);
        }
        match &mut self.tmms[visit.tmm()].name {
            Name::Known(subtable) => {
                self.requests[request as usize].subtable = *subtable;
                self.handle(request, visit);
            }
            Name::Searching(search) => search.waiting.push((request, visit.clock)),
            Name::Unknown => self.begin_search(request, visit),
        }
    }

    /// A probe brings the name to be timed, a session the name of its own subtable.
    fn use_brought_name(&mut self, request: RequestId, visit: &mut Visit) {
        let subtable = if self.workload == Workload::Probe {
            self.subtables.open(naming::PROBED, &self.ownership)
        } else {
            let session = self.session_luck.below(self.scenario.sessions() as u32);
            self.subtables
                .open(&naming::of_session(session), &self.ownership)
        };
        self.requests[request as usize].subtable = subtable;
        self.handle(request, visit);
    }

    /// The first request on a TMM finds the name for all that follow.
    fn begin_search(&mut self, request: RequestId, visit: &mut Visit) {
        let (candidate, owner) = self.candidate(visit.tmm, 0);
        if !self.naming.probes() {
            self.adopt(visit.tmm, &candidate, visit.clock);
            return self.find_name(request, visit);
        }
        let search = Search {
            candidate,
            owner,
            tries: 1,
            fastest: None,
            waiting: Vec::new(),
        };
        self.tmms[visit.tmm()].name = Name::Searching(Box::new(search));
        if let Some(took) = self.ask(request, visit, owner, Operation::Trial) {
            self.judge(request, visit, took);
        }
    }

    /// A trial write took so many clicks: keep a name, or try the next.
    pub(super) fn judge(&mut self, request: RequestId, visit: &mut Visit, mut took: u32) {
        // A loop and not a recursion: under a threshold below what local writes take, thousands of local trials can
        // follow each other in one visit.
        loop {
            if let Some((name, took)) = self.kept_name(visit, took) {
                return self.end_search(request, visit, &name, took);
            }
            let Name::Searching(search) = &self.tmms[visit.tmm()].name else {
                return;
            };
            let (candidate, owner) = self.candidate(visit.tmm, search.tries);
            let Name::Searching(search) = &mut self.tmms[visit.tmm()].name else {
                return;
            };
            (search.candidate, search.owner) = (candidate, owner);
            search.tries += 1;
            match self.ask(request, visit, owner, Operation::Trial) {
                Some(next) => took = next,
                None => return,
            }
        }
    }

    /// Writes down a trial, and tells which name is kept, if any, and what its trial took: the candidate when it was
    /// fast or the last, or the fastest of all when all have been tried.
    fn kept_name(&mut self, visit: &Visit, took: u32) -> Option<(String, u32)> {
        let tmms = self.tmms.len() as u64;
        let tmm = &mut self.tmms[visit.tmm()];
        let Name::Searching(search) = &mut tmm.name else {
            return None;
        };
        tmm.results.tried += 1;
        if tmm.results.tries.len() < TRIES_KEPT {
            let (name, owner) = (search.candidate.clone(), search.owner);
            tmm.results.tries.push(Try {
                name,
                owner,
                clicks: took,
                kept: false,
            });
        }
        if self.naming == Naming::MinimumOf {
            if search
                .fastest
                .as_ref()
                .is_none_or(|(least, _)| took < *least)
            {
                search.fastest = Some((took, search.candidate.clone()));
            }
            let all = search.tries >= NAMES_PER_TMM * tmms;
            return search
                .fastest
                .take_if(|_| all)
                .map(|(least, name)| (name, least));
        }
        let kept = u64::from(took) < self.threshold || search.tries >= self.max_tries;
        kept.then(|| (search.candidate.clone(), took))
    }

    /// The search is over: the name is logged, and the request that looked for it and those that waited go on, in this
    /// order, in one visit.
    fn end_search(&mut self, finder: RequestId, visit: &mut Visit, name: &str, took: u32) {
        let total = self.tmms.len() as u32;
        let tmm = visit.tmm;
        let place = &mut self.tmms[visit.tmm()];
        let Name::Searching(search) = &mut place.name else {
            return;
        };
        let (owner, tries) = (self.ownership.owner(name.as_bytes()), search.tries);
        let waiting = std::mem::take(&mut search.waiting);
        let written_down = &mut place.results.tries;
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
        self.adopt(tmm, name, visit.clock);
        let subtable = name.into();
        let line = if u64::from(took) < self.threshold || self.naming == Naming::MinimumOf {
            Line::Discovered {
                tmm,
                subtable,
                tries,
                clicks: took,
                tmms: total,
            }
        } else {
            Line::Exhausted {
                tmm,
                subtable,
                tries,
                clicks: took,
            }
        };
        self.log(visit, line);
        self.find_name(finder, visit);
        for (request, since) in waiting {
            self.tmms[visit.tmm()]
                .results
                .spend(Part::Discovery, visit.clock - since);
            self.find_name(request, visit);
        }
    }

    /// A name to try or to use on a TMM after `tries` others, and its owner, which the script does not know.
    fn candidate(&mut self, tmm: u32, tries: u64) -> (String, u32) {
        let candidate = self
            .naming
            .candidate(tmm, tries, &mut self.name_luck[tmm as usize]);
        let owner = self.ownership.owner(candidate.as_bytes());
        (candidate, owner)
    }

    /// From now on, this TMM writes to the subtable of this name.
    fn adopt(&mut self, tmm: u32, name: &str, at: Nanoseconds) {
        let subtable = self.subtables.open(name, &self.ownership);
        self.tmms[tmm as usize].name = Name::Known(subtable);
        self.names_known += 1;
        if self.names_known == self.tmms.len() {
            self.results.names_known_at = Some(at);
        }
    }
}
