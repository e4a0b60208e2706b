import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Row, Size } from './bench.ts';
import { factorCases, type FactorCase } from './factors/cases.ts';
import { regressionsOf, writeRegressions } from './factors/handover.ts';
import { startRounds, type RoundProcess } from './factors/round-process.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'factors';
const DIFFERENCE_MAX = 1e-9;
const HOW = 'scikit-learn is not there; on Debian: apt-get install -y python3-sklearn';
const peers = ['sklearn', 'numpy'] as const;
type Side = 'ridge' | 'model' | (typeof peers)[number];

/** Compares the factor model with scikit-learn and numpy, each in its own process with one thread. */
export const bench: Bench = {
  summary: 'theme factor model: time and peak memory',
  targets:
    'against scikit-learn month by month: <= 0.2 x where a symbol has few themes, because the model never reads the ' +
    'zeros; <= 1 x where it has all of them; peak memory of the process, data included, <= 1 x.',
  async run({ size, notify }) {
    const python = findPython();
    if (!python) notify(HOW);
    const rows: Row[] = [];
    for (const [key, factorCase] of Object.entries(factorCases[size])) {
      notify(`${factorCase.label}, ${factorCase.rounds} rounds`);
      rows.push(...(await runCase({ size, key, factorCase, python })));
    }
    return rows;
  },
};

type CaseRun = { size: Size; key: string; factorCase: FactorCase; python: string | undefined };

async function runCase({ size, key, factorCase, python }: CaseRun): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  const result = (side: Side) => path.join(folder, `${side}.result`);
  try {
    const data = path.join(folder, 'regressions');
    const regressions = regressionsOf(factorCase.market());
    writeRegressions(data, regressions);
    const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));
    const sides: Partial<Record<Side, RoundProcess>> = {
      ridge: startRounds(process.execPath, [entry('./factors/ridge.ts'), data, result('ridge')]),
      model: startRounds(process.execPath, [entry('./factors/model.ts'), size, key]),
    };
    for (const peer of python ? peers : []) {
      sides[peer] = startRounds(python!, [entry('./factors.py'), peer, data, result(peer)]);
    }
    const names = Object.keys(sides) as Side[];
    const work = Object.fromEntries(names.map((name) => [name, sides[name]!.round]));
    await interleave(1, work); // warms up
    const ms = await interleave(factorCase.rounds, work);
    const mb: Partial<Record<Side, number | null>> = {};
    for (const name of names) mb[name] = await sides[name]!.end();
    if (!python) return names.map((name) => alone(factorCase, name, ms[name]!));
    for (const peer of peers) {
      assertSame(result('ridge'), result(peer), regressions.sections.exposures.columns + 1);
    }
    return [...timeRows(factorCase, ms as Record<Side, number[]>), ...memoryRows(factorCase, mb)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const does: Record<Side, string> = {
  ridge: 'Gram matrix, coverage, winsorizing, ridge, effective parameters, residuals, index returns',
  model: 'all of the model: decimal texts and dates to returns, ridge step, statistics, SHA-256, risk',
  sklearn: 'winsorizing, standardizing, Ridge.fit, residuals, index returns; float64, dense',
  numpy: 'winsorizing, covariance, numpy.linalg.solve, residuals, index returns; float64, dense',
};

function timeRows({ label, max }: FactorCase, ms: Record<Side, number[]>): Row[] {
  const row = (subject: Side, peer: Side, bound: { max: number } | null) =>
    ratioRow(
      {
        bench: BENCH,
        case: `${label}: ${subject === 'ridge' ? 'ridge step' : 'whole model'} against ${peer}`,
        unit: 'ms',
        note: `ours: ${does[subject]}; peer: ${does[peer]}`,
      },
      { subject: ms[subject], peer: ms[peer] },
      bound,
    );
  return [row('ridge', 'sklearn', { max }), row('ridge', 'numpy', null), row('model', 'sklearn', null)];
}

function memoryRows({ label }: FactorCase, mb: Partial<Record<Side, number | null>>): Row[] {
  const { ridge, model, sklearn } = mb;
  if (!ridge || !model || !sklearn) return [];
  const note = 'VmHWM of the whole process with its data';
  const row = (what: string, figure: number, bound: { max: number } | null) => ({
    ...ratioRow(
      { bench: BENCH, case: `${label}: memory, ${what} against sklearn`, unit: 'MB', note },
      { subject: [figure], peer: [sklearn] },
      bound,
    ),
    spread: null,
  });
  return [row('ridge step', ridge, { max: 1 }), row('whole model', model, null)];
}

function alone({ label }: FactorCase, side: Side, ms: readonly number[]): Row {
  const about = { bench: BENCH, case: `${label}: ${side}`, unit: 'ms', note: HOW };
  const measured = ratioRow(about, { subject: ms, peer: ms }, null);
  return { ...measured, peer: null, ratio: null, spread: null };
}

/**
 * Throws if an estimate of the subject differs from that of the peer by more than 1e-9 of the largest
 * estimate of the month.
 */
function assertSame(one: string, other: string, width: number): void {
  const [ours, theirs] = [one, other].map((file) => {
    const bytes = readFileSync(file);
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  }) as [Float64Array, Float64Array];
  if (ours.length !== theirs.length) throw new Error(`${one} and ${other} are not of the same months`);
  for (let start = 0; start < ours.length; start += width) {
    const month = ours.subarray(start, start + width);
    const scale = month.reduce((max, value) => Math.max(max, Math.abs(value) || 0), 0);
    month.forEach((value, at) => {
      const peer = theirs[start + at]!;
      if (Number.isNaN(value) && Number.isNaN(peer)) return;
      if (!(Math.abs(value - peer) <= DIFFERENCE_MAX * scale)) {
        throw new Error(`estimate ${start + at} is ${value} here and ${peer} there (${other})`);
      }
    });
  }
}

/** Finds a Python that has scikit-learn: the first Python on the path, or Debian's own. */
function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import sklearn, numpy'], { stdio: 'ignore' }).status === 0,
  );
}
