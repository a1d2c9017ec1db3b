//! The disaggregator: which TMM accepts a connection.

use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::sampling::{Concern, Stream};
use crate::scenario::{Connection, DagMode, PortOrder, Scenario};

/// Port of the virtual server.
pub const SERVICE_PORT: u16 = 80;

/// Source ports that a client uses: Linux's ephemeral range.
const EPHEMERAL: core::ops::Range<u32> = 32_768..61_000;

/// The DAG in front of the TMMs, and the source ports that its client's connections come from.
#[derive(Clone, Debug)]
pub struct Dag {
    mode: DagMode,
    tmms: u32,
    luck: Stream,
    turn: u32,
    ports: SourcePorts,
    addresses: u32,
    /// The TMM of each worker's connection, once it is made; empty when connections are fresh.
    kept: Option<Vec<Option<Accepted>>>,
}

/// A connection that the DAG has given to a TMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The TMM.
    pub tmm: u32,
    /// The connection's source port.
    pub port: u16,
}

impl Dag {
    /// The DAG of a scenario, under a run's seed.
    #[must_use]
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let kept = scenario.connection() == Connection::KeptAlive;
        Self {
            mode: scenario.dag(),
            tmms: scenario.tmms() as u32,
            luck: Stream::new(seed, Concern::Dag, 0),
            turn: 0,
            ports: SourcePorts::new(scenario.source_ports(), seed),
            addresses: scenario.client_addresses() as u32,
            kept: kept.then(|| vec![None; scenario.workers() as usize]),
        }
    }

    /// The TMM that accepts the next request of a worker.
    #[inline(always)]
    pub fn accept(&mut self, worker: u32) -> Accepted {
        if self.kept.is_none() {
            return self.connect(worker);
        }
        self.accept_kept(worker)
    }

    #[cold]
    fn accept_kept(&mut self, worker: u32) -> Accepted {
        let known = |kept: &Option<Vec<Option<Accepted>>>| kept.as_ref()?[worker as usize];
        if let Some(accepted) = known(&self.kept) {
            return accepted;
        }
        let accepted = self.connect(worker);
        if let Some(kept) = &mut self.kept {
            kept[worker as usize] = Some(accepted);
        }
        accepted
    }

    /// A fresh connection.
    #[inline(always)]
    fn connect(&mut self, worker: u32) -> Accepted {
        let port = self.ports.next();
        let address = match self.mode {
            DagMode::SrcIp => worker % self.addresses,
            _ => 0,
        };
        let tmm = self.give(address, port);
        Accepted { tmm, port }
    }

    /// The TMM for a connection from that client address and source port.
    #[inline(always)]
    pub fn give(&mut self, address: u32, port: u16) -> u32 {
        match self.mode {
            DagMode::Fair => self.luck.below(self.tmms),
            DagMode::Ports => u32::from(port ^ SERVICE_PORT) % self.tmms,
            DagMode::SrcIp => self.of_address(address),
            DagMode::DstIp => self.of_address(u32::MAX),
            DagMode::RoundRobin => {
                let tmm = self.turn;
                self.turn = (self.turn + 1) % self.tmms;
                tmm
            }
        }
    }

    fn of_address(&self, address: u32) -> u32 {
        let mut hasher = SipHasher13::new();
        hasher.write_u32(address.to_le());
        (hasher.finish() % u64::from(self.tmms)) as u32
    }
}

/// The source ports of connections, one after the other.
#[derive(Clone, Debug)]
struct SourcePorts {
    order: PortOrder,
    next: u32,
    luck: Stream,
}

impl SourcePorts {
    fn new(order: PortOrder, seed: u64) -> Self {
        let mut luck = Stream::new(seed, Concern::Port, 0);
        let next = EPHEMERAL.start + luck.below(EPHEMERAL.end - EPHEMERAL.start) / 2 * 2;
        Self { order, next, luck }
    }

    #[inline]
    fn next(&mut self) -> u16 {
        let step = match self.order {
            PortOrder::Sequential => 1,
            PortOrder::Even => 2,
            PortOrder::Random => {
                self.next = EPHEMERAL.start + self.luck.below(EPHEMERAL.end - EPHEMERAL.start);
                return self.next as u16;
            }
        };
        let port = self.next;
        self.next += step;
        if self.next >= EPHEMERAL.end {
            self.next = EPHEMERAL.start;
        }
        port as u16
    }
}

/// Chi-square of hits against an equal share for each TMM; one degree of freedom less than there are TMMs.
#[must_use]
pub fn chi_square(hits: &[u64]) -> f64 {
    let expected = hits.iter().sum::<u64>() as f64 / hits.len().max(1) as f64;
    if expected == 0.0 {
        return 0.0;
    }
    hits.iter()
        .map(|&hit| (hit as f64 - expected).powi(2) / expected)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ScenarioError;

    fn hits(settings: &[(&str, &str)]) -> Result<Vec<u64>, ScenarioError> {
        let mut scenario = Scenario::default();
        for (id, value) in settings {
            scenario.set(id, value)?;
        }
        let mut dag = Dag::new(&scenario, 1);
        let mut hits = vec![0; scenario.tmms() as usize];
        for request in 0..4000 {
            hits[dag.accept(request % 64).tmm as usize] += 1;
        }
        Ok(hits)
    }

    #[test]
    fn even_source_ports_collapse_on_half_of_the_tmms() -> Result<(), ScenarioError> {
        assert_eq!(hits(&[("dag", "ports")])?, [1000; 4]);
        let even = hits(&[("dag", "ports"), ("source-ports", "even")])?;
        assert_eq!(even, [2000, 0, 2000, 0]);
        let random = hits(&[("dag", "ports"), ("source-ports", "random")])?;
        assert!(chi_square(&random) < 16.3, "{random:?}");
        Ok(())
    }

    #[test]
    fn one_address_is_one_tmm_and_turns_are_exact() -> Result<(), ScenarioError> {
        for mode in ["src-ip", "dst-ip"] {
            assert_eq!(
                hits(&[("dag", mode)])?
                    .iter()
                    .filter(|&&hit| hit > 0)
                    .count(),
                1,
                "{mode}"
            );
        }
        assert!(
            hits(&[("dag", "src-ip"), ("client-addresses", "64")])?
                .iter()
                .all(|&hit| hit > 0)
        );
        assert_eq!(hits(&[("dag", "round-robin")])?, [1000; 4]);
        Ok(())
    }

    #[test]
    fn a_fair_dag_is_fair_and_kept_connections_are_not() -> Result<(), ScenarioError> {
        // 99.9th percentile of chi-square with three degrees of freedom: 16.3.
        assert!(chi_square(&hits(&[])?) < 16.3);
        assert!(chi_square(&hits(&[("connection", "kept-alive")])?) > 16.3);
        Ok(())
    }

    #[test]
    fn the_published_hits_are_not_those_of_a_fair_dag() {
        // 55/70/8/67 of 200: chi-square 49.6 on three degrees of freedom.
        assert!((chi_square(&[55, 70, 8, 67]) - 49.56).abs() < 0.1);
    }
}
