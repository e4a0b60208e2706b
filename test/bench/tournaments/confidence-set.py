"""Prints the milliseconds that arch takes for a model confidence set of the losses on standard input."""
import json
import sys
import time

import numpy as np
from arch.bootstrap import MCS

block, resamples = int(sys.argv[1]), int(sys.argv[2])
losses = np.array(json.load(sys.stdin)).T
start = time.perf_counter()
MCS(losses, size=0.1, reps=resamples, block_size=block, method="R", bootstrap="circular", seed=0).compute()
print((time.perf_counter() - start) * 1000)
