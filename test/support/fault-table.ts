import { expect } from 'chai';
import Table from 'cli-table3';
import { tableStyle } from '#api/cli/shell/output.ts';
import type { Backend } from './backends.ts';
import { asSuperuser } from './rows.ts';
import { eventually } from './runs.ts';

type Tally = { submitted: number; sealed: number; lost: number; twice: number };

const rows: (string | number)[][] = [];

/**
 * Waits until every run of the workspace has ended, then checks that each submitted run was sealed exactly
 * once and that no other run exists. Adds a line with the counts to the table that is printed at the end.
 */
export async function expectSealedOnce(
  live: Backend,
  fault: string,
  workspace: string,
  submitted: readonly string[],
  remark = '',
): Promise<void> {
  const tally = await eventually(async () => {
    const counted = await tallyOf(live, workspace, submitted);
    return counted.open === 0 && counted;
  });
  const { sealed, lost, twice } = tally;
  rows.push([fault, live.name, submitted.length, sealed, lost, twice, remark]);
  expect(tally).to.include({ submitted: submitted.length, sealed: submitted.length, lost: 0, twice: 0 });
  expect(tally.others, 'runs that nobody submitted').to.equal(0);
}

/** Adds a line to the table without any check. */
export function showFigure(live: Backend, what: string, figure: string): void {
  rows.push([what, live.name, '', '', '', '', figure]);
}

/** Prints the counts of the fault tests. */
export function printFaultTable(): void {
  if (rows.length === 0) return;
  const table = new Table({
    head: ['fault', 'queue', 'submitted', 'sealed once', 'lost', 'sealed twice', ''],
    ...tableStyle,
  });
  table.push(...rows);
  process.stdout.write(`${table.toString()}\n`);
}

/**
 * Counts the runs and their seals. A run is sealed twice if it has two results, or if its result changed
 * after the run had ended.
 */
async function tallyOf(
  live: Backend,
  workspace: string,
  submitted: readonly string[],
): Promise<Tally & { open: number; others: number }> {
  return asSuperuser(live, async (client) => {
    const { rows: found } = await client.query<{ uid: string; state: string; seals: number }>(
      `select uid, state,
              (select count(*)::int from run_result r where r.run_uid = uid and (r.seal ->> 'sealed_at')::timestamptz = finished_at) as seals
       from run where workspace_uid = $1`,
      [workspace],
    );
    const known = new Map(found.map((row) => [row.uid, row]));
    const own = submitted.map((uid) => known.get(uid));
    return {
      submitted: new Set(submitted).size,
      sealed: own.filter((row) => row?.state === 'succeeded' && row.seals === 1).length,
      lost: own.filter((row) => row?.state !== 'succeeded').length,
      twice: own.filter((row) => row !== undefined && row.state === 'succeeded' && row.seals !== 1).length,
      open: found.filter((row) => row.state === 'queued' || row.state === 'running').length,
      others: found.length - own.filter((row) => row !== undefined).length,
    };
  });
}
