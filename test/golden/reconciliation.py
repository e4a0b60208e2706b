"""Writes reconciliation.json beside it: /usr/bin/python3 test/golden/reconciliation.py (Debian 12: python3-numpy).

Uses the summing matrix, G = (S' W^-1 S)^-1 S' W^-1, and the definitions of the shrinkage estimator, in exact form.
"""

import json
import pathlib
import platform

import numpy

here = pathlib.Path(__file__).parent
random = numpy.random.default_rng(20261128)


def shrunk(errors):
    cases, series = errors.shape
    sample = errors.T @ errors / cases
    target = numpy.diag(numpy.diag(sample))
    if cases == 1:
        return target, 1.0
    deviations = numpy.sqrt(numpy.diag(sample))
    scaled = errors / deviations
    correlation = scaled.T @ scaled / cases
    products = scaled[:, :, None] * scaled[:, None, :]
    variance = ((products - correlation) ** 2).sum(axis=0) / (cases * (cases - 1))
    off = ~numpy.eye(series, dtype=bool)
    weight = min(1.0, max(0.0, variance[off].sum() / (correlation[off] ** 2).sum()))
    return weight * target + (1 - weight) * sample, weight


def case(name, summing, sums, cases, scale=1.0, correlated=False):
    series, leaves = summing.shape
    leaf_errors = random.normal(size=(cases, leaves)) * scale
    if correlated:
        leaf_errors += random.normal(size=(cases, 1)) * scale
    errors = leaf_errors @ summing.T * 0.7 + random.normal(size=(cases, series)) * scale
    base = 100 * scale * summing @ (1 + random.random((leaves, 4))) + random.normal(size=(series, 4)) * scale
    weights, shrinkage = shrunk(errors)
    expected = {}
    for method, weight in [
        ("ols", numpy.eye(series)),
        ("wls_structural", numpy.diag(summing.sum(axis=1))),
        ("mint_shrink", weights),
    ]:
        inverse = numpy.linalg.inv(weight)
        g = numpy.linalg.solve(summing.T @ inverse @ summing, summing.T @ inverse)
        expected[method] = {"matrix": (summing @ g).tolist(), "reconciled": (summing @ g @ base).T.tolist()}
    expected["bottom_up"] = {"reconciled": (summing @ base[series - leaves :]).T.tolist()}
    return {
        "name": name,
        "series": series,
        "sums": sums,
        "errors": errors.tolist(),
        "base": base.T.tolist(),
        "shrinkage": shrinkage,
        "covariance": weights.tolist(),
        "expected": expected,
    }


# The totals come first, then the leaves.
two = numpy.array([[1, 1], [1, 0], [0, 1]], dtype=float)
three_levels = numpy.vstack([numpy.ones((1, 5)), [[1, 1, 0, 0, 0], [0, 0, 1, 1, 1]], numpy.eye(5)])
grouped = numpy.vstack([numpy.ones((1, 4)), [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]], numpy.eye(4)])
wide = numpy.vstack([numpy.ones((1, 12)), numpy.eye(12)])

two_sums = [{"total": 0, "parts": [1, 2]}]
three_sums = [
    {"total": 0, "parts": [1, 2]},
    {"total": 1, "parts": [3, 4]},
    {"total": 2, "parts": [5, 6, 7]},
]
grouped_sums = [
    {"total": 0, "parts": [1, 2]},
    {"total": 0, "parts": [3, 4]},
    {"total": 1, "parts": [5, 6]},
    {"total": 2, "parts": [7, 8]},
    {"total": 3, "parts": [5, 7]},
    {"total": 4, "parts": [6, 8]},
]
wide_sums = [{"total": 0, "parts": list(range(1, 13))}]

cases = [
    case("two parts", two, two_sums, 24),
    case("two parts, two cases", two, two_sums, 2),
    case("two parts, one case", two, two_sums, 1),
    case("three levels", three_levels, three_sums, 36),
    case("three levels, correlated, millions", three_levels, three_sums, 18, 1e6, True),
    case("grouped", grouped, grouped_sums, 24, 10.0),
    case("wide, fewer cases than series", wide, wide_sums, 6),
    case("wide, correlated", wide, wide_sums, 60, 0.01, True),
]
(here / "reconciliation.json").write_text(
    json.dumps(
        {
            "kind": "reconciliation",
            "source": f"numpy {numpy.__version__} of Debian 12, Python {platform.python_version()}, by reconciliation.py",
            "cases": cases,
        }
    )
    + "\n"
)
