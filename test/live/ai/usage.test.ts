import { expect } from 'chai';
import fc from 'fast-check';
import { beginCall, finishCall } from '#lib/ai/call.write.ts';
import { meteredChat } from '#lib/ai/metered-chat.query.ts';
import { openGateway } from '#lib/ai/provider/gateway.ts';
import { lockTariff, setBudget, setPrice } from '#lib/ai/tariff.write.ts';
import { readUsage } from '#lib/ai/usage.query.ts';
import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import {
  answered,
  createAiCall,
  createAiConnection,
  PRICE,
  REQUEST,
  WRAPPING_KEY,
} from '../../support/ai-connection.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';
import { openProvider, status, well } from '../../support/provider.ts';

const DAY_MS = 86_400_000;

onOneBackend('The usage of AI providers', (live) => {
  let tenancy: Tenancy;
  let connection: string;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    connection = await createAiConnection(live(), tenancy);
  });

  const usage = async (query = '', key = tenancy.key) =>
    (await clientOf(live(), key).get(`/ai/byok/usage${query}`)).body;
  const asWorker = <T>(work: (em: Em) => Promise<T>) => inTenant(live().orm('worker'), tenancy, work);
  const asOperator = <T>(work: (em: Em) => Promise<T>) => inTenant(live().orm('operator'), tenancy, work);
  const author = () => ({ by: tenancy.person, now: new Date() });
  const budget = (dailyMicro: bigint | null, monthlyMicro: bigint | null, currency = 'USD') =>
    asOperator((em) => setBudget(em, connection, { currency, dailyMicro, monthlyMicro }, author()));
  const begin = (now = new Date()) =>
    asWorker((em) => beginCall(em, { connection, purpose: 'test', request: REQUEST, now }));

  it('is listed by day, connection, model, operation and price, with its cost', async () => {
    const at = new Date();
    await createAiCall(live(), tenancy, connection, { at, outcome: answered(1_000, 500) });
    await createAiCall(live(), tenancy, connection, { at, outcome: answered(1_000, 500) });
    await asOperator((em) => setPrice(em, connection, 'small', { ...PRICE, outputMicro: 0n }, author()));
    await createAiCall(live(), tenancy, connection, { at, outcome: answered(1_000, 500) });
    const { rows, totals, window } = await usage();
    const date = at.toISOString().slice(0, 10);
    expect(window).to.include({ days: 30, to: date, partial_last_day: true });
    expect(rows.map((row: any) => [row.date, row.model, row.requests, row.cost])).to.deep.equal([
      [date, 'small', 2, { currency: 'USD', amount_micro: 15_000, price_version: 1 }],
      [date, 'small', 1, { currency: 'USD', amount_micro: 2_500, price_version: 2 }],
    ]);
    expect(rows[0]).to.include({
      connection_label: 'Main',
      operation: 'chat',
      input_tokens: 2_000,
      priced: true,
    });
    expect(totals).to.deep.equal({
      requests: 3,
      failed_requests: 0,
      input_tokens: 3_000,
      output_tokens: 1_500,
      cost: [{ currency: 'USD', amount_micro: 17_500 }],
      unpriced_requests: 0,
      is_floor: false,
    });
  });

  it('I-138: has null for unreported or unpriced values and marks its sums as lower bounds', async () => {
    const unpriced = await createAiConnection(live(), tenancy, { label: 'Unpriced', priced: false });
    await createAiCall(live(), tenancy, connection, { outcome: answered(null) });
    await createAiCall(live(), tenancy, unpriced, { outcome: answered(7, 3) });
    const { rows, totals } = await usage();
    const of = (uid: string) => rows.find((row: any) => row.connection_uid === uid);
    expect(of(connection)).to.include({ input_tokens: null, output_tokens: null, cost: null, priced: false });
    expect(of(unpriced)).to.include({ input_tokens: 7, cost: null, cache_read_input_tokens: null });
    expect(totals).to.deep.include({ cost: [], unpriced_requests: 2, is_floor: true, input_tokens: 7 });
  });

  it('counts failed calls and does not mark sums of free calls as lower bounds', async () => {
    const refused = {
      ...answered(null),
      ok: false as const,
      code: 'rate_limited' as const,
      mayBeBilled: false,
    };
    await createAiCall(live(), tenancy, connection, { outcome: refused });
    const { rows, totals } = await usage();
    expect(rows[0]).to.include({ requests: 1, failed_requests: 1, cost: null, input_tokens: null });
    expect(totals).to.include({ failed_requests: 1, unpriced_requests: 0, is_floor: false });
  });

  it('shows a call without a recorded end and completes the call when its end arrives late', async () => {
    const at = new Date(Date.now() - 10 * 60_000);
    const uid = await createAiCall(live(), tenancy, connection, { at });
    await createAiCall(live(), tenancy, connection); // a call that has not ended
    expect((await usage()).totals).to.include({
      requests: 1,
      failed_requests: 1,
      unpriced_requests: 1,
      is_floor: true,
    });
    await asWorker((em) => finishCall(em, uid, answered(1_000, 500), new Date()));
    const { totals, coverage } = await usage();
    expect(totals).to.deep.include({
      requests: 1,
      failed_requests: 0,
      cost: [{ currency: 'USD', amount_micro: 7_500 }],
    });
    expect(coverage).to.deep.equal({ first_event_at: at.toISOString(), late_events: 1 });
  });

  it('I-139: does not depend on how often or in which order the end of a call is reported', async () => {
    const ends = [answered(1_000, 500), answered(null), answered(20, 30)];
    const read = async () => {
      const { rows } = await asWorker((em) => readUsage(em, 1, new Date()));
      return rows.map(({ requests, costMicro, inputTokens }) => ({ requests, costMicro, inputTokens }));
    };
    const uids = await Promise.all(ends.map(() => createAiCall(live(), tenancy, connection)));
    const end = (at: number, now = new Date()) => asWorker((em) => finishCall(em, uids[at]!, ends[at]!, now));
    for (const at of ends.keys()) expect(await end(at)).to.equal('recorded');
    const once = await read();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(ends.length - 1), { maxLength: 6 }), async (order) => {
        for (const at of order) expect(await end(at)).to.equal('recorded_before');
        expect(await read()).to.deep.equal(once);
      }),
      { numRuns: 5 },
    );
    expect(await asWorker((em) => finishCall(em, uids[0]!, answered(1, 1), new Date()))).to.equal(
      'contradicts',
    );
    expect(await read()).to.deep.equal(once);
  });

  it('covers exactly the requested days', async () => {
    const at = new Date(Date.now() - 3 * DAY_MS);
    await createAiCall(live(), tenancy, connection, { at, outcome: answered(1, 1) });
    expect((await usage('?days=3')).totals.requests).to.equal(0);
    expect((await usage('?days=4')).totals.requests).to.equal(1);
    // I-141: the permitted values of `days` are 1 to 366.
    for (const days of ['0', '-1', '367', '1.5', '30%20', '30abc', '', '1&days=2']) {
      const { status: answer } = await clientOf(live(), tenancy.key).get(`/ai/byok/usage?days=${days}`);
      expect(answer, days).to.equal(422);
    }
  });

  it('is not visible in another workspace or in the other environment', async () => {
    await createAiCall(live(), tenancy, connection, { outcome: answered(1, 1) });
    const production = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      environment: 'production',
    });
    for (const { key } of [production, await buildTenancy(live())]) {
      const { rows, coverage } = await usage('', key);
      expect([rows, coverage.first_event_at]).to.deep.equal([[], null]);
    }
  });

  it('is limited by a budget that reserves the maximum cost of each call', async () => {
    await budget(25_000n, null);
    // Each call reserves 10,000 micro-units for its 1,000 output tokens and a little more for its input, so
    // the budget of 25,000 covers two calls.
    const verdicts = await atOnce(
      live(),
      (em) => lockTariff(em, connection),
      [1, 2, 3].map(() => () => begin()),
    );
    expect(verdicts.filter(({ ok }) => ok)).to.have.lengthOf(2);
    expect(await begin()).to.deep.equal({ ok: false, code: 'budget_exhausted' });
    expect(await begin(new Date(Date.now() + DAY_MS))).to.include({ ok: true });
    await budget(null, 25_000n, 'EUR');
    expect(await begin()).to.deep.equal({ ok: false, code: 'model_unpriced' });
  });

  it('is recorded from the response of a provider', async () => {
    const provider = await openProvider();
    const gateway = openGateway({ networks: '127.0.0.0/8', retryAfterMs: 5 });
    try {
      const uid = await createAiConnection(live(), tenancy, { label: 'Real', baseUrl: provider.baseUrl });
      const metering = { gateway, key: WRAPPING_KEY, transaction: asWorker, now: () => new Date() };
      const call = { connection: uid, purpose: 'test', request: REQUEST };
      provider.answers(status(429), well());
      expect(await meteredChat(metering, call)).to.nested.include({ made: true, 'outcome.attempts': 2 });
      provider.answers(status(500));
      expect(await meteredChat(metering, call)).to.nested.include({ 'outcome.code': 'provider_error' });
      const other = { ...metering, key: Buffer.alloc(32, 8) };
      expect(await meteredChat(other, call)).to.nested.include({ 'outcome.code': 'key_unreadable' });
      const { rows } = await usage();
      expect(
        rows.map((row: any) => [row.requests, row.failed_requests, row.cost?.amount_micro ?? null]),
      ).to.deep.equal([
        [1, 0, 7_500],
        [2, 2, null],
      ]);
      expect(JSON.stringify(await usage())).to.not.include('sk-');
    } finally {
      await gateway.close();
      await provider.close();
    }
  });
});
