//! What a request does on its acceptor, and what owners do for it; the model's script, told for a request that is
//! followed to its end at once.

use subtable_model::agenda::Nanoseconds;
use subtable_model::client::Stretch;
use subtable_model::log::{Line, SampledWrite};
use subtable_model::naming::{self, NAMES_PER_TMM};
use subtable_model::scenario::{Count, Naming};
use subtable_model::tmm::clicks;

use super::{Connection, Live, Name, SubtableId, Tmm};
use crate::request::{Refusal, Request};

/// A request on its way through the TMMs.
pub struct Script<'a> {
    live: &'a mut Live,
    connection: &'a Connection,
    /// Since when its TMM has been working for it without a break.
    began: Nanoseconds,
    clock: Nanoseconds,
    stretch: Stretch,
    lines: Vec<String>,
}

impl<'a> Script<'a> {
    /// The request's TMM takes it up, as soon as there is time for what it is likely to do there.
    pub fn accept(
        live: &'a mut Live,
        connection: &'a Connection,
        request: &Request,
        keys: usize,
        arrival: Nanoseconds,
    ) -> Self {
        for tmm in &mut live.tmms {
            tmm.calendar.forget(arrival);
        }
        let likely = live.costs.request + likely_work(live, connection.tmm, request, keys, arrival);
        let mut script = Self {
            live,
            connection,
            began: arrival,
            clock: arrival,
            stretch: Stretch::NONE,
            lines: Vec::new(),
        };
        script.begin(arrival, likely);
        script.work(script.live.costs.request);
        script.tmm().accepts += 1;
        for _ in 0..script.live.log_accepts {
            script.log_accept();
        }
        script
    }

    /// The request, from its name to its answer.
    pub fn run(&mut self, request: &Request, keys: &[String]) -> Result<String, Refusal> {
        let t = self.connection.tmm;
        match request {
            Request::Info => Ok(format!("tmm={t} total_tmms={}", self.live.tmms.len())),
            Request::WhoAmI => {
                let id = self.find_name();
                Ok(format!("tmm {t} {}", self.status(id)))
            }
            Request::Load { key } => {
                let id = self.find_name();
                self.write(id, key, false)?;
                self.count_entries(id);
                Ok(format!(
                    "tmm={t} subtable=tmm {t} {} key={key}",
                    self.status(id)
                ))
            }
            Request::BulkLoad { .. } => self.bulk(keys),
            Request::Dump => {
                let id = self.find_name();
                let listed = self.list_keys(self.live.store.get(id).owner, id);
                let second = self.second();
                let mut answer = format!("tmm={t} count={listed} keys=");
                for (index, key) in self.live.store.keys(id, second).enumerate() {
                    answer.push_str(if index == 0 { "" } else { " " });
                    answer.push_str(key);
                }
                Ok(answer)
            }
            Request::Probe { name } => Ok(self.probe(name)),
            Request::Reset => {
                let id = self.find_name();
                let deleted = self.reset(id);
                Ok(format!("tmm={t} deleted={deleted}"))
            }
        }
    }

    /// The reply leaves: when, and what was logged.
    pub fn end(mut self) -> (Nanoseconds, Vec<String>) {
        self.pause();
        (self.clock, self.lines)
    }

    /// The subtable to use: this TMM's, which is known, or being looked for by another request, or found now.
    fn find_name(&mut self) -> SubtableId {
        if self.live.naming == Naming::PerSession {
            let session = self.live.session_luck.below(self.live.sessions);
            let second = self.second();
            return self.live.store.open(&naming::of_session(session), second);
        }
        match self.tmm().name {
            Name::Known { subtable, since } => {
                if self.clock < since {
                    self.pause();
                    self.begin(since, 0);
                }
                subtable
            }
            Name::Unknown => self.search(),
        }
    }

