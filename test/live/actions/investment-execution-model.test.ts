import { expect } from 'chai';
import fc from 'fast-check';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { batchTransitions } from '#lib/actions/execution/batch/batch-states.ts';
import { decideExecutionException } from '#lib/actions/execution/exceptions/decide-exception.command.ts';
import { governAsPerson } from '../../support/as-person.ts';
import { parseDecimal } from '#lib/core/decimal.ts';
import { raiseMissingObservations } from '#workers/periodic/raise-missing-observations.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import {
  changeBatch,
  AMOUNTS,
  atDesk,
  confirmationFile,
  confirmBatch,
  draftBatch,
  evidenceOf,
  EXECUTION,
  lineOf,
  observe,
  openDesk,
  releaseBatch,
  type Desk,
  type Made,
} from '../../support/order-batch.ts';
import { repetitions } from '../../support/repetitions.ts';

type Step = (desk: Desk, made: Made, sent: Record<string, any>[]) => Promise<unknown>;

/** Sends evidence about one order, and remembers the accepted evidence. */
const send =
  (order: 0 | 1, change: (line: Record<string, any>) => Record<string, unknown>, more = {}): Step =>
  async (desk, made, sent) => {
    const line = lineOf(made.orders[order]!, AMOUNTS[order]);
    const evidence = evidenceOf(made, { lines: [{ ...line, ...change(line) }], ...more });
    const { status, body } = await observe(desk, made.uid, evidence);
    expect(status, JSON.stringify(body)).to.equal(200);
    sent.push(evidence);
  };

const part = (parts: number) => (line: Record<string, any>) => ({
  quantity: String(Number(line['quantity']) / parts),
  settlement_amount_minor: line['settlement_amount_minor'] / parts,
});

const decide =
  (event: 'waive' | 'resolve' | 'acknowledge', person: 1 | 2): Step =>
  async (desk, { uid }) => {
    const { data } = (
      await clientOf(desk.backend, desk.key).get(`/actions/execution-exceptions?batch_uid=${uid}&state=open`)
    ).body;
    const { workspace, environment } = desk;
    const by = { tenant: { workspace, environment }, person: desk.persons[person] };
    for (const each of data) {
      const input = { uid: each.uid, event, reason: 'seen', evidence: 'x' };
      await governAsPerson(desk.backend, decideExecutionException, input, by);
    }
  };

/** Every event that can happen to a released batch. */
const steps: Record<string, Step> = {
  confirmFirst: (desk, made) => confirmBatch(desk, made, confirmationFile([made.orders[0]!])),
  confirmSecond: (desk, made) => {
    const file = confirmationFile(made.orders);
    return confirmBatch(desk, made, { ...file, lines: file.lines.slice(1) });
  },
  first: send(0, () => ({})),
  halfOfFirst: send(0, part(2)),
  thirdOfFirst: send(0, part(3), { status: 'partially_settled' }),
  second: send(1, () => ({})),
  halfOfSecond: send(1, part(2)),
  dearer: send(1, ({ settlement_amount_minor: amount }) => ({ settlement_amount_minor: amount + 1 })),
  otherCurrency: send(0, () => ({ currency: 'CHF' })),
  otherSide: send(0, () => ({ side: 'sell' })),
  failed: send(0, () => ({}), { status: 'failed' }),
  pending: send(1, () => ({}), { status: 'pending' }),
  again: async (desk, { uid }, sent) => {
    if (sent.length) expect((await observe(desk, uid, sent.at(-1))).status).to.equal(200);
  },
  contradict: async (desk, { uid }, sent) => {
    if (!sent.length) return;
    const { status, body } = await observe(desk, uid, { ...sent.at(-1), settlement_date: '2020-01-01' });
    expect([status, body.code]).to.deep.equal([422, 'observation_conflict']);
  },
  waiveOne: decide('waive', 1),
  waiveTwo: decide('waive', 2),
  resolve: decide('resolve', 1),
  acknowledge: decide('acknowledge', 2),
  cancel: async (desk, { uid }) => {
    const change = { event: 'cancel' as const, by: desk.persons[1], now: new Date() };
    const changed = await atDesk(desk, (em) => changeBatch(em, uid, change));
    expect(changed).to.deep.equal({ ok: false, code: 'transition_not_allowed' });
  },
  tick: (desk) => raiseMissingObservations(desk.backend.orm('worker'), new Date(Date.now() + 2 * 86_400_000)),
};

