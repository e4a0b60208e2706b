"""Writes prediction.json beside it: /usr/bin/python3 test/golden/prediction.py (Debian 12: python3-sklearn, python3-statsmodels)."""

import csv
import datetime
import json
import pathlib
import platform

import numpy
import scipy.optimize
import sklearn
import statsmodels
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.preprocessing import StandardScaler
from statsmodels.tsa.api import VAR

here = pathlib.Path(__file__).parent
with open(here / "monthly_logret_10.csv") as file:
    header, *lines = list(csv.reader(file))
names = header[1:]
values = numpy.array([[float(cell) for cell in line[1:]] for line in lines])
column = {name: values[:, at] for at, name in enumerate(names)}
GRID = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]


def supervised(target, features, horizon):
    x = numpy.stack([column[name] for name in features], axis=1)
    return x[: len(x) - horizon], column[target][horizon:]


def ridge(target, features, horizon):
    x, y = supervised(target, features, horizon)
    scaler = StandardScaler().fit(x)
    z, n = scaler.transform(x), len(y)
    cases = []
    for lambda_ in GRID:
        model = Ridge(alpha=n * lambda_, solver="svd").fit(z, y)
        slopes = model.coef_ / scaler.scale_
        left = RidgeCV(alphas=[n * lambda_], store_cv_values=True).fit(z, y).cv_values_
        cases.append({
            "lambda": lambda_,
            "coefficients": list(slopes),
            "intercept": float(model.intercept_ - slopes @ scaler.mean_),
            "leave_one_out": float(left.mean()),
        })
    best = RidgeCV(alphas=[n * each for each in GRID]).fit(z, y).alpha_ / n
    return {"target": target, "features": features, "horizon": horizon, "cases": cases, "best": float(best)}


def var(columns, lags_max):
    data = numpy.stack([column[name] for name in columns], axis=1)
    criteria = [VAR(data[lags_max - p:]).fit(p, trend="c").bic for p in range(1, lags_max + 1)]
    lags = 1 + int(numpy.argmin(criteria))
    found = VAR(data).fit(lags, trend="c")
    residuals = found.resid
    return {
        "columns": columns,
        "lags_max": lags_max,
        "bic_lags": lags,
        "intercepts": list(found.intercept),
        "matrices": found.coefs.tolist(),
        "covariance": (residuals.T @ residuals / len(residuals)).tolist(),
        "ahead": found.forecast(data[-lags:], 6).tolist(),
    }


def boosting(name, x, y, options):
    model = HistGradientBoostingRegressor(
        loss="squared_error", learning_rate=options["rate"], max_iter=options["trees"], max_leaf_nodes=None,
        max_depth=options["depth"], min_samples_leaf=options["leaf_rows_min"], l2_regularization=0,
        max_bins=options["bins"], early_stopping=False)
    fitted = 3 * len(y) // 4
    model.fit(x[:fitted], y[:fitted])
    told = model.predict(x)
    return {
        "name": name, "options": options, "fitted": fitted, "x": x.tolist(), "y": list(y), "told": list(told),
        "rmse_in": float(numpy.sqrt(numpy.mean((told - y)[:fitted] ** 2))),
        "rmse_out": float(numpy.sqrt(numpy.mean((told - y)[fitted:] ** 2))),
    }


def friedman(n):
    rng = numpy.random.default_rng(7)
    x = numpy.round(rng.random((n, 6)), 6)
    y = 10 * numpy.sin(numpy.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, numpy.round(y + rng.normal(0, 1, n), 6)


def weights(name, errors):
    def loss(w):
        return float(numpy.mean((w @ errors) ** 2))

    m = len(errors)
    found = scipy.optimize.minimize(
        loss, numpy.full(m, 1 / m), bounds=[(0, 1)] * m, method="SLSQP",
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1}, options={"ftol": 1e-16, "maxiter": 1000})
    return {"name": name, "errors": errors.tolist(), "weights": list(found.x), "loss": loss(found.x)}


rng = numpy.random.default_rng(11)
common = rng.normal(0, 1, 60)
x, y = supervised("JPM", [name for name in names if name != "JPM"], 0)
document = {
    "engine": f"scikit-learn {sklearn.__version__}, statsmodels {statsmodels.__version__}, "
    f"scipy {scipy.__version__}, numpy {numpy.__version__}, Python {platform.python_version()}",
    "date": datetime.date.today().isoformat(),
    "generator": "test/golden/prediction.py",
    "grid": GRID,
    "ridge": [
        ridge("JPM", [name for name in names if name != "JPM"], 0),
        ridge("XOM", names, 1),
        ridge("KO", names[:3], 3),
    ],
    "var": [var(names[:3], 4), var(["JPM", "BAC"], 6), var(names[:5], 2)],
    "boosting": [
        boosting("friedman_1", *friedman(400), {"trees": 100, "rate": 0.1, "depth": 3, "leaf_rows_min": 20, "bins": 64}),
        boosting("friedman_coarse", *friedman(240), {"trees": 20, "rate": 0.3, "depth": 2, "leaf_rows_min": 5, "bins": 8}),
        boosting("monthly_returns", x, y, {"trees": 50, "rate": 0.1, "depth": 2, "leaf_rows_min": 20, "bins": 32}),
    ],
    "weights": [
        weights("independent", numpy.round(rng.normal(0, [[1], [2], [3]], (3, 60)), 6)),
        weights("alike", numpy.round(common + rng.normal(0, [[0.2], [0.3], [0.5], [1]], (4, 60)), 6)),
        weights("one_dominated", numpy.round(numpy.stack([common, 3 * common + rng.normal(0, 0.1, 60)]), 6)),
    ],
}
(here / "prediction.json").write_text(json.dumps(document, indent=0) + "\n")
