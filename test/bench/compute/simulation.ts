import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchContext, Row } from '../bench.ts';
import { startRounds, type RoundProcess } from '../factors/round-process.ts';
import { RETURNS } from '../models/returns.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { simulationCases, type SimulationCase } from './simulation-cases.ts';

const HOW = 'numpy is not there; on Debian: apt-get install -y python3-numpy';
const ROUNDS = 3;
/** Maximum difference between the means of both sides, in standard errors. */
const ERRORS_MAX = 5;

/** Compares simulations with numpy, each in its own process with one thread. */
export async function simulationRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const python = findPython();
  if (!python) notify(HOW);
  const rows: Row[] = [];
  for (const each of simulationCases(size)) {
    const rounds = size === 'full' ? ROUNDS : 1;
    notify(`simulation, ${each.name}, ${rounds} rounds`);
    rows.push(...(await runCase(bench, each, { python, rounds })));
  }
  return rows;
}

async function runCase(
  bench: string,
  { name, paths, months, assets, bound }: SimulationCase,
  { python, rounds }: { python: string | undefined; rounds: number },
): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  const file = (side: string) => path.join(folder, side);
  const entry = (source: string) => fileURLToPath(new URL(source, import.meta.url));
  const words = [name, String(paths), String(months), String(assets), fileURLToPath(RETURNS)];
  try {
    const sides: Record<string, RoundProcess> = {
      subject: startRounds(process.execPath, [entry('./simulation-subject.ts'), ...words, file('subject')]),
      ...(python && { peer: startRounds(python, [entry('./simulation.py'), ...words, file('peer')]) }),
    };
    const ms = await interleave(
      rounds,
      Object.fromEntries(Object.entries(sides).map(([side, { round }]) => [side, round])),
    );
    const mb = await Promise.all(Object.values(sides).map((side) => side.end()));
    const label = `simulation, ${name}, ${paths.toLocaleString('en')} paths x ${months} months x ${assets} assets`;
    const about = { bench, case: label, unit: 'ms' };
    const memory = memoryRow({ ...about, case: `${label}: peak memory` }, mb[0] ?? null);
    const subject = ms['subject']!;
    if (!python) {
      const alone = ratioRow({ ...about, note: HOW }, { subject, peer: subject }, null);
      return [{ ...alone, peer: null, ratio: null, spread: null }, ...memory];
    }
    assertNear(file('subject'), file('peer'));
    const note =
      'ours: the whole result, with fan, drawdowns and intervals; peer: paths, terminal mean and quantiles by numpy';
    return [ratioRow({ ...about, note }, { subject, peer: ms['peer']! }, bound), ...memory];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function memoryRow(about: Pick<Row, 'bench' | 'case'>, mb: number | null): Row[] {
  if (mb === null) return [];
  const figures = { subject: [mb], peer: [mb] };
  const row = ratioRow({ ...about, unit: 'MB', note: 'VmHWM of the process' }, figures, null);
  return [{ ...row, peer: null, ratio: null, spread: null }];
}

/** Throws if the mean terminal wealths differ by more than chance explains. */
function assertNear(one: string, other: string): void {
  const [mine, theirs] = [one, other].map((file) => readFileSync(file)) as [Buffer, Buffer];
  const [mean, error] = [mine.readDoubleLE(0), mine.readDoubleLE(8)];
  if (!(Math.abs(mean - theirs.readDoubleLE(0)) <= ERRORS_MAX * Math.SQRT2 * error))
    throw new Error(`the mean is ${mean} here and ${theirs.readDoubleLE(0)} there`);
}

function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import numpy'], { stdio: 'ignore' }).status === 0,
  );
}
