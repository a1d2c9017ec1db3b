//! The model's parameters, estimated from a log: to ask what would be otherwise, beginning where the real system is.
//!
//! | parameter | from | method |
//! |---|---|---|
//! | `local-floor`, `local-median`, `local-sigma` | timed writes to local subtables | maximum likelihood ([`LocalFit`]) |
//! | `hop` | remote writes and probes | the fastest: two hops with nothing in the way |
//! | `tmms`, `log-every`, `threshold`, `naming` | discoveries, sample rates, the rule's settings, names | read off |
//!
//! What the data do not tell is not fitted, and said so ([`Refused`]): the parameter then keeps its usual value.

mod local;

use serde::{Deserialize, Serialize};
use subtable_model::Scenario;
use subtable_model::scenario::{Kind, parameter};

pub use self::local::LocalFit;
use crate::Settings;
use crate::analysis::{ownership, threshold};
use crate::observations::{Counts, Observations};
use crate::wording;

/// Local writes below which three parameters are not estimated: with fewer, sigma is off by a fifth or more.
pub const LEAST_LOCAL: u64 = 50;
/// Remote accesses below which the fastest is not taken for one that nothing delayed.
pub const LEAST_REMOTE: u64 = 30;

/// A parameter whose value the data tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fitted {
    /// The parameter's id.
    pub id: String,
    /// Its value, as the parameter table writes it.
    pub value: String,
    /// How the value was found, and from what.
    pub method: String,
}

/// Parameters that the data do not tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The parameters' ids.
    pub ids: Vec<String>,
    /// Why, and what would tell them.
    pub reason: String,
}

/// A log's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// What the data tell.
    pub fitted: Vec<Fitted>,
    /// What they do not.
    pub refused: Vec<Refused>,
    /// The distribution of local writes, and how well it fits.
    pub local: Option<LocalFit>,
}

impl Fit {
    /// The usual scenario, with what the data tell in its place.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let mut scenario = Scenario::default();
        for fitted in &self.fitted {
            let set = scenario.set(&fitted.id, &fitted.value);
            debug_assert!(set.is_ok(), "only values in range are fitted: {fitted:?}");
        }
        scenario
    }
}

/// Estimates what can be estimated.
#[must_use]
pub fn fit(seen: &Observations, settings: Settings) -> Fit {
    let owners = ownership::infer(seen);
    let (local, remote) = threshold::populations(seen, &owners, settings.threshold);
    let mut fitting = Fitting::default();
    fitting.local_writes(&local);
    fitting.hop(&remote);
    fitting.cluster(seen);
    fitting.naming(seen);
    fitting.refuse(
        &["enumerate-owner", "enumerate-arrival", "client-work", "request-work", "daemon-work"],
        "A log of single writes does not tell what the rest of a request takes, or what its client does. A load's \
         throughput, small and large, with and without counting, would.",
    );
    fitting.0
}

struct Fitting(Fit);

impl Default for Fitting {
    fn default() -> Self {
        Self(Fit {
            fitted: Vec::new(),
            refused: Vec::new(),
            local: None,
        })
    }
}

impl Fitting {
    /// Takes a value, if it is one that the model can have.
    fn take(&mut self, id: &str, value: f64, method: String) {
        let Ok(parameter) = parameter(id) else { return };
        let text = match parameter.kind {
            Kind::Decimal { .. } => format!("{value:.3}"),
            Kind::Integer { .. } | Kind::Choice(_) => format!("{value:.0}"),
        };
        match parameter.parse(&text) {
            Ok(stored) => self.0.fitted.push(Fitted {
                id: id.to_owned(),
                value: parameter.format(stored),
                method,
            }),
            Err(error) => self.refuse(
                &[id],
                &format!("What the data say is nothing that the model can have: {error}."),
            ),
        }
    }

    fn refuse(&mut self, ids: &[&str], reason: &str) {
        self.0.refused.push(Refused {
            ids: ids.iter().map(|&id| id.to_owned()).collect(),
            reason: reason.to_owned(),
        });
    }

    fn local_writes(&mut self, local: &Counts) {
        const IDS: [&str; 3] = ["local-floor", "local-median", "local-sigma"];
        if local.n() < LEAST_LOCAL {
            let reason = format!(
                "{} timed: {LEAST_LOCAL} are needed for a distribution of three parameters.",
                wording::counted(local.n(), "local write", "local writes")
            );
            return self.refuse(&IDS, &reason);
        }
        let Some(fit) = LocalFit::of(local) else {
            return self.refuse(
                &IDS,
                "All local writes take the same time to a click: there is no distribution to fit.",
            );
        };
        let method = format!(
            "Maximum likelihood of a floor and a log-normal part, read as whole clicks, from {}.",
            wording::counted(local.n(), "local write", "local writes")
        );
        for (id, value) in IDS.into_iter().zip([fit.floor, fit.median, fit.sigma]) {
            self.take(id, value, method.clone());
        }
        self.0.local = Some(fit);
    }

