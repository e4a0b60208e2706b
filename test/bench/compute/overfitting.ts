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
const cases = {
  full: [
    { trials: 100, sessions: 1_006, peer: PYPBO_MS },
    { trials: 200, sessions: 1_000, peer: null },
    { trials: 1_000, sessions: 200, peer: null },
  ],
  tiny: [{ trials: 5, sessions: 64, peer: null }],
};

/** Measures the probability of backtest overfitting by combinatorial cross-validation, starting from the returns. */
export async function overfittingRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { trials, sessions, peer } of cases[size]) {
    const [many, days] = [trials.toLocaleString('en'), sessions.toLocaleString('en')];
    const label = `probability of overfitting, ${many} trials x ${days} sessions, ${BLOCKS} blocks`;
    notify(label);
    const panel = simulatedTrials(trials, sessions);
    const figures = await interleave(rounds[size], {
      subject: async () => processorMs(() => divide(panel)),
      peer: async () => peer ?? Number.NaN,
    });
    const note = peer === null ? 'no peer' : 'peer: constant 20.6 s, measured with esvhd/pypbo at ddbc6314';
    const row = ratioRow(
      { bench, case: label, unit: 'ms', note },
      figures,
      peer === null ? null : { max: 0.01 },
    );
    rows.push(peer === null ? { ...row, peer: null, ratio: null, spread: null } : row);
  }
  return rows;
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
