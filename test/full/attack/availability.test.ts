import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { exampleOf } from '#api/derive/example.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { sha256 } from '#lib/core/seal.ts';
import { anomalyRun } from '#lib/models/anomaly/anomaly.run.ts';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import type { Tally } from '../../support/attacker.ts';
import { bearer, expectUndisturbed, harmlessFlood } from '../../support/bystander.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { queuedRun } from '../../support/idempotency.ts';
import { onOneBackend } from '../../support/live.ts';
import { watchMemory } from '../../support/memory.ts';
import { asSuperuser } from '../../support/rows.ts';
import { createSealedRun } from '../../support/sealed-run.ts';
import { finopsBody } from '../../support/workflow-tables.ts';

const MEBIBYTE = 1024 * 1024;
const RUNS = 210;
const INPUT_BYTES = 0.9 * MEBIBYTE;
/** The largest page of a list. */
const PAGE_BYTES_MAX = 8 * MEBIBYTE;
/** The maximum growth of the memory of an API process under any request, in MiB. */
const GROWTH_MIB_MAX = 512;
const LISTS_AT_ONCE = 16;
const WAITS = 300;

onOneBackend('Other callers are not disturbed by one client that sends', function (live) {
  let attacker: Tenancy;
  let bystander: Tenancy;
  let api: ApiProcess;
  before(async () => {
    [attacker, bystander] = [await buildTenancy(live()), await buildTenancy(live())];
    api = await startApi(live(), { VALIDATE_RESPONSES: 'false', RATE_LIMIT_FACTOR: '1000' });
  });
  after(() => api.stop());

  describe(`requests for lists of ${RUNS} runs with inputs of 0.9 MB`, () => {
    before(async () => {
      const example = exampleOf(anomalyRun.input) as Record<string, unknown>;
      const row = [100.5, 52.25];
      const rows = Array.from({ length: Math.floor(INPUT_BYTES / JSON.stringify([row]).length) }, () => row);
      const uid = await createSealedRun(live(), attacker, anomalyRun, { ...example, rows });
      const others = Array.from({ length: RUNS - 1 }, () => newUid(prefixes.anomalyRun));
      await asSuperuser(live(), (client) =>
        client.query(
          `insert into run select (jsonb_populate_record(r, jsonb_build_object('uid', o.uid))).*
           from run r, unnest($2::text[]) o (uid) where r.uid = $1`,
          [uid, others],
        ),
      );
    });

    for (const path of ['/api/v2/ml/anomaly', '/api/v2/quant/compute/jobs']) {
      it(`at ${path}, ${LISTS_AT_ONCE} at once`, async () => {
        const watch = watchMemory(api.pid);
        const before = watch.now();
        const tallies = await expectUndisturbed({
          url: api.url,
          bystander,
          attack: {
            kind: 'flood',
            shots: [{ path: `${path}?limit=200`, headers: bearer(attacker.key) }],
            requests: LISTS_AT_ONCE,
            atOnce: LISTS_AT_ONCE,
          },
          harmless: harmlessFlood(attacker.key, { requests: LISTS_AT_ONCE, atOnce: LISTS_AT_ONCE }),
        });
        expect(watch.stop() - before, 'growth in MiB').to.be.at.most(GROWTH_MIB_MAX);
        for (const { bytes, answers } of tallies) {
          expect(answers).to.deep.equal({ 200: LISTS_AT_ONCE });
          expect(bytes / LISTS_AT_ONCE).to.be.at.most(PAGE_BYTES_MAX);
        }
      });
    }
  });

  it('a `Prefer` header with 15 kB of quotes and backslashes', async () => {
    const prefer = `"${'\\"'.repeat(7_000)}`;
    const codes: Record<string, number> = {};
    const tallies = await expectUndisturbed({
      url: api.url,
      bystander,
      attack: {
        kind: 'flood',
        shots: [{ path: '/api/v2/workspace', headers: { ...bearer(attacker.key), prefer } }],
        requests: 100,
        atOnce: 4,
      },
      harmless: harmlessFlood(attacker.key, { requests: 100, atOnce: 4 }),
    });
    for (const tally of tallies) add(codes, tally);
    expect(Object.keys(codes)).to.deep.equal(['malformed_header']);
  });

  it(`${WAITS} concurrent requests that wait for runs`, async () => {
    const uid = await queuedRun(live(), attacker);
    const codes: Record<string, number> = {};
    const tallies = await expectUndisturbed({
      url: api.url,
      bystander,
      attack: {
        kind: 'flood',
        shots: [{ path: `/api/v2/quant/compute/jobs/${uid}?wait=5`, headers: bearer(attacker.key) }],
        requests: WAITS,
        atOnce: WAITS,
      },
      harmless: harmlessFlood(attacker.key, { requests: WAITS, atOnce: 10 }),
    });
    for (const tally of tallies) {
      expect(tally.cut).to.equal(0);
      add(codes, tally);
      expect((tally.answers['200'] ?? 0) + (tally.codes['too_many_waiting'] ?? 0)).to.equal(WAITS);
    }
    expect(Object.keys(codes), 'there is a cap').to.deep.equal(['too_many_waiting']);
  });

  it('the reuse of an expired idempotency key, for a run or for another effect', async () => {
    const client = clientOf(api, attacker.key);
    const run = (key: string, months: number) =>
      client.post(
        '/investment/theme-watch/factors',
        { history_months: months },
        { 'idempotency-key': key, prefer: 'respond-async' },
      );
    const policy = (key: string, budget: number) =>
      client.put(
        '/workflow-studio/finops/policy',
        { ...finopsBody, monthly_budget_minor: budget },
        { 'idempotency-key': key },
      );
    for (const send of [run, policy]) {
      const key = randomUUID();
      const first = await send(key, 24);
      expect(first.status, JSON.stringify(first.body)).to.be.below(300);
      await expire(key);
      const before = await rollbacks();
      const again = await Promise.all([24, 25, 26].map((value) => send(key, value)));
      const taken = again.filter(({ status }) => status < 300);
      expect(taken.length, JSON.stringify(again.map(({ body }) => body.code))).to.equal(1);
      for (const { status, body } of again.filter((each) => !taken.includes(each))) {
        expect([409, 422], JSON.stringify(body)).to.include(status);
      }
      expect((await rollbacks()) - before).to.be.at.most(20);
    }
  });

  it('a flood of requests to the public pages, where each address has its limit', async () => {
    const limited = await startApi(live(), { VALIDATE_RESPONSES: 'false' });
    const codes: Record<string, number> = {};
    try {
      const pages = [
        '/api/v2/openapi.json',
        '/docs',
        '/.well-known/assay-keys.json',
        '/readyz',
        '/problems/not_found',
        '/verify',
      ];
      const tallies = await expectUndisturbed({
        url: limited.url,
        bystander,
        attack: {
          kind: 'flood',
          shots: pages.map((path) => ({ path, headers: { accept: 'text/html, */*' } })),
          requests: 3_000,
          atOnce: 16,
        },
        harmless: harmlessFlood(attacker.key, { requests: 300, atOnce: 16 }),
      });
      for (const tally of tallies) add(codes, tally);
      expect(Object.keys(codes)).to.deep.equal(['rate_limit_exceeded']);
    } finally {
      await limited.stop();
    }
  });

  const expire = (key: string) =>
    asSuperuser(live(), (client) =>
      client.query(`update idempotency_key set expires_at = now() - interval '1 minute' where key = $1`, [
        sha256(key),
      ]),
    );

  async function rollbacks(): Promise<number> {
    const { rows } = await asSuperuser(live(), async (client) => {
      await client.query('select pg_stat_clear_snapshot()');
      return client.query(
        'select xact_rollback::int as count from pg_stat_database where datname = current_database()',
      );
    });
    return rows[0].count;
  }
});

function add(codes: Record<string, number>, tally: Tally): void {
  for (const [code, count] of Object.entries(tally.codes)) codes[code] = (codes[code] ?? 0) + count;
}
