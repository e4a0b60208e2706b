import type { PoolClient } from 'pg';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { minorDigits } from '#lib/core/money.ts';
import type { Backend } from '../../support/backends.ts';
import { asSuperuser } from '../../support/rows.ts';
import type { Fixture } from './fixture.ts';

type Placed = { workspace: string; fixture: Fixture; counterparties: ReadonlyMap<string, string> };
type Row = Record<string, unknown>;

/**
 * Writes the governed records of a fixture in place of the demo's records. They are written as rows, because their
 * dates are in the past, and no command writes past dates. Returns the names of the fixture by uid.
 */
export function writeRecords(backend: Backend, placed: Placed): Promise<Map<string, string>> {
  return asSuperuser(backend, async (client) => {
    const names = new Map<string, string>();
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const table of ['obligation', 'delegation', 'execution_exception', 'workflow_run'])
      await client.query(`delete from ${table} where workspace_uid = $1`, [placed.workspace]);
    for (const [table, prefix, rows] of tablesOf(placed)) {
      for (const { ref, ...row } of rows) {
        const uid = newUid(prefix as never);
        names.set(uid, String(ref));
        await insert(client, table, { uid, workspace_uid: placed.workspace, environment: 'sandbox', ...row });
      }
    }
    await client.query('commit');
    return names;
  });
}

function tablesOf(placed: Placed): [string, string, Row[]][] {
  const { fixture } = placed;
  return [
    ['obligation', prefixes.obligation, fixture.obligations.map((row) => obligation(row, placed))],
    ['delegation', prefixes.delegation, fixture.delegations.map(delegation)],
    ['execution_exception', prefixes.executionException, fixture.exceptions.map(exception)],
    ['workflow_run', prefixes.workflowRun, fixture.workflow_runs.map(workflowRun)],
  ];
}

function obligation(row: Row, { counterparties }: Placed): Row {
  const { ref, currency, type, original, outstanding, due_date, governance_state, counterparty_id } = row;
  const scale = minorDigits(String(currency))!;
  return {
    ref,
    governance_state,
    counterparty_id: Number(counterparties.get(String(counterparty_id))),
    source_system: 'fixture',
    source_reference: ref,
    source_hash: 'f',
    hash_grade: 'opaque',
    currency,
    content: JSON.stringify({
      obligation_type: type,
      currency,
      amount_scale: scale,
      original_amount_minor: minorOf(original, scale),
      outstanding_amount_minor: minorOf(outstanding, scale),
      due_date,
    }),
    record_hash: 'f',
    last_seen_at: NOW,
    created_by_uid: 'app_f',
    created_at: NOW,
  };
}

const NOW = '2026-11-01T00:00:00Z';

function delegation(row: Record<string, string>): Row {
  const { ref, state, action, currency, risk_tier, per_action, per_day, per_month, valid_until } = row;
  return {
    ref,
    state,
    identity_uid: 'idt_f',
    terms: JSON.stringify({
      action,
      currency,
      risk_tier,
      amount_scale: 2,
      budgets: {
        per_action_minor: minorOf(per_action, 2),
        per_day_minor: minorOf(per_day, 2),
        per_month_minor: minorOf(per_month, 2),
      },
      valid_until,
    }),
    terms_hash: 'f',
    graph_uid: 'f',
    graph_version: 1,
    graph_hash: 'f',
    nodes: '[]',
    creator: '{}',
    creator_persons: [],
    created_by_uid: 'app_f',
    created_at: NOW,
    draft_expires_at: valid_until,
    valid_until,
  };
}

function exception({
  ref,
  kind,
  severity,
  state,
  currency,
  amount,
  opened_at,
}: Record<string, string | null>): Row {
  const isOver = state === 'resolved';
  return {
    ref,
    batch_uid: 'f',
    key: ref,
    fingerprint: ref,
    kind,
    severity,
    state,
    currency,
    amount_minor: amount === null || amount === undefined ? null : minorOf(amount, 2),
    explanation: 'Fixture.',
    causes: '[]',
    opened_at: `${opened_at}T09:00:00Z`,
    ...(isOver ? { ended_at: NOW, ended_by: 'evidence' } : {}),
  };
}

function workflowRun({ ref, key, state, error, started, ended }: Record<string, string>): Row {
  return {
    ref,
    admission_uid: `f_${ref}`,
    version_uid: 'f',
    workflow_key: key,
    application_uid: 'f',
    requested_by_uid: 'f',
    parameters: '{}',
    inputs_hash: 'f',
    state,
    error_code: error ?? null,
    outputs_hash: state === 'succeeded' ? 'f' : null,
    created_at: `${started}T09:00:00Z`,
    deadline_at: `${ended}T12:00:00Z`,
    started_at: `${started}T09:00:00Z`,
    ended_at: `${ended}T10:00:00Z`,
  };
}

function minorOf(amount: unknown, scale: number): number {
  return Math.round(Number(amount) * 10 ** scale);
}

async function insert(client: PoolClient, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  await client.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    columns.map((each) => row[each]),
  );
}
