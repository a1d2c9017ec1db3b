//! The network in NeXosim: two models, A and B, that send each other customers and schedule when one leaves. A station
//! knows on arrival when its work for a customer will end, and adds the delay that follows: one event for each visit.
//! One thread, which is the fastest for models as small as these.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSource, Output};
use nexosim::simulation::{Mailbox, SimInit, SimulationError};
use nexosim::time::MonotonicTime;
use peers::{Network, report};
use rand::rngs::SmallRng;
use rand_distr::{Distribution, LogNormal};
use serde::{Deserialize, Serialize};

/// What is known at the end. Written once, after the last round.
static TOTALS: Mutex<Totals> = Mutex::new(Totals { done: 0, at_b: 0.0, end: 0.0 });

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Totals {
    done: u64,
    at_b: f64,
    end: f64,
}

fn microseconds(time: MonotonicTime) -> f64 {
    time.duration_since(MonotonicTime::EPOCH).as_nanos() as f64 / 1000.0
}

fn duration(microseconds: f64) -> Duration {
    Duration::from_nanos((microseconds * 1000.0) as u64)
}

/// A single server: when it will be free of all that has arrived.
#[derive(Serialize, Deserialize)]
struct Server {
    free_at: MonotonicTime,
}

impl Server {
    /// Takes up work that arrives now; how long until it is done.
    fn serve(&mut self, now: MonotonicTime, work: Duration) -> Duration {
        self.free_at = self.free_at.max(now) + work;
        self.free_at.duration_since(now)
    }
}

#[derive(Serialize, Deserialize)]
struct A {
    server: Server,
    work: Duration,
    delay: Duration,
    rounds: u64,
    left: u64,
    totals: Totals,
    to_b: Output<u64>,
}

#[Model]
impl A {
    /// A customer comes, for the first time or back from its round.
    async fn arrive(&mut self, customer: u64, cx: &Context<Self>) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let work = self.server.serve(cx.time(), self.work);
        cx.schedule_event(work + self.delay, schedulable!(Self::leave), customer)
            .expect("the future");
    }

    /// A customer is back from its round.
    async fn come_back(&mut self, (customer, at_b): (u64, f64), cx: &Context<Self>) {
        self.totals.done += 1;
        self.totals.at_b += at_b;
        self.totals.end = microseconds(cx.time());
        if self.totals.done == self.rounds {
            *TOTALS.lock().expect("one thread") = self.totals;
        }
        self.arrive(customer, cx).await;
    }

    #[nexosim(schedulable)]
    async fn leave(&mut self, customer: u64) {
        self.to_b.send(customer).await;
    }
}

#[derive(Serialize, Deserialize)]
struct B {
    server: Server,
    #[serde(skip, default = "no_luck")]
    work: LogNormal<f64>,
    #[serde(skip, default = "new_luck")]
    luck: SmallRng,
    delay: Duration,
    to_a: Output<(u64, f64)>,
}

fn no_luck() -> LogNormal<f64> {
    LogNormal::new(0.0, 0.0).expect("a log-normal")
}

fn new_luck() -> SmallRng {
    rand::SeedableRng::seed_from_u64(0)
}

#[Model]
impl B {
    async fn arrive(&mut self, customer: u64, cx: &Context<Self>) {
        let work = duration(self.work.sample(&mut self.luck));
        let stay = self.server.serve(cx.time(), work);
        let told = (customer, stay.as_nanos() as f64 / 1000.0);
        cx.schedule_event(stay + self.delay, schedulable!(Self::leave), told)
            .expect("the future");
    }

    #[nexosim(schedulable)]
    async fn leave(&mut self, told: (u64, f64)) {
        self.to_a.send(told).await;
    }
}

fn main() -> Result<(), SimulationError> {
    let network = Network::from_arguments();
    let server = || Server { free_at: MonotonicTime::EPOCH };
    let mut a = A {
        server: server(),
        work: duration(network.work),
        delay: duration(network.delay),
        rounds: network.rounds,
        left: network.rounds,
        totals: Totals::default(),
        to_b: Output::default(),
    };
    let mut b = B {
        server: server(),
        work: network.work_at_b(),
        luck: network.luck(),
        delay: duration(network.delay),
        to_a: Output::default(),
    };
    let (a_box, b_box) = (Mailbox::with_capacity(256), Mailbox::with_capacity(256));
    a.to_b.connect(B::arrive, &b_box);
    b.to_a.connect(A::come_back, &a_box);
    let mut init = SimInit::with_num_threads(1);
    let arrivals = EventSource::new()
        .connect(A::arrive, &a_box)
        .register(&mut init);
    let mut simulation = init
        .add_model(a, a_box, "A")
        .add_model(b, b_box, "B")
        .init(MonotonicTime::EPOCH)?;
    let scheduler = simulation.scheduler();

    let started = Instant::now();
    for customer in 0..network.customers {
        scheduler
            .schedule_event(Duration::from_nanos(1), &arrivals, customer)
            .expect("the future");
    }
    simulation.run()?;
    let took = started.elapsed();
    let totals = *TOTALS.lock().expect("one thread");
    report(took, totals.done, totals.end, totals.at_b);
    Ok(())
}