// These rules hold for every answer of the service, after any sequence of events.
onOneBackend('Any sequence of steps of an execution', function (live) {
  let desk: Desk;

  before(async () => {
    desk = await openDesk(live(), await buildTenancy(live()));
  });

  const read = async (path: string) => (await clientOf(live(), desk.key).get(path)).body;

  async function check({ uid, orders }: Made): Promise<string> {
    const batch = await read(`${EXECUTION}/${uid}`);
    const { data: open } = await read(`/actions/execution-exceptions?batch_uid=${uid}&limit=200`);
    const { data: observations } = await read(`/actions/custody-observations?batch_uid=${uid}&limit=200`);
    const isLive = ({ state }: any) => state === 'open' || state === 'acknowledged';
    expect(batch.closed).to.equal(batch.state === 'closed');
    expect(batch.closed).to.equal(batch.closing_blockers.length === 0);
    if (batch.closed) {
      expect([batch.trade_confirmation.state, batch.custody.state]).to.deep.equal(['confirmed', 'settled']);
      expect(batch.orders.by_state.settled).to.equal(batch.orders.count);
      expect(open.filter((each: any) => isLive(each) && each.severity !== 'low')).to.deep.equal([]);
      for (const total of batch.custody.totals) expect(total.remaining_minor).to.equal(0);
    }
    for (const order of orders) {
      const moved = observations
        .filter(({ status }: any) => status === 'settled' || status === 'partially_settled')
        .flatMap(({ lines }: any) => lines)
        .filter((line: any) => line.order_hash === order.orderHash)
        .filter((line: any) => line.currency === order.currency && line.side === order.side)
        .reduce((sum: bigint, line: any) => sum + parseDecimal(line.quantity)!, 0n);
      const over = open.filter(
        ({ kind, order_uid }: any) => kind === 'quantity_over' && order_uid === order.uid,
      );
      // If more than the ordered quantity was settled, an exception must exist. The list has exceptions in
      // every state, so it has the exception even after two persons have waived it.
      if (moved > parseDecimal(order.quantity)!) expect(over).to.not.deep.equal([]);
    }
    return batch.state;
  }

  it('I-100 I-103 I-160 satisfies the rules on closing, quantities and states', async () => {
    const closing = ['confirmFirst', 'confirmSecond', 'first', 'second'];
    const names = fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 3, maxLength: 9 });
    const straight = fc.shuffledSubarray(closing, { minLength: closing.length });
    const seen = new Set<string>();
    const course = fc.tuple(straight, names).map(([one, other]) => [...one, ...other]);
    await fc.assert(
      fc.asyncProperty(course, async (chosen) => {
        const made = await draftBatch(desk);
        await releaseBatch(desk, made.uid);
        const sent: Record<string, any>[] = [];
        for (const name of chosen) {
          await steps[name]!(desk, made, sent);
          seen.add(await check(made));
        }
        const reported = await atDesk(desk, (em) => listAudit(em, { subject: made.uid, limit: 1_000 }));
        const pairs = Object.values(batchTransitions)
          .flat()
          .map(([from, to]) => `${from} ${to}`);
        let last = 'drafted';
        for (const { entry } of reported.toReversed()) {
          const { from, to } = (entry.details ?? {}) as { from?: string; to?: string };
          if (to === undefined) continue;
          expect(pairs).to.include(`${from} ${to}`);
          expect(from, entry.op).to.equal(last);
          last = to;
        }
        expect(last).to.equal((await read(`${EXECUTION}/${made.uid}`)).state);
      }),
      // One sequence always closes and reopens the batch, independent of the random sequences.
      { numRuns: repetitions.executions, examples: [[[...closing, 'failed']]] },
    );
    expect([...seen]).to.include.members(['closed', 'exception']);
  });
});
