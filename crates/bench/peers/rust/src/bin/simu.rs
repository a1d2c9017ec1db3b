//! The network in simu-des: one process for each customer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use peers::{Network, report};
use rand_distr::Distribution;
use simu::{Resource, SimEnv};

#[derive(Default)]
struct Totals {
    left: Cell<u64>,
    done: Cell<u64>,
    at_b: Cell<f64>,
    end: Cell<f64>,
}

fn main() {
    let network = Network::from_arguments();
    let (work, delay, work_at_b) = (network.work, network.delay, network.work_at_b());
    let luck = Rc::new(RefCell::new(network.luck()));
    let totals = Rc::new(Totals::default());
    totals.left.set(network.rounds);

    let started = Instant::now();
    let mut env = SimEnv::with_seed(1);
    let (a, b) = (Resource::new(1), Resource::new(1));
    for _ in 0..network.customers {
        let (env_handle, a, b) = (env.handle(), a.clone(), b.clone());
        let (luck, totals) = (luck.clone(), totals.clone());
        env.spawn(async move {
            while totals.left.get() > 0 {
                totals.left.set(totals.left.get() - 1);
                {
                    let _turn = a.request().await;
                    env_handle.timeout(work).await;
                }
                env_handle.timeout(delay).await;
                let arrived = env_handle.now();
                {
                    let _turn = b.request().await;
                    let work = work_at_b.sample(&mut *luck.borrow_mut());
                    env_handle.timeout(work).await;
                }
                totals.at_b.set(totals.at_b.get() + env_handle.now() - arrived);
                env_handle.timeout(delay).await;
                totals.done.set(totals.done.get() + 1);
                totals.end.set(env_handle.now());
            }
        });
    }
    env.run();
    let took = started.elapsed();
    report(took, totals.done.get(), totals.end.get(), totals.at_b.get());
}
