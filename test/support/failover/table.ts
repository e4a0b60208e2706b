import Table from 'cli-table3';
import { expect } from 'chai';
import { tableStyle } from '#api/cli/shell/output.ts';
import { silenceLimitsMs } from '#lib/database/time-limits.ts';
import { assay } from '../cli.ts';
import type { Backend } from '../backends.ts';
import { slowed } from '../patience.ts';
import { asSuperuser } from '../rows.ts';
import { eventually } from '../runs.ts';
import type { Callers, Ground } from './callers.ts';

/** Longest time from the new primary until all services work again, in milliseconds. */
const WHOLE_MS_MAX = 15_000;

export type Failover = {
  fault: string;
  /** Milliseconds from the fault until another node was the primary. */
  electedMs: number;
  /** Milliseconds from then until every kind of request had succeeded. */
  wholeMs: number;
};

const rows: (string | number)[][] = [];

/** Checks the answers of the callers and all effects, and adds a line with the counts to the printed table. */
export async function expectWhole(
  live: Backend,
  { fault, electedMs, wholeMs }: Failover,
  { acknowledged, answers }: Callers,
  ground: Ground,
): Promise<void> {
  const effects = await countEffects(live, acknowledged, ground);
  const { runs, obligations, settlements, imports } = acknowledged;
  rows.push([
    fault,
    seconds(electedMs),
    seconds(wholeMs),
    answers.done,
    answers.unavailable,
    answers.refused,
    answers.faults.length,
    seconds(answers.slowestMs),
    runs.length,
    obligations.length,
    settlements.length,
    imports.length,
    effects.lost,
    effects.doubled,
  ]);
  expect(answers.faults, 'answers other than success, 503 with Retry-After, and 4xx').to.deep.equal([]);
  expect(answers.slowestMs).to.be.below(slowed(silenceLimitsMs.api));
  expect(effects).to.include({ lost: 0, doubled: 0 });
  expect(wholeMs).to.be.below(slowed(WHOLE_MS_MAX));
}

/** Prints the counts of all faults. */
export function printFailovers(): void {
  if (rows.length === 0) return;
  const head = [
    ...['fault', 'new primary, s', 'whole after, s'],
    ...['done', '503', '4xx', 'other', 'slowest, s'],
    ...['runs', 'obligations', 'settlements', 'imports', 'lost', 'twice'],
  ];
  const table = new Table({ head, ...tableStyle });
  table.push(...rows);
  process.stdout.write(`${table.toString()}\n`);
}

/** Counts acknowledged effects that do not exist, and effects that exist although no caller or only one requested them. */
async function countEffects(
  live: Backend,
  { obligations, settlements, imports }: Callers['acknowledged'],
  { workspace, importing, counterparty, delegation }: Ground,
): Promise<{ lost: number; doubled: number }> {
  return asSuperuser(live, async (client) => {
    const found = async (query: string, ...values: string[]) =>
      (await client.query<{ name: string }>(query, values)).rows.map(({ name }) => name);
    const kept = [
      {
        asked: obligations,
        found: await found(
          'select uid as name from obligation where workspace_uid = $1 and counterparty_id::text = $2',
          workspace,
          String(counterparty),
        ),
      },
      {
        asked: settlements,
        found: await found(
          `select reference as name from reservation where delegation_uid = $1 and state = 'settled' and settled = 1`,
          delegation,
        ),
      },
      {
        asked: imports,
        found: await found(
          `select i.uid as name from dataset_import i join dataset d on d.id = i.dataset_id
           where d.workspace_uid = $1`,
          importing,
        ),
      },
    ];
    const { rows: totals } = await client.query<{ reservations: number; settled: number; reserved: number }>(
      `select (select count(*)::int from reservation where delegation_uid = $1) as reservations,
              coalesce(sum(settled), 0)::int as settled, coalesce(sum(reserved), 0)::int as reserved
       from delegation_window where delegation_uid = $1 and kind = 'month'`,
      [delegation],
    );
    const count = settlements.length;
    expect(totals[0], 'the budget').to.deep.equal({ reservations: count, settled: count, reserved: 0 });
    return {
      lost: kept.reduce(
        (sum, each) => sum + each.asked.filter((name) => !each.found.includes(name)).length,
        0,
      ),
      doubled: kept.reduce(
        (sum, each) => sum + each.found.filter((name) => !each.asked.includes(name)).length,
        0,
      ),
    };
  });
}

/** Recomputes the audit log of a workspace from its first entry. Every entry must be in the tree. */
export async function expectLogIntact(live: Backend, workspace: string): Promise<void> {
  await eventually(async () => {
    const { status, json, stderr } = await assay(live, 'audit', 'verify', '--workspace', workspace, '--json');
    expect(status, stderr).to.equal(0);
    const logs = json.data as { entries: number; not_placed: number }[];
    return logs.some(({ entries }) => entries > 0) && logs.every((log) => log.not_placed === 0);
  }, 'a complete audit log');
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
