"""The network in SimPy: one process for each customer."""

import json
import math
import random
import sys
import time

import simpy


def main():
    customers, work, delay, median, sigma, rounds, seed, _ = map(float, sys.argv[1:])
    draw = random.Random(int(seed)).lognormvariate
    mu = math.log(median)
    env = simpy.Environment()
    a, b = simpy.Resource(env), simpy.Resource(env)
    left, done, at_b, end = int(rounds), 0, 0.0, 0.0

    def customer():
        nonlocal left, done, at_b, end
        while left > 0:
            left -= 1
            with a.request() as turn:
                yield turn
                yield env.timeout(work)
            yield env.timeout(delay)
            arrived = env.now
            with b.request() as turn:
                yield turn
                yield env.timeout(draw(mu, sigma))
            at_b += env.now - arrived
            yield env.timeout(delay)
            done += 1
            end = env.now

    started = time.perf_counter()
    for _ in range(int(customers)):
        env.process(customer())
    env.run()
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "rounds": done, "end": end, "at_b": at_b / done}))


main()
