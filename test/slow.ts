import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * `npm run test:slow`: runs all of `npm test` again and again while other work holds three quarters of each core. A
 * test that depends on the speed of the machine fails here. Options behind `--` go to the tests.
 */
const ROUNDS = 3;
/** Busy processes for each core: the tests get about a quarter of it. */
const BUSY = 3;
/** Gives way for a moment now and then, to notice that it is to end. */
const BUSY_LOOP = `
  process.on('disconnect', () => process.exit());
  const turn = () => {
    for (const end = performance.now() + 100; performance.now() < end; ) Math.sqrt(2);
    setImmediate(turn);
  };
  turn();`;

// Each in a session of its own, since Linux may share out a core among sessions first.
const busy = Array.from({ length: BUSY * availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', BUSY_LOOP], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }),
);
let isGood = true;
for (let round = 1; round <= ROUNDS; round++) {
  process.stdout.write(`round ${round} of ${ROUNDS}\n`);
  const tests = spawn(process.execPath, ['test/run.ts', ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  const [status] = await once(tests, 'exit');
  if (status === 0) continue;
  isGood = false;
  break;
}
for (const each of busy) each.disconnect();
process.exitCode = isGood ? 0 : 1;
