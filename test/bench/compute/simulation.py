"""What numpy takes for the simulations of simulation-subject.ts.

Usage: simulation.py law|bootstrap PATHS MONTHS ASSETS RETURNS RESULT. RETURNS is a table of monthly log returns; the
protocol on stdin and stdout is that of factors/serve-rounds.ts. Paths are drawn 50,000 at a time, so that they fit into
memory. Neither imports nor reading the table count; the figure is the processor time.
"""
import json
import sys
import time

import numpy as np

QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
AT_ONCE = 50_000
BLOCK = 6


def law(paths, months, _):
    generator = np.random.Generator(np.random.Philox(1))

    def draw(count):
        return np.exp((0.005 + 0.04 * generator.standard_normal((count, months))).cumsum(axis=1))

    return in_batches(paths, draw)


def bootstrap(paths, months, returns):
    generator = np.random.Generator(np.random.Philox(1))
    growth = np.exp(returns)
    rows, assets = growth.shape
    weights = np.full(assets, 1 / assets)

    def draw(count):
        starts = generator.integers(0, rows, (count, -(-months // BLOCK)))
        places = (starts[:, :, None] + np.arange(BLOCK)) % rows
        return (growth[places.reshape(count, -1)[:, :months]] @ weights).cumprod(axis=1)

    return in_batches(paths, draw)


def in_batches(paths, draw):
    def work():
        terminal = np.concatenate(
            [draw(min(AT_ONCE, paths - first))[:, -1] for first in range(0, paths, AT_ONCE)]
        )
        np.quantile(terminal, QUANTILES)
        return terminal.mean()

    return work


def main():
    name, paths, months, assets, returns_path, result_path = sys.argv[1:]
    returns = np.loadtxt(returns_path, delimiter=",", skiprows=1, usecols=range(1, 1 + int(assets)), ndmin=2)
    work = {"law": law, "bootstrap": bootstrap}[name](int(paths), int(months), returns)
    mean = None
    for line in sys.stdin:
        if line.strip() == "end":
            break
        started = time.process_time()
        mean = work()
        print(json.dumps({"ms": (time.process_time() - started) * 1e3}), flush=True)
    if mean is not None:
        np.array([mean], "<f8").tofile(result_path)
    print(json.dumps({"peak_kb": None}), flush=True)


main()
