import { readFileSync } from 'node:fs';
import { kinds } from './kinds.ts';
import { GoldenFileError, type Report } from './report.ts';

const FAILURES_SHOWN = 20;
const NOTES_SHOWN = 5;
const usage = `usage: npm run golden -- <kind> <file>   (kinds: ${Object.keys(kinds).join(', ')})`;

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the command. Returns the exit status: 0 if all comparisons passed, 1 if a comparison failed, 2 if the
 * call or the file is at fault.
 */
async function main(args: string[]): Promise<number> {
  const [kind, path] = args;
  if (kind === undefined || path === undefined || args.length > 2) return refuse(usage);
  const load = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (load === undefined) return refuse(`unknown kind ${JSON.stringify(kind)}\n${usage}`);
  const { check } = await load();
  try {
    const report = await check(read(path), path);
    if (report.comparisons + report.failures.length === 0) return refuse(`${path}: nothing to compare`);
    process.stdout.write(`${describe(report)}\n`);
    return report.failures.length > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof GoldenFileError) return refuse(`${path}: ${error.message}`);
    throw error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new GoldenFileError((error as Error).message);
  }
}

function refuse(text: string): number {
  process.stderr.write(`golden: ${text}\n`);
  return 2;
}

function describe({ cases, comparisons, worst, failures, notes, lines = [] }: Report): string {
  const difference =
    worst === undefined ? '0' : `${worst.absolute} absolute, ${worst.relative} relative, at ${worst.name}`;
  return [
    `cases: ${cases}`,
    `values compared: ${comparisons}`,
    `worst difference: ${difference}`,
    ...lines,
    `failures: ${failures.length}`,
    ...failures.slice(0, FAILURES_SHOWN).map(describeFailure),
    ...more(failures.length - FAILURES_SHOWN, 'failures'),
    ...notes.slice(0, NOTES_SHOWN).map((note) => `not compared: ${note}`),
    ...more(notes.length - NOTES_SHOWN, 'notes'),
  ].join('\n');
}

function describeFailure({ name, expected, actual }: Report['failures'][number]): string {
  return `  ${name}\n    expected ${expected}\n    actual   ${actual}`;
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`  and ${count} more ${what}`] : [];
}
