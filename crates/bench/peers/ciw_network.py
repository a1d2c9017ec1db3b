"""The network in Ciw: four nodes in a ring, the two delays as nodes with a server for everybody. It ends by time."""

import json
import math
import sys
import time

import ciw


def main():
    customers, work, delay, median, sigma, _, seed, until = map(float, sys.argv[1:])
    ciw.seed(int(seed))
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Sequential([1e-9, float("inf")]), None, None, None],
        batching_distributions=[ciw.dists.Deterministic(int(customers))] * 4,
        service_distributions=[
            ciw.dists.Deterministic(work),
            ciw.dists.Deterministic(delay),
            ciw.dists.Lognormal(math.log(median), sigma),
            ciw.dists.Deterministic(delay),
        ],
        number_of_servers=[1, float("inf"), 1, float("inf")],
        routing=[[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]],
    )
    started = time.perf_counter()
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(until)
    seconds = time.perf_counter() - started
    records = simulation.get_all_records(only=["service"])
    at_b = [record.exit_date - record.arrival_date for record in records if record.node == 3]
    done = sum(1 for record in records if record.node == 4)
    print(json.dumps({"seconds": seconds, "rounds": done, "end": until, "at_b": sum(at_b) / len(at_b)}))


main()
