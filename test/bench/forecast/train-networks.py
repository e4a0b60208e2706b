"""Trains the networks of lib/forecasting/methods/network/pooled-networks.json.

    python3 test/bench/forecast/train-networks.py m4_train_pool.jsonl.gz networks.json unseen.jsonl

Needs numpy alone. The networks see the training part of the series of the pool, never a test part of any series.
`unseen.jsonl` has the forecast of each series of the pool by networks that were trained on the other four fifths of the
series, for its test part and at the origins of its backtest; `learn-constants.ts` reads them. All random numbers come
from fixed seeds.
"""
import gzip
import json
import sys

import numpy as np

CONFIG = {
    'Y': {'period': 1, 'lags': 10, 'horizon': 6, 'epochs': 40},
    'Q': {'period': 4, 'lags': 12, 'horizon': 8, 'epochs': 40},
    'M': {'period': 12, 'lags': 24, 'horizon': 18, 'epochs': 60},
}
HIDDEN, NETWORKS, PARTS, BATCH = 32, 3, 5, 512
RATE, DECAY = 2e-3, 1e-4
WINDOWS_MAX, INPUT_MAX, OUTPUT_MAX, CHANGE_MIN = 60, 20, 30, 1e-4


def autocorrelations(x, lags):
    x = x - x.mean()
    variance = (x * x).sum()
    return None if not variance > 0 else np.array([(x[k:] * x[: len(x) - k]).sum() / variance for k in range(lags + 1)])


def is_seasonal(x, m):
    if m < 2 or len(x) < 3 * m:
        return False
    r = autocorrelations(x, m)
    return r is not None and abs(r[m]) > 1.645 * np.sqrt((1 + 2 * (r[1:m] ** 2).sum()) / len(x))


def shrunk_indices(x, m):
    n, half = len(x), m // 2
    weights = np.ones(m + 1) / m
    weights[0] = weights[-1] = 0.5 / m
    trend = np.convolve(x, weights, 'valid')
    t = np.arange(half, n - half)
    rest = x[t] / trend
    indices = np.array([rest[t % m == place].mean() for place in range(m)])
    indices = indices / indices.mean()
    departures, count = rest - indices[t % m], n - 2 * half
    variance = (departures**2).sum() / max(1, count - m + 1) * m / count
    noise, spread = max(1, m - 3) * variance, ((indices - 1) ** 2).sum()
    return 1 + (1 - noise / spread if noise < spread else 0) * (indices - 1)


def adjusted(x, m):
    """Returns the seasonally adjusted values, and the indices or None. All values are positive."""
    if not is_seasonal(x, m):
        return x, None
    indices = shrunk_indices(x, m)
    return (x / indices[np.arange(len(x)) % m], indices) if (indices >= 0.01).all() else (x, None)


def window_of(logs, lags):
    return logs[-lags:] if len(logs) >= lags else np.concatenate([np.full(lags - len(logs), logs[0]), logs])


def windows_of(series, config):
    """Returns the windows of a series and the values after each; None for a series that has none."""
    x = np.array(series['train'], float)
    lags, horizon = config['lags'], config['horizon']
    if not (x > 0).all():
        return None
    logs = np.log(adjusted(x, config['period'])[0])
    first = max(5, min(lags, len(x) - horizon))
    ends = list(range(first, len(x) - horizon + 1))[-WINDOWS_MAX:]
    if not ends:
        return None
    return np.array([window_of(logs[:t], lags) for t in ends]), np.array([logs[t : t + horizon] for t in ends])


def inputs_of(windows):
    base = windows[:, -1:]
    change = np.abs(np.diff(windows, axis=1)).mean(1, keepdims=True) + CHANGE_MIN
    lagged = np.clip((windows - base) / change, -INPUT_MAX, INPUT_MAX)[:, :-1]
    return np.hstack([lagged, np.log(change)]), base, change


def outputs_of(p, x):
    layer = np.maximum(0, x @ p[0] + p[1])
    return layer, layer @ p[2] + p[3] + x @ p[4]