    /// Tries names until one is kept.
    fn search(&mut self) -> SubtableId {
        let (naming, t) = (self.live.naming, self.connection.tmm);
        let names = NAMES_PER_TMM * self.live.tmms.len() as u64;
        let mut tries = 0;
        let mut fastest: Option<(u32, String)> = None;
        let (took, name) = loop {
            let candidate = naming.candidate(t, tries, &mut self.tmm().name_luck);
            if !naming.probes() {
                let second = self.second();
                let subtable = self.live.store.open(&candidate, second);
                self.adopt(subtable);
                return subtable;
            }
            tries += 1;
            let took = self.timed(self.live.store.owner(&candidate));
            if naming == Naming::MinimumOf {
                if fastest.as_ref().is_none_or(|(least, _)| took < *least) {
                    fastest = Some((took, candidate));
                }
                if let Some(kept) = fastest.take_if(|_| tries >= names) {
                    break kept;
                }
            } else if u64::from(took) < self.live.threshold || tries >= self.live.max_tries {
                break (took, candidate);
            }
        };
        let second = self.second();
        let subtable = self.live.store.open(&name, second);
        let found = u64::from(took) < self.live.threshold || naming == Naming::MinimumOf;
        let name = self.live.store.get(subtable).name.clone();
        self.log(if found {
            Line::Discovered {
                tmm: t,
                subtable: name,
                tries,
                clicks: took,
                tmms: self.live.tmms.len() as u32,
            }
            .to_string()
        } else {
            Line::Exhausted {
                tmm: t,
                subtable: name,
                tries,
                clicks: took,
            }
            .to_string()
        });
        self.adopt(subtable);
        subtable
    }

    fn adopt(&mut self, subtable: SubtableId) {
        let since = self.clock;
        self.tmm().name = Name::Known { subtable, since };
    }

    /// A write at its owner, timed by two readings of the script's clock.
    fn timed(&mut self, owner: u32) -> u32 {
        let before = self.clock;
        if owner == self.connection.tmm {
            let cost = {
                let Live { costs, tmms, .. } = &mut *self.live;
                costs.local_write.draw(&mut tmms[owner as usize].luck)
            };
            self.work(cost);
        } else {
            self.ask(owner, 0, 0);
        }
        clicks(before, self.clock)
    }

    /// Writes an entry, and logs that if it is picked.
    fn write(&mut self, id: SubtableId, key: &str, unique: bool) -> Result<(), Refusal> {
        let took = self.timed(self.live.store.get(id).owner);
        let second = self.second();
        self.live
            .store
            .write(id, key, second)
            .map_err(|_| Refusal::Full)?;
        self.live.done.writes += 1;
        let tmm = self.tmm();
        tmm.writes += 1;
        tmm.counted += 1;
        let writes = tmm.writes;
        if tmm.sampler.count() {
            let line = SampledWrite {
                tmm: self.connection.tmm,
                subtable: &self.live.store.get(id).name,
                writes,
                key,
                clicks: took,
                fast: u64::from(took) < self.live.threshold,
                every: self.live.log_every,
                unique,
            }
            .to_string();
            self.log(line);
        }
        Ok(())
    }

    fn bulk(&mut self, keys: &[String]) -> Result<String, Refusal> {
        let id = self.find_name();
        let began = self.clock;
        for key in keys {
            self.work(self.live.costs.bulk_key);
            self.write(id, key, true)?;
        }
        self.count_entries(id);
        let elapsed = clicks(began, self.clock);
        let written = keys.len();
        let each = u64::from(elapsed) / (written as u64).max(1);
        let t = self.connection.tmm;
        let name = &self.live.store.get(id).name;
        Ok(format!(
            "tmm={t} subtable={name} written={written} elapsed_clicks={elapsed} clicks_per_write={each}"
        ))
    }

    /// Times a write to a name, whose entry lives for seconds and is not kept, and counts the entries there.
    fn probe(&mut self, name: &str) -> String {
        let owner = self.live.store.owner(name);
        let took = self.timed(owner);
        let second = self.second();
        let entries = self.live.store.count_of(name, second);
        self.list(owner, entries);
        let line = Line::Probe {
            tmm: self.connection.tmm,
            subtable: name.into(),
            clicks: took,
            entries,
            owner: u64::from(took) < self.live.threshold,
        }
        .to_string();
        self.log(line.clone());
        line.strip_prefix("PROBE ").unwrap_or(&line).to_owned()
    }

    /// Deletes all entries: each has a cost where it is.
    fn reset(&mut self, id: SubtableId) -> u64 {
        let owner = self.live.store.get(id).owner;
        let second = self.second();
        let deleted = self.live.store.clear(id, second);
        let listing = deleted * self.live.costs.list_key;
        if owner == self.connection.tmm {
            self.work(listing);
        } else {
            self.ask(owner, listing, 0);
        }
        self.tmm().counted = 0;
        deleted
    }

    /// How many entries are there now, at the cost of the way in which the scenario counts them?
    fn count_entries(&mut self, id: SubtableId) {
        match self.live.count {
            Count::None => {}
            Count::Incremental => self.work(self.live.costs.count),
            Count::Enumerate => {
                self.list_keys(self.live.store.get(id).owner, id);
            }
        }
    }

