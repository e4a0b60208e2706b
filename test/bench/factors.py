"""The regressions of a market month by month, by scikit-learn or by plain numpy.

Usage: factors.py sklearn|numpy DATA RESULT. DATA is written by factors/handover.ts; the protocol on stdin and stdout is
that of factors/serve-rounds.ts. The clock runs only inside a round: neither imports nor reading the data count.
"""
import json
import sys
import time

import numpy as np


def read(path):
    with open(path, "rb") as file:
        symbols, months, themes, minimum = np.fromfile(file, "<i4", 4)
        (penalty,) = np.fromfile(file, "<f8", 1)
        exposures = np.fromfile(file, "<f8", symbols * themes).reshape(symbols, themes)
        returns = np.fromfile(file, "<f8", months * symbols).reshape(months, symbols)
    return exposures, returns, minimum, penalty


def sklearn_fit(x, y, penalty):
    from sklearn.linear_model import Ridge

    mean, deviation = x.mean(axis=0), x.std(axis=0)
    model = Ridge(alpha=penalty * len(y)).fit((x - mean) / deviation, y)
    coefficients = model.coef_ / deviation
    return model.intercept_ - mean @ coefficients, coefficients


def numpy_fit(x, y, penalty):
    mean = x.mean(axis=0)
    centred = x - mean
    covariance = centred.T @ centred / len(y)
    covariance[np.diag_indices_from(covariance)] *= 1 + penalty
    coefficients = np.linalg.solve(covariance, centred.T @ (y - y.mean()) / len(y))
    return y.mean() - mean @ coefficients, coefficients


def work(fit, exposures, returns, minimum, penalty):
    """Winsorizes, fits, and computes residuals and index returns, as the model's own step does."""
    months, themes = len(returns), exposures.shape[1]
    estimates = np.full((months, themes + 1), np.nan)
    residuals = np.full(returns.shape, np.nan)
    index_returns = np.full((months, themes), np.nan)
    for t in range(months):
        observed = ~np.isnan(returns[t])
        x, raw = exposures[observed], returns[t][observed]
        counts = (x > 0).sum(axis=0)
        active = (counts >= minimum) & (np.ptp(x, axis=0) > 0)
        if not active.any() or len(raw) < max(minimum, active.sum() + 2):
            continue
        if not active.all():
            x = x[:, active]
        y = np.clip(raw, *np.quantile(raw, [0.01, 0.99]))
        intercept, coefficients = fit(x, y, penalty)
        estimates[t, 0] = intercept
        estimates[t, 1:][active] = coefficients
        residuals[t, observed] = raw - (intercept + x @ coefficients)
        index_returns[t, active] = raw @ x / x.sum(axis=0)
    return estimates


def peak_kb():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return None


def main():
    method, data_path, result_path = sys.argv[1:]
    data = read(data_path)
    fit = {"sklearn": sklearn_fit, "numpy": numpy_fit}[method]
    if method == "sklearn":
        import sklearn.linear_model  # noqa: F401  before the clock runs
    estimates = None
    for line in sys.stdin:
        if line.strip() == "end":
            break
        started = time.perf_counter()
        estimates = work(fit, *data)
        print(json.dumps({"ms": (time.perf_counter() - started) * 1000}), flush=True)
    if estimates is not None:
        estimates.astype("<f8").tofile(result_path)
    print(json.dumps({"peak_kb": peak_kb()}), flush=True)


main()
