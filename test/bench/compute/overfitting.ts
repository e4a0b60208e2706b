import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { backtestOverfitting } from '#lib/numerics/overfitting/backtest-overfitting.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import type { BenchContext, Row } from '../bench.ts';
import { processorMs } from '../processor-time.ts';
import { interleave, ratioRow } from '../rounds.ts';

/** Time of esvhd/pypbo at ddbc6314 for 100 trials x 1,006 sessions in 16 blocks, on a loaded machine with two cores. */
const PYPBO_MS = 20_600;
const BLOCKS = 16;
const rounds = { full: 9, tiny: 1 };
type Case = { trials: number; sessions: number; peer: 'pypbo' | 'numpy' | null };
const cases: Record<'full' | 'tiny', Case[]> = {
  full: [
    { trials: 100, sessions: 1_006, peer: 'pypbo' },
    { trials: 200, sessions: 1_000, peer: null },
    { trials: 1_000, sessions: 200, peer: 'numpy' },
  ],
  tiny: [{ trials: 5, sessions: 64, peer: null }],
};
const peers = {
  pypbo: { note: 'peer: constant 20.6 s, measured with esvhd/pypbo at ddbc6314', max: 0.01 },
  numpy: { note: 'peer: the same method in numpy with one thread, measured once in this run', max: 0.05 },
};
const NO_NUMPY = 'numpy or scipy are not there; on Debian: apt-get install -y python3-numpy python3-scipy';

/** Measures the probability of backtest overfitting by combinatorial cross-validation, starting from the returns. */
export async function overfittingRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { trials, sessions, peer } of cases[size]) {
    const [many, days] = [trials.toLocaleString('en'), sessions.toLocaleString('en')];
    const label = `probability of overfitting, ${many} trials x ${days} sessions, ${BLOCKS} blocks`;
    notify(label);
    const panel = simulatedTrials(trials, sessions);
    const peerMs = peer === 'pypbo' ? PYPBO_MS : peer === 'numpy' ? numpyMs(trials, sessions) : null;
    const figures = await interleave(rounds[size], {
      subject: async () => processorMs(() => divide(panel)),
      peer: async () => peerMs ?? Number.NaN,
    });
    const about = { bench, case: label, unit: 'ms' };
    if (peer !== null && peerMs !== null) {
      const { note, max } = peers[peer];
      rows.push(ratioRow({ ...about, note }, figures, { max }));
      continue;
    }
    const row = ratioRow({ ...about, note: peer === 'numpy' ? NO_NUMPY : 'no peer' }, figures, null);
    rows.push({ ...row, peer: null, ratio: null, spread: null });
  }
  return rows;
}

/** Returns the processor time of the method in numpy; null without numpy and scipy. */
function numpyMs(trials: number, sessions: number): number | null {
  const entry = fileURLToPath(new URL('./overfitting.py', import.meta.url));
  const words = [entry, String(trials), String(sessions), String(BLOCKS)];
  const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  for (const python of ['python3', '/usr/bin/python3']) {
    const { status, stdout } = spawnSync(python, words, { env, encoding: 'utf8' });
    if (status === 0) return (JSON.parse(stdout) as { ms: number }).ms;
  }
  return null;
}

function divide(panel: readonly Float64Array[]): void {
  const sums = panel.map((each) => blockSums(each, BLOCKS));
  const found = backtestOverfitting(sums, {
    blocks: BLOCKS,
    rows: Math.floor(panel[0]!.length / BLOCKS),
  });
  if (!found.ok) throw new Error(found.reason);
}

/** Returns simulated daily returns of trials, equal in every run. */
function simulatedTrials(trials: number, sessions: number): Float64Array[] {
  return Array.from({ length: trials }, (_, seed) => {
    const returns = new Float64Array(sessions);
    fillNormals(returns, { seed, firstSample: 0, dimensions: 1 });
    return returns.map((value) => 0.0004 + 0.01 * value);
  });
}