    fn list_keys(&mut self, owner: u32, id: SubtableId) -> u64 {
        let second = self.second();
        let entries = self.live.store.count(id, second);
        self.list(owner, entries);
        entries
    }

    /// Lists keys: a cost per key where they are, and a cost per key where the list arrives.
    fn list(&mut self, owner: u32, entries: u64) {
        let at_owner = entries * self.live.costs.list_key;
        let on_arrival = entries * self.live.costs.receive_key;
        if owner == self.connection.tmm {
            self.work(at_owner + on_arrival);
        } else {
            self.ask(owner, at_owner, on_arrival);
        }
    }

    /// What a TMM says of itself.
    fn status(&mut self, id: SubtableId) -> String {
        let second = self.second();
        let entries = match self.live.count {
            Count::Incremental => self.tmm().counted,
            Count::None | Count::Enumerate => self.live.store.count(id, second),
        };
        let name = self.live.store.get(id).name.clone();
        let (total, writes) = (self.live.tmms.len(), self.tmm().writes);
        format!("subtable {name} total_tmms {total} writes {writes} entries {entries}")
    }

    /// Another TMM is asked: the request parks, the owner works in its turn, and the request goes on, with `on_arrival`
    /// of work, when the answer is there and its own TMM has time.
    fn ask(&mut self, owner: u32, at_owner: Nanoseconds, on_arrival: Nanoseconds) {
        self.pause();
        let (hop, service) = (self.live.costs.hop, self.live.costs.remote_service);
        let arrives = self.clock + hop;
        let takes = self.live.daemon.stretch(arrives).apply(service + at_owner);
        let calendar = &mut self.live.tmms[owner as usize].calendar;
        let start = calendar.first_gap(arrives, takes);
        calendar.book(start, start + takes);
        let resume = self.live.costs.resume;
        self.begin(start + takes + hop, resume + on_arrival);
        self.work(resume + on_arrival);
    }

    /// The TMM takes the request up, in the first gap of its time that holds the work that is known of.
    fn begin(&mut self, arrival: Nanoseconds, work: Nanoseconds) {
        self.stretch = self.live.daemon.stretch(arrival);
        let length = self.stretch.apply(work);
        self.began = self.tmm().calendar.first_gap(arrival, length);
        self.clock = self.began;
    }

    fn work(&mut self, work: Nanoseconds) {
        self.clock += self.stretch.apply(work);
    }

    /// The TMM turns to other work.
    fn pause(&mut self) {
        let (began, clock) = (self.began, self.clock);
        self.tmm().calendar.book(began, clock);
        self.began = clock;
    }

    fn log_accept(&mut self) {
        let (t, peer) = (self.connection.tmm, self.connection.peer);
        let accepts = self.tmm().accepts;
        self.log(format!(
            "tmm={t} CLIENT_ACCEPTED accepts={accepts} from {peer}"
        ));
    }

    /// Hands a line to the log daemon, which may have no room.
    fn log(&mut self, line: String) {
        self.work(self.live.costs.log);
        if self.live.daemon.receive(self.clock) {
            self.lines.push(line);
            self.live.done.lines += 1;
        } else {
            self.live.done.dropped += 1;
        }
    }

    fn tmm(&mut self) -> &mut Tmm {
        &mut self.live.tmms[self.connection.tmm as usize]
    }

    /// The second that it is.
    const fn second(&self) -> u64 {
        self.clock / 1_000_000_000
    }
}

/// The work of a request on its acceptor without a break, beside that of any request, as far as it is known
/// beforehand.
fn likely_work(
    live: &mut Live,
    tmm: u32,
    request: &Request,
    keys: usize,
    now: Nanoseconds,
) -> Nanoseconds {
    let Name::Known { subtable, .. } = live.tmms[tmm as usize].name else {
        return 0;
    };
    if live.store.get(subtable).owner != tmm {
        return 0;
    }
    let (list_key, receive_key) = (live.costs.list_key, live.costs.receive_key);
    let entries = live.store.count(subtable, now / 1_000_000_000);
    let counting = match live.count {
        Count::None => 0,
        Count::Incremental => live.costs.count,
        Count::Enumerate => entries * (list_key + receive_key),
    };
    match request {
        Request::Info | Request::WhoAmI | Request::Probe { .. } => 0,
        Request::Load { .. } => live.costs.local_usual + counting,
        Request::BulkLoad { .. } => {
            (live.costs.bulk_key + live.costs.local_usual) * keys as u64 + counting
        }
        Request::Dump => entries * (list_key + receive_key),
        Request::Reset => entries * list_key,
    }
}
