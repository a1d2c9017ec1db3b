// The network in SIM.JS: one entity for each customer, two facilities.
const { performance } = require('node:perf_hooks');

// The package is a bundle for pages: it puts what it has on `window`, and exports nothing.
globalThis.window = globalThis;
require('simjs');
const { Sim, Entity, Facility, Random } = window.Sim;

const [customers, work, delay, median, sigma, rounds, seed] = process.argv.slice(2).map(Number);
const mu = Math.log(median);
const random = new Random(seed);
const simulation = new Sim();
const a = new Facility('a', Facility.FCFS, 1);
const b = new Facility('b', Facility.FCFS, 1);
let left = rounds;
let done = 0;
let atB = 0;
let end = 0;

class Customer extends Entity {
  start() {
    if (left === 0) return;
    left -= 1;
    this.useFacility(a, work).done(this.afterA);
  }
  afterA() {
    this.setTimer(delay).done(this.reachB);
  }
  reachB() {
    this.arrived = this.time();
    this.useFacility(b, Math.exp(mu + sigma * random.normal(0, 1))).done(this.afterB);
  }
  afterB() {
    atB += this.time() - this.arrived;
    this.setTimer(delay).done(this.finish);
  }
  finish() {
    done += 1;
    end = this.time();
    this.start();
  }
}

const started = performance.now();
for (let i = 0; i < customers; i += 1) simulation.addEntity(Customer, `customer ${i}`);
simulation.simulate(Number.MAX_VALUE);
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ seconds, rounds: done, end, at_b: atB / done }));