    /// The fastest remote access is two hops, the owner's service and the resumption, with nothing in the way. How it
    /// is divided among them the data do not tell: the latter two keep their usual values.
    fn hop(&mut self, remote: &Counts) {
        let usual = Scenario::default();
        let others = (usual.remote_service() + usual.resume()) as f64 / 1000.0;
        let fastest = f64::from(remote.min().unwrap_or(0));
        if remote.n() < LEAST_REMOTE {
            let reason = format!(
                "{} timed: the fastest of at least {LEAST_REMOTE} is needed. Probe one name from every TMM.",
                wording::counted(remote.n(), "remote access", "remote accesses")
            );
            return self.refuse(&["hop", "remote-service", "resume"], &reason);
        }
        if fastest <= others {
            let reason = format!(
                "The fastest remote access took {fastest} clicks, less than the {others} that the owner and the \
                 resumption usually take: is the threshold right?"
            );
            return self.refuse(&["hop", "remote-service", "resume"], &reason);
        }
        let method = format!(
            "The fastest of {} took {fastest} clicks; {others} of them for the owner and the resumption, which is \
             assumed; half of the rest is a hop. An upper bound, for even the fastest may have waited.",
            wording::counted(remote.n(), "remote access", "remote accesses")
        );
        self.take("hop", (fastest - others) / 2.0, method);
    }

    fn cluster(&mut self, seen: &Observations) {
        let tmms = |map: Option<&u16>| map.map_or(0, |&tmm| tmm + 1);
        let highest = tmms(seen.writes.per_tmm.keys().next_back())
            .max(tmms(seen.probes.hits.keys().next_back()))
            .max(tmms(seen.accepts.keys().next_back()));
        match seen.total_tmms {
            Some(total) => self.take(
                "tmms",
                f64::from(total.max(highest)),
                "Lines of the log say so.".to_owned(),
            ),
            None if highest > 1 => {
                let method =
                    "The highest number of a TMM; there may be more that stayed silent.".to_owned();
                self.take("tmms", f64::from(highest), method);
            }
            None => self.refuse(&["tmms"], "No line tells how many TMMs there are."),
        }
        let most = seen.writes.rates.iter().max_by_key(|(_, lines)| **lines);
        if let Some((&rate, &lines)) = most {
            let method = format!(
                "The sample rate of {}.",
                wording::counted(lines, "line", "lines")
            );
            self.take("log-every", f64::from(rate), method);
        }
        if let Some(rule) = seen.rule {
            let method = "The rule said so when it was loaded.".to_owned();
            self.take("threshold", f64::from(rule.fast_threshold), method);
        }
    }

    fn naming(&mut self, seen: &Observations) {
        let searched = !seen.discoveries.tries.is_empty() || !seen.discoveries.exhausted.is_empty();
        let mut names = seen.writes.per_tmm.iter().flat_map(|(&tmm, writes)| {
            let written = writes.subtables.iter();
            written.map(move |subtable| (tmm, String::from_utf8_lossy(&subtable.name)))
        });
        let choice = if searched {
            Some(("random-probe", "Discoveries are logged."))
        } else {
            let all: Vec<_> = names
                .by_ref()
                .filter(|(_, name)| !name.is_empty())
                .collect();
            let neat = |(tmm, name): &(u16, _)| *name == format!("localdb_tmm_{tmm}");
            match all.as_slice() {
                [] => None,
                all if all.iter().all(neat) => Some((
                    "deterministic",
                    "Each TMM writes to the subtable of its number, and none was looked for.",
                )),
                [(_, first), rest @ ..]
                    if !rest.is_empty() && rest.iter().all(|(_, name)| name == first) =>
                {
                    Some(("shared", "All TMMs write to one subtable."))
                }
                _ => None,
            }
        };
        match choice {
            Some((value, method)) => self.0.fitted.push(Fitted {
                id: "naming".to_owned(),
                value: value.to_owned(),
                method: method.to_owned(),
            }),
            None => self.refuse(
                &["naming"],
                "The names of the subtables do not tell how they were found.",
            ),
        }
    }
}
