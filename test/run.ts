import { readFileSync, writeFileSync } from 'node:fs';
import { openTestCluster, type Cluster } from './support/cluster.ts';
import { budgets } from './runner/budget.ts';
import { calibrate } from './runner/calibration.ts';
import { startChecks, type Checks } from './runner/checks.ts';
import { openCrew, type Crew, type Report } from './runner/crew.ts';
import { findFiles, intoLanes, longestFirst } from './runner/files.ts';
import { readOptions } from './runner/options.ts';
import { processorSeconds } from './runner/processor-time.ts';
import { unpooled } from './runner/unpooled.ts';
import { areaOf, sumByArea, tableOfAreas, type Spent } from './runner/report.ts';

/**
 * Runs the tests. First runs the checks of types, lint and format in parallel. Then runs all test files in a
 * few processes, the longest files first. Exits with 0 if all passed. Leaves no process running, even if it
 * is interrupted.
 */
const DURATIONS = new URL('runner/durations.json', import.meta.url);

const options = readOptions(process.argv.slice(2));
const started = performance.now();
const unit = calibrate();

let checks: Checks | undefined;
let crew: Crew | undefined;
let cluster: Cluster | undefined;
let givenUp: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void giveUp(signal));
say(`calibration: ${unit.processorSeconds.toFixed(2)} s of processor time, the unit of all budgets`);

const spent: Spent[] = [];
let passed = 0;
let failed = 0;
let pending = 0;

try {
  if (options.files.length === 0 && options.amount === 'usual') await runChecks();
  if (failed === 0) await runTests();
} catch (error) {
  if (!givenUp) {
    failed += 1;
    say(error instanceof Error ? error.stack! : String(error));
  }
} finally {
  await cluster?.release();
}
if (givenUp) process.exit(givenUp === 'SIGINT' ? 130 : 143);

spent.push({ area: 'runner', seconds: ownSeconds() });
const budget = budgets[options.amount];
say(`\n${tableOfAreas(sumByArea(spent), unit.processorSeconds, budget)}`);
const seconds = spent.reduce((sum, each) => sum + each.seconds, 0);
const units = Math.round(seconds / unit.processorSeconds);
say(
  `processor time: ${seconds.toFixed(1)} s, ${units} x calibration${budget.total ? `; the budget is ${budget.total}` : ''}`,
);
say(`wall-clock time: ${Math.round((performance.now() - started) / 1_000)} s`);
say(`${passed} passed, ${failed} failed, ${pending} skipped`);
process.exitCode = failed > 0 ? 1 : 0;

async function runChecks(): Promise<void> {
  const before = processorSeconds(process.pid);
  checks = startChecks();
  for (const { name, isGood, text } of await checks.done) {
    if (isGood) passed += 1;
    else failed += 1;
    say(`${isGood ? '✔' : '✖'} ${name}${isGood ? '' : `\n${text}`}`);
  }
  spent.push({ area: 'types, lint, format', seconds: processorSeconds(process.pid) - before });
}

async function runTests(): Promise<void> {
  cluster = await openTestCluster();
  if (givenUp) return;
  const durations = JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
  const chosen = options.files.length > 0 ? options.files : findFiles(options.amount);
  const files = chosen.filter((file) => {
    const reason = options.pooler ? unpooled[file] : undefined;
    if (reason !== undefined) say(`left out behind a pooler: ${file}, because ${reason}`);
    return reason === undefined;
  });
  crew = openCrew({
    size: options.jobs,
    env: {
      TEST_AMOUNT: options.amount,
      TEST_UNIT_SECONDS: String(unit.wallSeconds),
      TEST_POOLER: String(options.pooler),
    },
    colour: process.stdout.isTTY,
    ...(options.grep === undefined ? {} : { grep: options.grep }),
  });
  const took: Record<string, number> = {};
  await crew.run(intoLanes(longestFirst(files, durations), options.amount), (report) => {
    take(report);
    took[report.file] = Math.round((report.wallSeconds / unit.wallSeconds) * 10) / 10;
  });
  spent.push({ area: 'PostgreSQL', seconds: processorSeconds(await cluster.pid()) });
  if (options.record) {
    const entries = Object.entries({ ...durations, ...took }).filter(([, each]) => each >= 0.1);
    const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(DURATIONS, `${JSON.stringify(sorted, undefined, 2)}\n`);
  }
}

function take(report: Report): void {
  passed += report.passed;
  failed += report.failed;
  pending += report.pending;
  const isEnd = report.file === '';
  spent.push({ area: isEnd ? 'ends of processes' : areaOf(report.file), seconds: report.processorSeconds });
  if (isEnd && report.failed === 0) return void (report.text && say(report.text));
  const figures = `${report.passed} passed, ${report.wallSeconds.toFixed(1)} s, processor ${report.processorSeconds.toFixed(1)} s`;
  say(`${report.failed === 0 ? '✔' : '✖'} ${report.file || 'end of a process'} (${report.lane}, ${figures})`);
  if (report.failed > 0 || options.titles) say(report.text);
}

async function giveUp(signal: NodeJS.Signals): Promise<void> {
  if (givenUp) return;
  givenUp = signal;
  say(`${signal}: ending what was started`);
  checks?.abandon();
  await crew?.abandon();
}

/** Returns the processor time of the runner itself, in seconds. */
function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
