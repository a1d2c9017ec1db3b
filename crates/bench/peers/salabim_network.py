"""The network in salabim: one component for each customer; generators, which are its fastest mode; nothing monitored."""

import json
import math
import random
import sys
import time

import salabim as sim


def main():
    customers, work, delay, median, sigma, rounds, seed, _ = map(float, sys.argv[1:])
    draw = random.Random(int(seed)).lognormvariate
    mu = math.log(median)
    sim.yieldless(False)
    env = sim.Environment(trace=False, yieldless=False)
    a, b = sim.Resource("a", monitor=False), sim.Resource("b", monitor=False)
    for resource in (a, b):
        for queue in (resource.requesters(), resource.claimers()):
            queue.length.monitor(False)
            queue.length_of_stay.monitor(False)
    left, done, at_b, end = int(rounds), 0, 0.0, 0.0

    class Customer(sim.Component):
        def process(self):
            nonlocal left, done, at_b, end
            while left > 0:
                left -= 1
                yield self.request(a)
                yield self.hold(work)
                self.release(a)
                yield self.hold(delay)
                arrived = env.now()
                yield self.request(b)
                yield self.hold(draw(mu, sigma))
                self.release(b)
                at_b += env.now() - arrived
                yield self.hold(delay)
                done += 1
                end = env.now()

    started = time.perf_counter()
    for _ in range(int(customers)):
        Customer(mode=None)
    env.run()
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "rounds": done, "end": end, "at_b": at_b / done}))


main()
