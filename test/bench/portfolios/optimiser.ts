import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchContext, Row } from '../bench.ts';
import { startRounds, type RoundProcess } from '../factors/round-process.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { optimiserCases, writeCase, type OptimiserCase } from './optimiser-cases.ts';

const HOW = 'cvxopt or scipy are not there; on Debian: apt-get install -y python3-cvxopt python3-scipy';
const peers = { variance: 'cvxopt qp', cvar: 'scipy linprog (HiGHS)' };
const ours = {
  variance: 'Cholesky, active sets, conditions of optimality',
  cvar: 'cutting planes, then the smallest variance among the optima',
};

/** Compares portfolio optimisers with cvxopt and HiGHS on the same data, each in its own process with one thread. */
export async function optimiserRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const python = findPython();
  if (!python) notify(HOW);
  const rows: Row[] = [];
  for (const each of optimiserCases[size]) {
    notify(`${each.label}, ${each.rounds} rounds`);
    rows.push(await runCase(bench, each, python));
  }
  return rows;
}

async function runCase(bench: string, each: OptimiserCase, python: string | undefined): Promise<Row> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  const file = (name: string) => path.join(folder, name);
  const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  try {
    writeCase(file('data'), each);
    const words = [each.kind, String(each.repeats), file('data')];
    const sides: Record<string, RoundProcess> = {
      subject: startRounds(process.execPath, [entry('./optimiser-subject.ts'), ...words, file('subject')]),
      ...(python && { peer: startRounds(python, [entry('./optimiser.py'), ...words, file('peer')]) }),
    };
    const work = Object.fromEntries(Object.entries(sides).map(([side, { round }]) => [side, round]));
    if (each.rounds > 1) await interleave(3, work); // warms up
    const ms = await interleave(each.rounds, work);
    for (const side of Object.values(sides)) await side.end();
    const times = `${each.repeats} times`;
    const note = python ? `${times}; ours: ${ours[each.kind]}; peer: ${peers[each.kind]}` : HOW;
    const about = { bench, case: each.label, unit: 'ms', note };
    const subject = ms['subject']!;
    if (!python)
      return { ...ratioRow(about, { subject, peer: subject }, null), peer: null, ratio: null, spread: null };
    assertSame(file('subject'), file('peer'), each.apartMax);
    return ratioRow(about, { subject, peer: ms['peer']! }, { max: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws if the objectives of subject and peer differ by more than `apartMax`, relative to the peer. */
function assertSame(one: string, other: string, apartMax: number): void {
  const [mine, theirs] = [one, other].map((file) => readFileSync(file).readDoubleLE()) as [number, number];
  if (!(Math.abs(mine - theirs) <= apartMax * Math.abs(theirs)))
    throw new Error(`the objective is ${mine} here and ${theirs} there`);
}

/** Finds a Python that has cvxopt and scipy: the first Python on the path, or Debian's own. */
function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import cvxopt, scipy'], { stdio: 'ignore' }).status === 0,
  );
}