def train(x, y, weight, epochs, random):
    """Minimises a smooth absolute error by Adam with a cosine schedule."""
    k, m = x.shape[1], y.shape[1]
    p = [
        random.normal(0, 1 / np.sqrt(k), (k, HIDDEN)),
        np.zeros(HIDDEN),
        random.normal(0, 0.1 / np.sqrt(HIDDEN), (HIDDEN, m)),
        np.zeros(m),
        np.zeros((k, m)),
    ]
    means, squares = [np.zeros_like(each) for each in p], [np.zeros_like(each) for each in p]
    steps, step = epochs * ((len(x) + BATCH - 1) // BATCH), 0
    for _ in range(epochs):
        order = random.permutation(len(x))
        for start in range(0, len(x), BATCH):
            rows, step = order[start : start + BATCH], step + 1
            layer, output = outputs_of(p, x[rows])
            pull = np.tanh((output - y[rows]) * 3) * weight[rows] / len(rows)
            back = (pull @ p[2].T) * (layer > 0)
            gradients = [x[rows].T @ back, back.sum(0), layer.T @ pull, pull.sum(0), x[rows].T @ pull]
            rate = RATE * (0.5 * (1 + np.cos(np.pi * step / steps)) + 0.01)
            for i, gradient in enumerate(gradients):
                gradient = gradient + (DECAY * p[i] if i in (0, 2, 4) else 0)
                means[i] = 0.9 * means[i] + 0.1 * gradient
                squares[i] = 0.999 * squares[i] + 0.001 * gradient * gradient
                p[i] -= rate * (means[i] / (1 - 0.9**step)) / (np.sqrt(squares[i] / (1 - 0.999**step)) + 1e-8)
    return p


def fit(windows, config, seed):
    had = [each for each in windows if each is not None]
    weight = np.concatenate([np.full(len(x), 1 / np.sqrt(len(x))) for x, _ in had])[:, None]
    inputs, base, change = inputs_of(np.vstack([x for x, _ in had]))
    targets = np.clip((np.vstack([y for _, y in had]) - base) / change, -OUTPUT_MAX, OUTPUT_MAX)
    center, spread, sizes = inputs.mean(0), inputs.std(0), np.abs(targets).mean(0) + 1e-9
    x, y = (inputs - center) / spread, targets / sizes
    networks = [
        train(x, y, weight / weight.mean(), config['epochs'], np.random.default_rng(seed + at)) for at in range(NETWORKS)
    ]
    return {'center': center, 'spread': spread, 'sizes': sizes, 'networks': networks}


def forecast(model, values, config):
    x = np.array(values, float)
    if len(x) < 5 or not (x > 0).all():
        return None
    level, indices = adjusted(x, config['period'])
    inputs, base, change = inputs_of(window_of(np.log(level), config['lags'])[None])
    z = (inputs - model['center']) / model['spread']
    mean = np.mean([np.clip(outputs_of(p, z)[1], -OUTPUT_MAX, OUTPUT_MAX) for p in model['networks']], axis=0)
    point = np.exp(base + change * mean * model['sizes'])[0]
    return point if indices is None else point * indices[(len(x) + np.arange(len(point))) % config['period']]


def unseen_row(model, series, config):
    train_part, n = series['train'], len(series['train'])
    point = forecast(model, train_part, config)
    cap = min(series['horizon'], n // 3)
    errors = []
    for at in range(3):
        known = n - cap - at * max(1, cap // 2)
        if cap < 1 or known < 6 or (at > 0 and 2 * known < n):
            break
        past = forecast(model, train_part[:known], config)
        if past is not None:
            errors.append(np.abs(past[:cap] - np.array(train_part[known : known + cap])).mean())
    if point is None:
        return None
    error = float(np.mean(errors)) if errors else None
    return {'id': series['id'], 'points': [float(each) for each in point], 'error': error}


def plain(array):
    return [[float(f'{each:.4g}') for each in row] for row in array] if array.ndim == 2 else [float(f'{each:.4g}') for each in array]


def document(model, config):
    names = ['hidden', 'hiddenBias', 'output', 'outputBias', 'direct']
    return {
        'period': config['period'],
        'lags': config['lags'],
        'horizon': config['horizon'],
        **{name: plain(model[name]) for name in ('center', 'spread', 'sizes')},
        'networks': [dict(zip(names, (plain(each) for each in p))) for p in model['networks']],
    }


def main(pool, networks_file, unseen_file):
    with gzip.open(pool, 'rt') as lines:
        everything = [json.loads(line) for line in lines]
    documents, unseen = [], []
    for at, (letter, config) in enumerate(CONFIG.items()):
        series = [each for each in everything if each['frequency'] == letter]
        windows = [windows_of(each, config) for each in series]
        for part in range(PARTS):
            model = fit([w for i, w in enumerate(windows) if i % PARTS != part], config, 1000 * at + 100 * part)
            unseen += [unseen_row(model, each, config) for each in series[part::PARTS]]
        documents.append(document(fit(windows, config, 1000 * at + 900), config))
    with open(networks_file, 'w') as out:
        out.write(json.dumps(documents, separators=(',', ':')) + '\n')
    with open(unseen_file, 'w') as out:
        out.writelines(json.dumps(each) + '\n' for each in unseen if each)


main(*sys.argv[1:])
