import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildTenancy } from '../../support/build.ts';
import { startBackend, type Backend } from '../../support/backends.ts';
import { assay } from '../../support/cli.ts';
import { closeHosts } from '../../support/cli-hosts.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { openCluster } from '../../support/cluster.ts';
import { asSuperuser } from '../../support/rows.ts';
import type { Fixture } from './fixture.ts';
import { writeRecords } from './records.ts';

/** A running service with the sample workspace of a fixture. */
export type Sample = {
  backend: Backend;
  full: Client;
  narrow: Client;
  qlm: string;
  /** The API keys of the two credentials. */
  keys: { full: string; narrow: string };
  /** The names of the fixture for uids and ids of the workspace. */
  names: ReadonlyMap<string, string>;
  /** The ids of the fixture for the ids of the workspace, by type of entity. */
  ids: Readonly<Record<'company' | 'counterparty', ReadonlyMap<string, string>>>;
  stop(): Promise<void>;
};

/** Starts a service and sets its sample workspace up from a fixture. */
export async function startSample(fixture: Fixture): Promise<Sample> {
  const home = mkdtempSync(path.join(tmpdir(), 'assay-qlm-'));
  const cluster = await openCluster(home);
  const backend = await startBackend('postgres', 'assay_qlm', {}, cluster);
  const stop = async (): Promise<void> => {
    await backend.stop();
    await closeHosts();
    await cluster.release();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    return { backend, ...(await setUp(backend, { fixture, home })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Setting = { fixture: Fixture; home: string };

async function setUp(
  backend: Backend,
  { fixture, home }: Setting,
): Promise<Omit<Sample, 'backend' | 'stop'>> {
  const run = async (...words: string[]): Promise<any> => {
    const printed = await assay(
      { ...backend, redis: undefined, variables: { ASSAY_HOME: home } },
      ...words,
      '--json',
    );
    if (printed.status !== 0) throw new Error(`assay ${words.slice(0, 2).join(' ')}: ${printed.stderr}`);
    return printed.json;
  };
  const { workspace, api_key: key } = await run('seed', 'demo');
  const ws = workspace.uid as string;
  const companies = new Map<string, string>();
  for (const { id, name } of fixture.companies) {
    const made = await run('company', 'create', '--workspace', ws, '--name', name);
    companies.set(String(id), String(made.id));
  }
  for (const [index, rows] of withoutRepeats(fixture.metrics).entries()) {
    const file = writeCsv(
      home,
      `metrics-${index}.csv`,
      rows.map((row) => ({ ...row, company_id: companies.get(row.company_id!)! })),
    );
    await run(
      'import',
      'metrics',
      file,
      '--workspace',
      ws,
      '--dataset',
      index === 0 ? 'metrics' : `metrics_${index}`,
    );
  }
  const file = writeCsv(home, 'transactions.csv', fixture.transactions);
  await run('import', 'transactions', file, '--workspace', ws, '--source', 'bank_feed');
  const counterparties = new Map<string, string>();
  for (const { id, name } of fixture.counterparties) {
    const { rows } = await asSuperuser(backend, (client) =>
      client.query<{ id: number }>(
        `insert into counterparty (workspace_uid, kind, name, created_at) values ($1, 'counterparty', $2, now())
         on conflict (workspace_uid, kind, name) do update set name = excluded.name returning id`,
        [ws, name],
      ),
    );
    counterparties.set(String(id), String(rows[0]!.id));
  }
  const names = await writeRecords(backend, { workspace: ws, fixture, counterparties });
  await buildOther(backend, fixture, { home, run });
  const full = clientOf(backend, key as string);
  for (const { ref, operation, query, body } of fixture.runs) {
    const sent =
      'company_id' in body ? { ...body, company_id: Number(companies.get(String(body.company_id))) } : body;
    const at = operation.replace('POST ', '') + (query === undefined ? '' : `?${query}`);
    const answer = await full.post(at, sent, { prefer: 'wait=60' });
    if (answer.status !== 201) throw new Error(`${ref}: ${answer.status} ${JSON.stringify(answer.body)}`);
    names.set(answer.body.uid as string, ref);
  }
  const narrow = await buildTenancy(backend, {
    workspace: ws,
    scopes: ['qlm:read', 'qlm:invoke', 'data:economics:read'],
  });
  const qlm = await serveQlm(backend, fixture, { home, run, ws });
  return {
    full,
    narrow: clientOf(backend, narrow.key),
    qlm,
    keys: { full: key as string, narrow: narrow.key },
    names,
    ids: { company: inverse(companies), counterparty: inverse(counterparties) },
  };
}

type Running = { home: string; run(...words: string[]): Promise<any> };

/** Creates a question model as the fixture describes it, and approves it on a suite of one question. */
async function serveQlm(
  backend: Backend,
  fixture: Fixture,
  { home, run, ws }: Running & { ws: string },
): Promise<string> {
  const write = (name: string, text: string): string => {
    const file = path.join(home, name);
    writeFileSync(file, text);
    return file;
  };
  const [author, approver] = [
    await buildTenancy(backend, { workspace: ws }),
    await buildTenancy(backend, { workspace: ws }),
  ];
  const gate = {
    id: 'gate',
    tags: ['lookup'],
    question: 'GDPC1 2019-Q2',
    expect: {
      outcome: 'answered',
      query: { op: 'value', measure: 'economics.GDPC1', period: { at: '2019-Q2' } },
    },
  };
  const by = ['--as', author.person];
  await run(
    'qlm',
    'suite',
    'import',
    write('gate.jsonl', JSON.stringify(gate)),
    '--workspace',
    ws,
    '--key',
    'gate',
    ...by,
  );
  const profile = {
    purpose: 'Answers the cases of a suite.',
    domains: [
      'economics',
      'market',
      'companies',
      'ledger',
      'actions',
      'execution',
      'forecasts',
      'factors',
      'scenarios',
      'model',
      'workflows',
    ],
    vocabulary: fixture.vocabulary,
    stale_after_days: fixture.qlm.stale_after_days,
    max_facts: 200,
    // A suite of one case has a wide interval, so this gate allows any share of false answers. The harness scores the
    // cases with the usual gate.
    gate: { suite: 'gate', false_answers_upper_max: 1 },
  };
  const file = write('profile.json', JSON.stringify(profile));
  const { qlm } = fixture;
  const made = await run(
    'qlm',
    'create',
    '--workspace',
    ws,
    '--key',
    qlm.key,
    '--name',
    'Desk',
    '--profile',
    file,
    '--lqm',
    qlm.bound_lqm,
    ...by,
  );
  const evaluated = await run('qlm', 'evaluate', made.uid, ...by);
  if (evaluated.passed !== true) throw new Error(`the gate is not passed: ${JSON.stringify(evaluated)}`);
  await run('qlm', 'approve', made.version_uid, '--as', approver.person);
  return made.uid as string;
}

async function buildOther(
  backend: Backend,
  { other_workspace: other }: Fixture,
  { home, run }: Running,
): Promise<void> {
  const { workspace } = await buildTenancy(backend);
  const ids = new Map<string, string>();
  for (const { id, name } of other.companies) {
    const made = await run('company', 'create', '--workspace', workspace, '--name', name);
    ids.set(String(id), String(made.id));
  }
  const rows = other.metrics.map((row) => ({
    ...row,
    company_id: ids.get(String(row['company_id']))!,
    known_at: '2026-10-10T08:00:00Z',
  }));
  await run('import', 'metrics', writeCsv(home, 'other.csv', rows), '--workspace', workspace);
}

function writeCsv(home: string, name: string, rows: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0]!);
  const cell = (value: unknown): string => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [columns.join(','), ...rows.map((row) => columns.map((each) => cell(row[each])).join(','))];
  const file = path.join(home, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Divides rows into files in which no observation is repeated: a metric in two currencies needs two datasets. */
function withoutRepeats(rows: readonly Record<string, string>[]): Record<string, string>[][] {
  const files: { keys: Set<string>; rows: Record<string, string>[] }[] = [];
  for (const row of rows) {
    const key = [row.company_id, row.metric, row.period, row.known_at].join(' ');
    let file = files.find(({ keys }) => !keys.has(key));
    if (!file) files.push((file = { keys: new Set(), rows: [] }));
    file.keys.add(key);
    file.rows.push(row);
  }
  return files.map((file) => file.rows);
}

function inverse(map: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...map].map(([from, to]) => [to, from]));
}
