"""What numpy takes for the probability of backtest overfitting of overfitting-subject.

Usage: overfitting.py TRIALS SESSIONS BLOCKS. Combinatorially symmetric cross-validation as published (Bailey, Borwein,
Lopez de Prado and Zhu 2017), with the rows of the training and test blocks joined for each combination, as pypbo joins
them. Prints the processor time in milliseconds, without imports.
"""
import itertools
import json
import sys
import time

import numpy as np
from scipy.stats import rankdata


def sharpe(rows):
    return rows.mean(axis=0) / rows.std(axis=0, ddof=1)


def overfitting(panel, count):
    rows = panel.shape[0] // count
    blocks = panel[panel.shape[0] - rows * count:].reshape(count, rows, -1)
    logits = []
    for chosen in itertools.combinations(range(count), count // 2):
        rest = [block for block in range(count) if block not in chosen]
        train = sharpe(np.concatenate(blocks[list(chosen)]))
        test = sharpe(np.concatenate(blocks[rest]))
        share = rankdata(test)[train.argmax()] / (len(test) + 1)
        logits.append(np.log(share / (1 - share)))
    return float((np.array(logits) <= 0).mean())


def main():
    trials, sessions, count = map(int, sys.argv[1:])
    panel = 0.0004 + 0.01 * np.random.Generator(np.random.Philox(1)).standard_normal((sessions, trials))
    began = time.process_time()
    found = overfitting(panel, count)
    print(json.dumps({'ms': 1000 * (time.process_time() - began), 'pbo': found}))


main()
