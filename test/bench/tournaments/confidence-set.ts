import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { circularResamples } from '#lib/numerics/comparison/circular-resamples.ts';
import { modelConfidenceSet } from '#lib/numerics/comparison/model-confidence-set.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';

const SHAPE = {
  full: { entries: 20, losses: 500, resamples: 2_000, rounds: 5 },
  tiny: { entries: 4, losses: 40, resamples: 100, rounds: 1 },
};
const RATIO_MAX = 0.2;
const BLOCK = 8;
const HOW = 'arch is not there; pip install arch';

/**
 * Compares a model confidence set with that of the Python package arch on the same losses, if the package is installed.
 */
export async function confidenceSetRow(bench: string, { size, notify }: BenchContext): Promise<Row> {
  const { entries, losses, resamples, rounds } = SHAPE[size];
  notify(`model confidence set, ${rounds} rounds`);
  const rows = Array.from({ length: entries }, (_, entry) =>
    Float64Array.from(
      { length: losses },
      (__, at) => 1 + entry / 50 + ((at * (37 + 12 * entry)) % 101) / 101,
    ),
  );
  const ours = async () =>
    timed(() => modelConfidenceSet(rows, circularResamples(losses, { block: BLOCK, resamples, seed: 0 })));
  const python = ['python3', '/usr/bin/python3'].find(
    (each) => spawnSync(each, ['-c', 'import arch'], { stdio: 'ignore' }).status === 0,
  );
  const about = {
    bench,
    case: `model confidence set of ${entries} entries x ${losses} losses x ${resamples} resamples`,
    unit: 'ms',
    note: python ? 'peer: arch, method R' : HOW,
  };
  await ours();
  if (!python) {
    const { subject } = await interleave(rounds, { subject: ours });
    return { ...ratioRow(about, { subject, peer: subject }, null), peer: null, ratio: null, spread: null };
  }
  const script = fileURLToPath(new URL('confidence-set.py', import.meta.url));
  const peer = async () => {
    const words = [script, String(BLOCK), String(resamples)];
    const { stdout, stderr, status } = spawnSync(python, words, {
      input: JSON.stringify(rows.map((row) => [...row])),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`arch failed: ${stderr}`);
    return Number(stdout);
  };
  return ratioRow(about, await interleave(rounds, { subject: ours, peer }), { max: RATIO_MAX });
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
