import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchContext, Row } from './bench.ts';
import { startRounds, type RoundProcess } from './factors/round-process.ts';
import { modelCases, type ModelCase } from './models/cases.ts';
import { RETURNS } from './models/returns.ts';
import { dividedComputations } from './models/divided-computation.ts';
import { dividedRows } from './models/divided.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'models';
const HOW =
  'scikit-learn, scipy or numpy are not there; on Debian: apt-get install -y python3-numpy python3-scipy python3-sklearn';
const LIKELIHOODS_APART_MAX = 1e-9;

/**
 * Measures scenarios, drift, regimes and anomalies against numpy, scipy and scikit-learn, each in a process
 * with one thread.
 */
export const bench: Bench = {
  summary:
    'models: processor time of scenarios, drift, regimes and anomalies, and runs divided among workers',
  targets:
    'scenarios <= 0.9 x numpy; drift <= 0.2 x scipy; regimes <= 1 x numpy; each method of anomaly <= 1 x scikit-learn; ' +
    'a divided run >= 1.7 x as fast on 2 worker processes. Processor time, so that other load counts for neither.',
  async run(context) {
    const { size, notify } = context;
    const python = findPython();
    if (!python) notify(HOW);
    const rows: Row[] = [];
    for (const [name, modelCase] of Object.entries(modelCases(size))) {
      notify(`${modelCase.label}, ${modelCase.rounds} rounds`);
      rows.push(...(await runCase(name, modelCase, python)));
    }
    return [...rows, ...(await divided(context))];
  },
};

async function divided(context: BenchContext): Promise<Row[]> {
  const rows = await dividedComputations(BENCH, context);
  for (const backend of context.backends) rows.push(...(await dividedRows(BENCH, backend, context)));
  return rows;
}

async function runCase(name: string, modelCase: ModelCase, python: string | undefined): Promise<Row[]> {
  const { label, rows, columns, rounds, bound, ours, peer, memory } = modelCase;
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  const result = (side: string) => path.join(folder, `${side}.result`);
  const entry = (file: string) => fileURLToPath(new URL(`./models/${file}`, import.meta.url));
  const words = [name, String(rows), String(columns)];
  try {
    const sides: Record<string, RoundProcess> = {
      subject: startRounds(process.execPath, [entry('subject.ts'), ...words, result('subject')]),
      ...(python && {
        peer: startRounds(python, [entry('models.py'), ...words, fileURLToPath(RETURNS), result('peer')]),
      }),
    };
    const work = Object.fromEntries(Object.entries(sides).map(([side, { round }]) => [side, round]));
    if (rounds > 1) await interleave(1, work); // warms up
    const ms = await interleave(rounds, work);
    const mb: Record<string, number | null> = {};
    for (const [side, process] of Object.entries(sides)) mb[side] = await process.end();
    const about = { bench: BENCH, case: label, unit: 'ms', note: `ours: ${ours}; peer: ${peer}` };
    const subject = ms['subject']!;
    if (!python)
      return [{ ...ratioRow({ ...about, note: HOW }, { subject, peer: subject }, null), ...withoutPeer }];
    if (name === 'regime') assertSame(result('subject'), result('peer'));
    return [
      ratioRow(about, { subject, peer: ms['peer']! }, bound),
      ...(memory ? memoryRow(label, mb['subject'] ?? null, mb['peer'] ?? null) : []),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const withoutPeer = { peer: null, ratio: null, spread: null };

function memoryRow(label: string, subject: number | null, peer: number | null): Row[] {
  if (subject === null || peer === null) return [];
  const about = { bench: BENCH, case: `${label}: peak memory`, unit: 'MB', note: 'VmHWM of the process' };
  return [{ ...ratioRow(about, { subject: [subject], peer: [peer] }, null), spread: null }];
}

/** Throws if the likelihood of the subject differs from that of the peer. */
function assertSame(one: string, other: string): void {
  const [ours, theirs] = [one, other].map((file) => {
    const bytes = readFileSync(file);
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  }) as [Float64Array, Float64Array];
  ours.forEach((value, at) => {
    if (!(Math.abs(value - theirs[at]!) <= LIKELIHOODS_APART_MAX * Math.abs(value)))
      throw new Error(`likelihood ${at} is ${value} here and ${theirs[at]} there`);
  });
}

/** Finds a Python with numpy, scipy and scikit-learn: the first Python on the path, or Debian's own. */
function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import sklearn, scipy, numpy'], { stdio: 'ignore' }).status === 0,
  );
}
