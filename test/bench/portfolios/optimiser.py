"""What cvxopt and HiGHS take for the problems of optimiser-subject.ts.

Usage: optimiser.py variance|cvar REPEATS DATA RESULT. DATA is written by optimiser-cases.ts; the protocol on stdin and
stdout is that of factors/serve-rounds.ts. Neither imports, reading the data nor building the matrices of the constraints
count; the figure is the processor time.
"""
import json
import sys
import time

import numpy as np

LEVEL = 0.95


def read(path):
    numbers = np.fromfile(path, "<f8")
    assets = int(numbers[0])
    end = 1 + assets * assets
    return numbers[1:end].reshape(assets, assets), numbers[end:].reshape(-1, assets)


def variance(covariance, _):
    from cvxopt import matrix, solvers, spmatrix

    solvers.options["show_progress"] = False
    assets = len(covariance)
    p, q = matrix(covariance), matrix(0.0, (assets, 1))
    g, h = spmatrix(-1.0, range(assets), range(assets)), matrix(0.0, (assets, 1))
    a, b = matrix(1.0, (1, assets)), matrix(1.0)

    def solve():
        w = np.array(solvers.qp(p, q, g, h, a, b)["x"]).ravel()
        return w @ covariance @ w

    return solve


def cvar(_, returns):
    import scipy.sparse as sparse
    from scipy.optimize import linprog

    count, assets = returns.shape
    costs = np.concatenate([np.zeros(assets), [1], np.full(count, 1 / ((1 - LEVEL) * count))])
    rows = sparse.hstack([sparse.csr_matrix(-returns), -np.ones((count, 1)), -sparse.eye(count)]).tocsc()
    budget = np.concatenate([np.ones(assets), np.zeros(1 + count)])[None]
    bounds = [(0, 1)] * assets + [(None, None)] + [(0, None)] * count

    def solve():
        found = linprog(costs, rows, np.zeros(count), budget, [1], bounds, method="highs")
        return found.fun

    return solve


def main():
    kind, repeats, data_path, result_path = sys.argv[1:]
    solve = {"variance": variance, "cvar": cvar}[kind](*read(data_path))
    objective = None
    for line in sys.stdin:
        if line.strip() == "end":
            break
        started = time.process_time()
        for _ in range(int(repeats)):
            objective = solve()
        print(json.dumps({"ms": (time.process_time() - started) * 1000}), flush=True)
    if objective is not None:
        np.array([objective]).astype("<f8").tofile(result_path)
    print(json.dumps({"peak_kb": None}), flush=True)


main()
