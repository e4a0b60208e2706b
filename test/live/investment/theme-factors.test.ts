import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import example from '#lib/investment/theme-factors/theme-factors.example.json' with { type: 'json' };
import { ModelAlias } from '#lib/models/registry/model.entity.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, userOf, type Client, type User } from '../../support/client.ts';
import { importSample, importSmall } from '../../support/import.ts';
import { onEachBackend } from '../../support/live.ts';
import { changedTables, countRows } from '../../support/rows.ts';
import { whileStopped } from '../../support/stopped.ts';

const FACTORS = '/investment/theme-watch/factors';
const golden = JSON.parse(
  readFileSync(new URL('../../golden/factors_index.json', import.meta.url), 'utf8'),
) as {
  cases: Record<string, { request: Record<string, unknown>; canonical_sha256: string }>;
  refusals: { request: Record<string, unknown>; http_status: number; reason: string }[];
};
const small = JSON.parse(readFileSync(new URL('../../golden/factors_small.json', import.meta.url), 'utf8'));

onEachBackend('POST /investment/theme-watch/factors', (live) => {
  let tenancy: Tenancy;
  let client: Client;
  let user: User;

  before(async function () {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    user = userOf(live(), tenancy.key);
    await importSample(live(), tenancy.workspace);
  });

  for (const [name, { request, canonical_sha256 }] of Object.entries(golden.cases)) {
    it(`201 seals golden case ${name} to the bit`, async () => {
      const { status, body } = await client.post(FACTORS, request);
      expect(status).to.equal(201);
      expect(body.result_hash).to.equal(canonical_sha256);
      expect(canonicalHash(body.result)).to.equal(canonical_sha256);
      expect(checkSeal(body)).to.include({ intact: true });
    });
  }

  it('201 returns the run that the OpenAPI document shows as its example', async () => {
    const run = await user.sealedFactors(example.input);
    expect(run.result).to.deep.equal(example.result);
    expect(run.result_hash).to.equal(example.result_hash);
    expect(run.seal.hash).to.equal(example.seal.hash);
  });

  it('201 seals the golden case of edge cases with its own data', async () => {
    const own = await buildTenancy(live());
    await importSmall(live(), own.workspace, small);
    const run = await userOf(live(), own.key).sealedFactors(small.result.request);
    expect(run.result_hash).to.equal(small.canonical_sha256);
  });

  for (const { request, http_status, reason } of golden.refusals) {
    it(`${http_status} ${reason} states the shortfall in numbers, as of ${request['as_of_date']}`, async () => {
      const { status, body, headers } = await client.post(FACTORS, request);
      expect(status).to.equal(http_status);
      expect(body.code).to.equal(reason);
      expect(body.observed).to.be.a('number').that.is.lessThan(body.needed);
      expect(headers.get('retry-after')).to.equal(null);
      const run = await client.get(headers.get('location')!.replace('/api/v2', ''));
      expect(run.status).to.equal(200);
      expect(run.body).to.deep.include({ state: 'failed' });
      expect(run.body.problem).to.deep.include({ code: reason, status: http_status, needed: body.needed });
    });
  }

  it('201 uses the defaults and the last month end with prices if the body is empty', async () => {
    const { status, body } = await client.post(FACTORS);
    expect(status).to.equal(201);
    expect(body.input).to.deep.equal({
      as_of_date: '2020-09-30',
      history_months: 36,
      ridge_lambda: 0.1,
      minimum_symbols_per_factor: 10,
      max_factors: 24,
      max_symbols: 500,
    });
  });

  it('201 returns the same result hash and seal for the same request', async () => {
    const request = { as_of_date: '2018-04-02', history_months: 24 };
    const [first, second] = [await user.sealedFactors(request), await user.sealedFactors(request)];
    expect(first.uid).not.to.equal(second.uid);
    expect(first.seal.hash).to.equal(second.seal.hash);
  });

  it('201 stores the residual returns with the result and returns them on request', async () => {
    const run = await user.sealedFactors({ history_months: 24 });
    expect(run).not.to.have.property('specific_returns');
    const params = { path: { uid: run.uid }, query: { include: 'specific_returns' } } as const;
    const { data } = await user.GET(`${FACTORS}/{uid}`, { params });
    if (data.state !== 'succeeded') expect.fail(data.state);
    const residuals = data.specific_returns!;
    expect(canonicalHash(residuals)).to.equal(run.attachment_hashes['specific_returns']);
    expect(checkSeal(data)).to.include({ intact: true });
    residuals['AAPL']![0]! += 1e-9;
    expect(checkSeal(data).differences).to.deep.equal(['specific_returns']);
  });

  it('202 at once for Prefer: respond-async', async () => {
    const accepted = await whileStopped(live(), ['worker-numerics-1'], () =>
      client.post(FACTORS, { history_months: 60 }, { prefer: 'respond-async' }),
    );
    expect(accepted.status).to.equal(202);
    expect(accepted.headers.get('preference-applied')).to.equal('respond-async');
    expect(accepted.headers.get('retry-after')).to.match(/^\d+$/);
    expect(['queued', 'running']).to.include(accepted.body.state);
    const location = accepted.headers.get('location')!.replace('/api/v2', '');
    const { status, body } = await client.get(`${location}?wait=60`);
    expect(status).to.equal(200);
    expect(body.state).to.equal('succeeded');
    expect(checkSeal(body)).to.include({ intact: true });
  });

  it('201 within the wait of Prefer: wait, which Preference-Applied confirms', async () => {
    const { headers, status } = await client.post(FACTORS, {}, { prefer: 'wait=60' });
    expect(status).to.equal(201);
    expect(headers.get('preference-applied')).to.equal('wait=60');
  });

  it('201 waits for the existing run if the idempotency key is sent again', async () => {
    const request = { history_months: 30 };
    const headers = { 'idempotency-key': 'retry-of-tests' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(FACTORS, request, headers)),
    );
    expect(new Set(answers.map((answer) => answer.body.uid)).size).to.equal(1);
    expect(answers.every((answer) => answer.status === 201)).to.equal(true);
    const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true');
    expect(replayed).to.have.length(7);
    const other = await client.post(FACTORS, { history_months: 31 }, headers);
    expect(other.status).to.equal(422);
    expect(other.body.code).to.equal('idempotency_key_reused');
  });

  it('409 model_not_approved without a run if no model version is active for the workspace', async () => {
    const own = await buildTenancy(live());
    await inTenant(
      live().orm('operator'),
      { workspace: own.workspace, environment: 'sandbox' },
      async (em) => {
        em.create(ModelAlias, {
          workspaceUid: own.workspace,
          key: 'svc_theme_factor_ridge_v1',
          alias: 'active',
          version: null,
          setBy: own.person,
          since: new Date(),
        });
      },
    );
    const caller = clientOf(live(), own.key);
    const { status, body } = await caller.post(FACTORS, {});
    expect(status).to.equal(409);
    expect(body.code).to.equal('model_not_approved');
    for await (const run of userOf(live(), own.key).pages(FACTORS)) expect.fail(run.uid);
  });

  it('422 lists every violation with its pointer', async () => {
    const { status, body } = await client.post(FACTORS, {
      as_of_date: '2020-02-30',
      history_months: 11,
      ridge_lambda: '0.1',
      max_symbols: 5001,
      universe: 'all',
    });
    expect(status).to.equal(422);
    const faults = body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]);
    expect(faults).to.have.deep.members([
      ['/as_of_date', 'format'],
      ['/history_months', 'minimum'],
      ['/ridge_lambda', 'type'],
      ['/max_symbols', 'maximum'],
      ['/universe', 'unknown_field'],
    ]);
  });

  it('422 in_future for an as-of date after today', async () => {
    const { status, body } = await client.post(FACTORS, { as_of_date: '2999-01-31' });
    expect(status).to.equal(422);
    expect(body.errors[0]).to.deep.include({ pointer: '/as_of_date', code: 'in_future' });
  });

  // The published interface states that a run creates no market data, rebalance, Financial Action or trade.
  it('writes only a run, its references, its result and the audit entry of its seal', async () => {
    const before = await countRows(live(), tenancy.workspace);
    expect((await client.post(FACTORS, {})).status).to.equal(201);
    const after = await countRows(live(), tenancy.workspace);
    expect(changedTables(before, after)).to.deep.equal(['audit_entry', 'run', 'run_reference', 'run_result']);
    expect(after['audit_entry']! - before['audit_entry']!).to.equal(1);
  });

  it('lists runs newest first in pages and filters them by as-of date', async () => {
    const wanted = new Set<string>();
    for (let run = 0; run < 3; run++) {
      wanted.add((await client.post(FACTORS, { as_of_date: '2019-12-31', history_months: 12 })).body.uid);
    }
    const query = `${FACTORS}?as_of_date=2019-12-31&limit=2`;
    const first = await client.get(query);
    expect(first.body.data).to.have.length(2);
    expect(first.body.page).to.deep.include({ limit: 2, has_more: true });
    const next = /<\/api\/v2([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!;
    const second = await client.get(next);
    expect(second.body.page).to.deep.include({ has_more: false, next_cursor: null });
    const seen = [...first.body.data, ...second.body.data].map((run: { uid: string }) => run.uid);
    expect(seen).to.deep.equal([...wanted].sort().reverse());
    expect(first.body.data[0]).not.to.have.property('result');
  });

  it('404 for a run of another workspace or environment, as for an unknown run', async () => {
    const { body } = await client.post(FACTORS, { history_months: 12 });
    const foreign = await buildTenancy(live());
    const production = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      environment: 'production',
    });
    const never = await client.get(`${FACTORS}/tfr_00000000000000000000000000`);
    for (const other of [foreign, production]) {
      const answer = await clientOf(live(), other.key).get(`${FACTORS}/${body.uid}`);
      expect(answer.status).to.equal(404);
      expect({ ...answer.body, request_id: '' }).to.deep.equal({ ...never.body, request_id: '' });
    }
  });
});
