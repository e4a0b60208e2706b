import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/**
 * Implements `npm run test:slow`: runs all of `npm test` three times on a quarter of the machine. A test that
 * depends on the speed of the machine fails here. Options after `--` are passed to the tests.
 */
const ROUNDS = 3;
const SHARE = 1 / 4;
const PERIOD_US = 100_000;

/**
 * The folders in which Linux lets a process create control groups with a quota of processor time: first for
 * version 2, then for version 1.
 */
const GROUPS = ['/sys/fs/cgroup', '/sys/fs/cgroup/cpu'];

/**
 * The number of busy processes per core if no quota can be set. The tests then get about a quarter of each
 * core.
 */
const BUSY = 3;
/** The program of a busy process. It yields periodically, so that it can be ended. */
const BUSY_LOOP = `
  process.on('disconnect', () => process.exit());
  const turn = () => {
    for (const end = performance.now() + 100; performance.now() < end; ) Math.sqrt(2);
    setImmediate(turn);
  };
  turn();`;

/**
 * A means of slowing the tests down: a command under which a test run is slow, and a function that undoes the
 * preparation.
 */
type Throttle = { name: string; command: readonly string[]; release(): void };

const throttle = quota() ?? otherWork();
let isGood = true;
for (let round = 1; isGood && round <= ROUNDS; round++) {
  process.stdout.write(`round ${round} of ${ROUNDS}, ${throttle.name}\n`);
  const [program, ...words] = [
    ...throttle.command,
    process.execPath,
    'test/run.ts',
    ...process.argv.slice(2),
  ] as [string, ...string[]];
  const tests = spawn(program, words, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  const [status] = await once(tests, 'exit');
  isGood = status === 0;
}
throttle.release();
process.exitCode = isGood ? 0 : 1;

/**
 * Creates a control group with a quota; undefined if the system has no control groups or this user may not
 * create one.
 */
function quota(): Throttle | undefined {
  const budget = Math.round(availableParallelism() * SHARE * PERIOD_US);
  for (const place of GROUPS) {
    const group = path.join(place, `assay-slow-${process.pid}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    if (!existsSync(path.join(group, 'cgroup.procs'))) {
      // The path is the root of several hierarchies of cgroup version 1. A new folder in this root is not a control
      // group, so it is removed.
      rmdirSync(group);
      continue;
    }
    const limits: [string, string][] = existsSync(path.join(group, 'cpu.cfs_quota_us'))
      ? [
          ['cpu.cfs_period_us', `${PERIOD_US}`],
          ['cpu.cfs_quota_us', `${budget}`],
        ]
      : [['cpu.max', `${budget} ${PERIOD_US}`]];
    try {
      for (const [file, limit] of limits) writeFileSync(path.join(group, file), limit);
    } catch {
      rmdirSync(group);
      continue;
    }
    return {
      name: `with a quota of ${budget / PERIOD_US} cores`,
      command: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'],
      release: () => rmdirSync(group),
    };
  }
  return undefined;
}

/**
 * Starts busy processes alongside the tests, each in its own session, because Linux may divide a core among
 * sessions before it divides it among processes.
 */
function otherWork(): Throttle {
  const busy = Array.from({ length: BUSY * availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', BUSY_LOOP], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }),
  );
  return {
    name: `beside ${busy.length} busy processes`,
    command: [],
    release: () => busy.forEach((each) => each.disconnect()),
  };
}
