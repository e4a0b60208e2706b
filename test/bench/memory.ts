import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ownHome, type Home } from '../support/home.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { FACTORS, FACTORS_BODY, serve, withSample } from './serve.ts';

const BENCH = 'memory';
const RUNS = { full: 1_000, tiny: 2 };
/** The time in which the started processes come to rest, in milliseconds. */
const REST_MS = { full: 20_000, tiny: 0 };
const TARGETS = { idle: 650, numerics: 400, api: 250 };

/** Measures the memory of all processes of `assay serve`, idle and after many runs of the sample. */
export const bench: Bench = {
  summary: 'memory of all processes of `assay serve`, idle and after runs of the sample, MB',
  targets:
    'idle <= 650 MB in all without the console; after 1,000 runs of the sample, a numerics worker <= 400 MB and the ' +
    'API <= 250 MB. The memory of a process is its proportional set size: pages that processes share count once. ' +
    'The code has been compiled by an earlier start.',
  async run(context) {
    if (process.platform !== 'linux') return [];
    const home = await ownHome();
    try {
      return await measure(home, context);
    } finally {
      await home.remove();
    }
  },
};

async function measure(home: Home, { size, notify }: BenchContext): Promise<Row[]> {
  // The first start after an installation compiles the code, and keeps the compiler in memory.
  await (await serve(home)).stop();
  const server = await serve(home);
  try {
    await delay(REST_MS[size]);
    const idle = memoryOf(server.child.pid!);
    notify(`${RUNS[size]} runs of the sample, one after the other`);
    await submitRuns(home, server.url, size);
    const used = memoryOf(server.child.pid!);
    const withoutConsole = sumOf(idle.filter(({ part }) => part !== 'console'));
    return [
      rowOf('idle, without the console', withoutConsole, TARGETS.idle),
      rowOf('idle, with the console', sumOf(idle)),
      ...partsOf(idle).map(([part, mb]) => rowOf(`idle: ${part}`, mb)),
      rowOf(
        'numerics worker after the runs',
        sumOf(used.filter(({ part }) => part === 'numerics')),
        TARGETS.numerics,
      ),
      rowOf('API after the runs', sumOf(used.filter(({ part }) => part === 'api')), TARGETS.api),
    ];
  } finally {
    await server.stop();
  }
}

async function submitRuns(home: Home, url: string, size: BenchContext['size']): Promise<void> {
  await withSample({ home, url, size }, async (client) => {
    for (let run = 0; run < RUNS[size]; run += 1) {
      const answer = await client.post(FACTORS, FACTORS_BODY[size]);
      if (answer.status !== 201) throw new Error(`the run was not sealed: ${answer.status}`);
    }
  });
}

type ProcessMemory = { part: string; mb: number };

/** Returns the memory of a process and of all processes below it, with the part of Assay that each belongs to. */
function memoryOf(root: number): ProcessMemory[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const status = readProcess(name, 'status');
        const parent = status && /^PPid:\s+(\d+)$/m.exec(status);
        return parent ? [[Number(name), Number(parent[1])] as const] : [];
      }),
  );
  const isBelow = (pid: number): boolean =>
    pid === root || (parents.has(pid) && parents.get(pid)! > 1 && isBelow(parents.get(pid)!));
  return [...parents.keys()].filter(isBelow).flatMap((pid) => {
    const pss = /^Pss:\s+(\d+) kB$/m.exec(readProcess(String(pid), 'smaps_rollup') ?? '');
    return pss ? [{ part: partOf(String(pid)), mb: (Number(pss[1]) * 1_024) / 1e6 }] : [];
  });
}

function partOf(pid: string): string {
  const command = readProcess(pid, 'cmdline') ?? '';
  if (command.includes('main.ts')) return 'supervisor';
  if (command.includes('api/process/server.ts')) return 'api';
  if (command.includes('console/server.ts')) return 'console';
  if (command.includes('scheduler.ts')) return 'scheduler';
  if (!command.includes('worker.ts')) return 'PostgreSQL';
  return readProcess(pid, 'environ')?.includes('WORKER_QUEUE=io') ? 'io' : 'numerics';
}

/** Returns a file of a process; undefined if the process has ended. */
function readProcess(pid: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function sumOf(processes: readonly ProcessMemory[]): number {
  return processes.reduce((sum, { mb }) => sum + mb, 0);
}

function partsOf(processes: readonly ProcessMemory[]): [part: string, mb: number][] {
  const groups = Map.groupBy(processes, ({ part }) => part);
  return [...groups].map(([part, own]) => [part, sumOf(own)]);
}

function rowOf(name: string, mb: number, limit?: number): Row {
  const target = limit === undefined ? null : `<= ${limit} MB`;
  return {
    bench: BENCH,
    case: name,
    figure: mb,
    unit: 'MB',
    peer: null,
    ratio: null,
    spread: null,
    target,
    met: limit === undefined ? null : mb <= limit,
    note: '',
  };
}
