import { config } from 'chai';
import Mocha from 'mocha';
import { closeBackends } from '../support/backends.ts';
import { closeHosts } from '../support/cli-hosts.ts';
import { printFailovers } from '../support/failover/table.ts';
import { printFaultTable } from '../support/fault-table.ts';
import { processorSeconds } from './processor-time.ts';
import { END, GRACE_MS, TEST_TIMEOUT_MS, type Outcome, type Task } from './task.ts';

/**
 * The time within which an idle child must exit, in milliseconds. If the child does not exit, a test left a
 * resource open.
 */
const EXIT_WITHIN_MS = 10_000;

// The compiler already rejects a misspelt assertion. The proxies of chai only repeat that check, and take a
// tenth of the test time.
config.useProxy = false;

let usedBefore = processorSeconds(process.pid);
let running: Mocha.Runner | undefined;

process.on('message', (task: Task | 'end') => void (task === 'end' ? end().catch(fail) : run(task)));
process.on('disconnect', abandon);
process.on('SIGTERM', abandon);

/**
 * Runs one file, and reports the result to the parent. Services that the file started keep running for the
 * following files.
 */
async function run(task: Task): Promise<void> {
  const startedAt = performance.now();
  const { passes, failures, pending } = await runFile(task).catch((error: unknown) => {
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return { passes: 0, failures: 1, pending: 0 };
  });
  const outcome: Outcome = {
    passed: passes,
    failed: failures,
    pending,
    wallSeconds: (performance.now() - startedAt) / 1_000,
    processorSeconds: used(),
  };
  process.stdout.write(END, () => process.send!(outcome));
}

/** Returns the processor time since the last call, of this process and all processes that it started. */
function used(): number {
  const now = processorSeconds(process.pid);
  const since = now - usedBefore;
  usedBefore = now;
  return since;
}

async function runFile({
  file,
  grep,
  colour,
}: Task): Promise<Pick<Mocha.Stats, 'passes' | 'failures' | 'pending'>> {
  const mocha = new Mocha({
    color: colour,
    forbidOnly: true,
    timeout: TEST_TIMEOUT_MS,
    slow: TEST_TIMEOUT_MS,
    ...(grep === undefined ? {} : { grep: new RegExp(grep) }),
  });
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    running = mocha.run(() => resolve(running!.stats!));
  });
}

/**
 * Stops everything that was started for tests. If the process then stays alive, a test left a resource open.
 */
async function end(): Promise<void> {
  await closeHosts();
  await closeBackends();
  printFaultTable();
  printFailovers();
  const outcome: Outcome = { passed: 0, failed: 0, pending: 0, wallSeconds: 0, processorSeconds: used() };
  process.off('disconnect', abandon);
  process.send!(outcome, () => process.disconnect());
  setTimeout(() => {
    process.stderr.write(`tests left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit(1);
  }, EXIT_WITHIN_MS).unref();
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1));
}

/**
 * Ends all processes that were started for tests, after the run was aborted or the parent process has died.
 */
function abandon(): void {
  running?.abort();
  // A service that a test has suspended does not process the request to end, so the whole process group is
  // killed.
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), GRACE_MS).unref();
  void Promise.allSettled([closeHosts(), closeBackends()]).then(() => process.exit(1));
}
