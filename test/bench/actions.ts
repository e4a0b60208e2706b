import { quantile } from 'simple-statistics';
import { openBare } from './actions/bare.ts';
import { benchAmounts, policyDecisionsPerSecond } from './actions/policy-decisions.ts';
import { openStage, type Power, type Stage } from './actions/stage.ts';
import { statementsOf } from './actions/statements.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { turnsPerSecond } from './load.ts';
import { interleave, ratioRow } from './rounds.ts';
import type { Orm } from '#lib/database/base.ts';

const BENCH = 'actions';
const CONNECTIONS = 16;
const DELEGATIONS = { full: 100, tiny: 2 };
const ROUNDS = { full: 9, tiny: 1 };
const SLICE_MS = { full: 1_000, tiny: 20 };
const APPROVALS = { full: 100, tiny: 2 };
const DECISIONS = { full: 5_000, tiny: 50 };
const RATIO_MIN = 0.6;
const US_MAX = 100;

/**
 * Measures the overhead of the controls on financial actions, compared with the SQL statements of these
 * actions alone.
 */
export const bench: Bench = {
  summary: 'obligations and authorize + settle a second, approval latency, policy decisions on 200 rules',
  targets:
    `>= ${RATIO_MIN} x the bare transactions (a latency: <= 1 / ${RATIO_MIN}), which send as many statements of the same kinds ` +
    'with plain pg, each on one row of a table as wide: rules, policies, hashes, row-level security and the ORM may ' +
    `cost two fifths. A policy decision takes <= ${US_MAX} us.`,
  async run(context) {
    const database = `assay_bench_${BENCH}`;
    context.notify('setting up a governed sample');
    const stage = await openStage(await context.cluster.freshDatabase(database), CONNECTIONS);
    try {
      const bareUrl = context.cluster.superuserUrl(database);
      return [
        ...(await approvals(context, stage, bareUrl)),
        ...(await throughput(context, stage, bareUrl)),
        ...decisions(context),
      ];
    } finally {
      await stage.close();
    }
  },
};

type Case = { name: string; unit: string; orm: Orm; rows: number; work: (turn: number) => Promise<unknown> };

async function throughput(context: BenchContext, stage: Stage, bareUrl: string): Promise<Row[]> {
  const powers: Power[] = [];
  for (let at = 0; at < DELEGATIONS[context.size]; at += 1) powers.push(await stage.power());
  const use = (of: readonly Power[]) => (turn: number) => stage.use(of[turn % of.length]!);
  const spending = { unit: 'pairs/s', orm: stage.operator };
  const cases: Case[] = [
    { name: 'register an obligation', unit: 'obligations/s', orm: stage.api, rows: 1, work: stage.register },
    { ...spending, name: 'authorize + settle, one delegation', rows: 1, work: use(powers.slice(0, 1)) },
    {
      ...spending,
      name: `authorize + settle, ${powers.length} delegations`,
      rows: powers.length,
      work: use(powers),
    },
  ];
  const rows: Row[] = [];
  for (const each of cases) rows.push(await rate(context, each, bareUrl));
  return rows;
}

async function rate({ size, notify }: BenchContext, { name, unit, orm, rows, work }: Case, bareUrl: string) {
  await work(0);
  const statements = await statementsOf(orm, () => work(0));
  const bare = await openBare(bareUrl, CONNECTIONS, statements);
  try {
    let turn = 0;
    const sides = {
      subject: () => turnsPerSecond(CONNECTIONS, SLICE_MS[size], () => work(turn++)),
      peer: () => turnsPerSecond(CONNECTIONS, SLICE_MS[size], () => bare.once(turn++ % rows)),
    };
    await interleave(ROUNDS[size] > 1 ? 2 : 0, sides);
    notify(`${name}: ${ROUNDS[size]} rounds of ${SLICE_MS[size]} ms a side, ${CONNECTIONS} connections`);
    const about = {
      bench: BENCH,
      case: name,
      unit,
      note: `${CONNECTIONS} connections; ${noteOf(statements)}`,
    };
    return ratioRow(about, await interleave(ROUNDS[size], sides), { min: RATIO_MIN });
  } finally {
    await bare.close();
  }
}

async function approvals({ size, notify }: BenchContext, stage: Stage, bareUrl: string): Promise<Row[]> {
  let uid = await stage.draft();
  const statements = await statementsOf(stage.api, () => stage.approve(uid));
  await stage.revoke(uid);
  const bare = await openBare(bareUrl, 1, statements);
  try {
    let turn = 0;
    const subject = async () => {
      uid = await stage.draft();
      const ms = await timed(() => stage.approve(uid));
      await stage.revoke(uid);
      return ms;
    };
    const sides = { subject, peer: () => timed(() => bare.once(turn++)) };
    await interleave(APPROVALS[size] / 10, sides);
    notify(`approval: ${APPROVALS[size]} one after the other`);
    const figures = await interleave(APPROVALS[size], sides);
    const max = Math.round(100 / RATIO_MIN) / 100;
    const note = `one after the other, of an identity without another delegation; ${noteOf(statements)}`;
    const about = { bench: BENCH, case: 'approve and activate, p50', unit: 'ms', note };
    const [figure, peer] = [quantile(figures.subject, 0.95), quantile(figures.peer, 0.95)];
    const tail = { figure, peer, ratio: figure / peer, spread: null, target: null, met: null };
    return [
      ratioRow(about, figures, { max }),
      {
        ...about,
        ...tail,
        case: 'approve and activate, p95',
        note: 'only shown; the peer is the p95 of its own',
      },
    ];
  } finally {
    await bare.close();
  }
}

function decisions({ size, notify }: BenchContext): Row[] {
  notify('deciding on 200 rules');
  return (Object.keys(benchAmounts) as (keyof typeof benchAmounts)[]).map((what) => {
    policyDecisionsPerSecond(what, DECISIONS[size] / 5);
    const figure = 1_000_000 / policyDecisionsPerSecond(what, DECISIONS[size]);
    const ratio = figure / US_MAX;
    return {
      bench: BENCH,
      case: `policy decision on 200 rules: ${what}`,
      unit: 'us',
      figure,
      peer: US_MAX,
      ratio,
      spread: null,
      target: '<= 1 x',
      met: ratio <= 1,
      note: 'with explanation and hash of the input, without the record; the peer is the limit',
    };
  });
}

/**
 * Returns a note with the number of statements of each measured transaction. The peer sends the same number of
 * statements of each kind.
 */
function noteOf(transactions: readonly (readonly unknown[])[]): string {
  return `${transactions.map(({ length }) => length).join(' + ')} statements; the handler or the call without HTTP`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
