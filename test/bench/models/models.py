"""What numpy, scipy and scikit-learn take for the work of models/subject.ts.

Usage: models.py CASE ROWS COLUMNS RETURNS RESULT. The protocol on stdin and stdout is that of factors/serve-rounds.ts,
the figure is the processor time of the process. Neither imports nor reading the data count.
"""
import hashlib
import json
import sys
import time

import numpy as np

PROBABILITIES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]


def normals(seed, rows, columns):
    return np.random.Generator(np.random.Philox(seed)).standard_normal((rows, columns))


def summary(values):
    ordered = np.sort(values)
    n = len(values)
    mean = values.mean()
    off = values - mean
    square = off * off
    second, third, fourth = square.mean(), (square * off).mean(), (square * square).mean()
    found = [mean, np.sqrt(second), third / second**1.5, fourth / second**2 - 3, ordered[0], ordered[-1]]
    for p in PROBABILITIES:
        position = (n - 1) * p
        below = int(position)
        found.append(ordered[below] + (position - below) * (ordered[min(below + 1, n - 1)] - ordered[below]))
        spread = 1.96 * np.sqrt(n * p * (1 - p))
        found += [ordered[max(0, int(n * p - spread) - 1)], ordered[min(n - 1, int(n * p + spread) + 1)]]
    for level in (0.95, 0.99):
        found.append(-ordered[: max(1, int(np.ceil(n * (1 - level) - 1e-9)))].mean())
    return found


def scenarios(rows, columns):
    covariance = np.full((columns, columns), 0.001)
    np.fill_diagonal(covariance, 0.0025)
    lower = np.linalg.cholesky(covariance)

    def work():
        matrix = 0.005 + normals(42, rows, columns) @ lower.T
        hashlib.sha256(matrix.tobytes()).hexdigest()
        by_column = np.ascontiguousarray(matrix.T)
        for column in by_column:
            summary(column)
        summary(matrix.mean(axis=1))
        np.corrcoef(by_column)

    return work


def drift(rows, columns):
    from scipy import stats

    def stability(before, after):
        edges = np.quantile(before, np.arange(1, 10) / 10)
        counts = [np.bincount(np.searchsorted(edges, side, side="left"), minlength=10) for side in (before, after)]
        p, q = [(c + 0.5) / (len(side) + 5) for c, side in zip(counts, (before, after))]
        psi = ((q - p) * np.log(q / p)).sum()
        return psi, stats.chi2.sf(psi / (1 / len(before) + 1 / len(after)), 9)

    reference, current = normals(1, rows, columns), normals(2, rows, columns)

    def work():
        for column in range(columns):
            before, after = reference[:, column], current[:, column]
            stats.ks_2samp(before, after)
            stats.wasserstein_distance(before, after)
            stability(before, after)

    return work


def start(x, cuts):
    """The rule of lib/numerics/regime/regime-start.ts."""
    standard = ((x - x.mean(axis=0)) ** 2 / x.var(axis=0)).mean(axis=1)
    smooth = np.array([standard[max(0, t - 1) : t + 2].mean() for t in range(len(x))])
    rank = np.empty(len(x), int)
    rank[np.argsort(smooth, kind="stable")] = np.arange(len(x))
    regime = sum((rank >= cut * len(x)).astype(int) for cut in cuts)
    k = len(cuts) + 1
    weights = np.full((len(x), k), 0.05 / (k - 1))
    weights[np.arange(len(x)), regime] = 0.95
    return weights


def fit(x, weights):
    n, k = weights.shape
    initial, transitions = np.full(k, 1 / k), np.full((k, k), 0.1 / (k - 1))
    np.fill_diagonal(transitions, 0.9)
    last = None
    for _ in range(2001):
        total = weights.sum(axis=0)
        means = weights.T @ x / total[:, None]
        logs = np.empty((n, k))
        for j in range(k):
            off = x - means[j]
            lower = np.linalg.cholesky((weights[:, j, None] * off).T @ off / total[j])
            z = np.linalg.solve(lower, off.T)
            root = np.log(np.diag(lower)).sum()
            logs[:, j] = -0.5 * (x.shape[1] * np.log(2 * np.pi) + (z * z).sum(axis=0)) - root
        largest = logs.max(axis=1)
        density = np.exp(logs - largest[:, None])
        filtered, scale = np.empty((n, k)), np.empty(n)
        before = initial
        for t in range(n):
            joint = before * density[t]
            scale[t] = joint.sum()
            filtered[t] = joint / scale[t]
            before = filtered[t] @ transitions
        likelihood = (np.log(scale) + largest).sum()
        if last is not None and abs(likelihood - last) <= 1e-12 * abs(likelihood):
            return likelihood
        last = likelihood
        changes, after = np.zeros((k, k)), np.ones(k)
        weights = filtered.copy()
        for t in range(n - 2, -1, -1):
            step = transitions * (density[t + 1] * after) / scale[t + 1]
            changes += filtered[t][:, None] * step
            after = step.sum(axis=1)
            weights[t] = filtered[t] * after
        initial, transitions = weights[0], changes / changes.sum(axis=1)[:, None]
    return last


def regime(returns):
    x = np.loadtxt(returns, delimiter=",", skiprows=1, usecols=range(1, 11))
    return lambda: np.array([fit(x, start(x, cuts)) for cuts in ([0.7], [0.5, 0.85])])


def anomaly(name, rows, columns):
    from sklearn.covariance import EmpiricalCovariance
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
    from sklearn.preprocessing import StandardScaler

    x = normals(1, rows, columns)
    scaled = lambda: StandardScaler().fit_transform(x)

    def mahalanobis():
        z = scaled()
        fitted = EmpiricalCovariance().fit(z)
        return fitted.mahalanobis(z), z * (z @ fitted.precision_)

    return {
        "isolation_forest": lambda: IsolationForest(n_estimators=100, random_state=1).fit(x).score_samples(x),
        "local_outlier_factor": lambda: LocalOutlierFactor(20).fit(scaled()).negative_outlier_factor_,
        "nearest_neighbour": lambda: NearestNeighbors(n_neighbors=5).fit(scaled()).kneighbors(),
        "mahalanobis": mahalanobis,
    }[name]


def peak_kb():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return None


def main():
    name, rows, columns, returns, result_path = sys.argv[1:]
    size = int(rows), int(columns)
    by_name = {"scenarios": lambda: scenarios(*size), "drift": lambda: drift(*size), "regime": lambda: regime(returns)}
    work = by_name.get(name, lambda: anomaly(name, *size))()
    result = None
    for line in sys.stdin:
        if line.strip() == "end":
            break
        started = time.process_time()
        result = work()
        print(json.dumps({"ms": (time.process_time() - started) * 1000}), flush=True)
    if name == "regime" and result is not None:
        result.astype("<f8").tofile(result_path)
    print(json.dumps({"peak_kb": peak_kb()}), flush=True)


main()
