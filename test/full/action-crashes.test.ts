import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import type { Orm } from '#lib/database/base.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { startApi, type ApiProcess } from '../support/api-process.ts';
import { backend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf, type Answer } from '../support/client.ts';
import { operatorsOf } from '../support/control.ts';
import { crashEverywhere, expectBothSides } from '../support/crash.ts';
import { droppingProxy, type DroppingProxy } from '../support/dropping-proxy.ts';
import { draft, governedSample, type Sample } from '../support/govern.ts';
import { confirmedBatch, evidenceOf, EXECUTION, openDesk } from '../support/order-batch.ts';
import { asSuperuser } from '../support/rows.ts';
import { finish, spend } from '../support/spend.ts';

/** The tested transactions do not use the queue, so one backend is enough. */
describe('I-161 after a crash at any statement, the transaction', function () {
  let live: Backend;
  let proxy: DroppingProxy;
  let api: ApiProcess;
  let orm: Orm;
  let sample: Sample;
  let operators: ReturnType<typeof operatorsOf>;

  before(async () => {
    live = await backend('postgres');
    proxy = await droppingProxy(live.ownerUrl);
    api = await startApi(live, {
      DATABASE_URL: proxy.through(roleUrl(live.ownerUrl, 'api')),
      RATE_LIMIT_FACTOR: '1000',
    });
    orm = openOrm(proxy.through(roleUrl(live.ownerUrl, 'operator')), 4);
    sample = await governedSample(live);
    operators = operatorsOf(live, sample);
  });
  after(async () => {
    await orm?.close();
    await api?.stop();
    await proxy?.close();
  });

  const count = (query: string, ...values: string[]) =>
    asSuperuser(live, async (client) => (await client.query<Record<string, number>>(query, values)).rows[0]!);
  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live, sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  const keyed = (uid: string) => ({ 'idempotency-key': `once-${uid}` });
  const vote = (key: string, uid: string) =>
    clientOf(api, key).post(`/actions/agentic/delegations/${uid}/approve`, undefined, keyed(uid));
  /**
   * Returns the effects of a vote: its row, its log entry, the policy decision, and the idempotency key with
   * the answer.
   */
  const votes = (uid: string, op: string) =>
    count(
      `select
        (select count(*)::int from delegation_approval where delegation_uid = $1) as vote,
        (select count(*)::int from audit_entry where subject_uid = $1 and op = $3 and status = 'done') as entry,
        (select count(*)::int from policy_decision where subject_uid = $1) as decision,
        (select count(*)::int from idempotency_key where key = $2) as key`,
      uid,
      sha256(keyed(uid)['idempotency-key']),
      op,
    );
  const answered = (status: number) => (answer: Answer) => {
    if (answer.status === status) return true;
    const { code } = answer.body;
    expect(code, JSON.stringify(answer.body)).to.be.oneOf([
      'dependency_unavailable',
      'policy_unavailable',
      'idempotency_in_progress',
    ]);
    return false;
  };

  it('of the activating vote either activates the delegation and ends its predecessor, or changes nothing', async () => {
    let before = await drafted();
    const { api_key } = sample.applications.approver;
    expect((await vote(api_key, before)).status).to.equal(200);
    const crashed = await crashEverywhere(proxy, {
      prepare: async () => {
        const uid = await drafted({ replaces: before });
        const replaced = before;
        before = uid;
        return { uid, replaced };
      },
      call: ({ uid }) => vote(api_key, uid),
      isDone: answered(200),
      traces: async ({ uid, replaced }) => ({
        ...(await votes(uid, 'delegation.activated')),
        ...(await count(
          `select (select count(*)::int from delegation where uid = $1 and state = 'activated') as activated,
            (select count(*)::int from delegation where uid = $2 and state = 'superseded') as superseded`,
          uid,
          replaced,
        )),
      }),
    });
    expectBothSides(crashed);
  });

  it('of an authorization either keeps the reservation, its budget counters and its log entry, or changes nothing', async () => {
    const uid = await activated({ per_action_minor: 10, per_day_minor: 5_000, per_month_minor: 5_000 });
    const crashed = await crashEverywhere(proxy, {
      prepare: async () => ({ reference: randomUUID(), reserved: (await used(uid)).reserved! }),
      call: ({ reference }) => spend(orm, uid, { amount: 10, reference }),
      isDone: (outcome) => {
        expect(outcome.ok, JSON.stringify(outcome, bigints)).to.equal(true);
        return true;
      },
      traces: async ({ reference, reserved }) => {
        const now = await used(uid);
        return {
          ...(await count(
            `select (select count(*)::int from reservation where reference = $1) as reservation,
              (select count(*)::int from audit_entry where op = 'delegation.authorized' and status = 'done'
                and body::json -> 'details' ->> 'reference' = $1
                and body::json -> 'details' ->> 'reservation_uid' is not null) as entry`,
            reference,
          )),
          budget: (now.reserved! - reserved) / 10,
        };
      },
    });
    expectBothSides(crashed);
  });

  it('of a settlement either records the used amount and releases the rest, or leaves the whole amount reserved', async () => {
    const uid = await activated({ per_action_minor: 10, per_day_minor: 5_000, per_month_minor: 5_000 });
    const crashed = await crashEverywhere(proxy, {
      prepare: async () => {
        const made = await spend(live.orm('operator'), uid, { amount: 10 });
        if (!made.ok) throw new Error(made.code);
        return { reservation: made.reservation!.uid, before: await used(uid) };
      },
      call: ({ reservation }) => finish(orm, reservation, { event: 'settle', actual: 7n }),
      isDone: (ended) => ended.ok || ended.code === 'reservation_ended',
      traces: async ({ reservation, before }) => {
        const now = await used(uid);
        return {
          ...(await count(
            `select
              (select count(*)::int from reservation where uid = $1 and state = 'settled' and settled = 7) as settled,
              (select count(*)::int from audit_entry where subject_uid = $1 and op = 'reservation.settled'
                and status = 'done') as entry`,
            reservation,
          )),
          budget: (now.settled! - before.settled!) / 7,
          given: (before.reserved! - now.reserved!) / 10,
        };
      },
    });
    expectBothSides(crashed);
  });

  it('of a vote before the quorum either records the vote, or changes nothing', async () => {
    await operators.role('payments');
    const anna = await operators.voter('payments');
    await operators.voter('payments');
    await operators.graph('two', 'obligation.pay', [{ quorum: 2, roles: ['payments'] }]);
    const crashed = await crashEverywhere(proxy, {
      prepare: () => drafted({ execution_mode: 'dry_run' }),
      call: (uid) => vote(anna.api_key, uid),
      isDone: answered(202),
      traces: (uid) => votes(uid, 'delegation.approval_recorded'),
    });
    expectBothSides(crashed);
  });

  it('of a custody observation either stores the observation and its effect on the batch, or changes nothing', async () => {
    const tenancy = await buildTenancy(live);
    const desk = await openDesk(live, tenancy);
    const crashed = await crashEverywhere(proxy, {
      prepare: async () => {
        const made = await confirmedBatch(desk);
        return { uid: made.uid, evidence: evidenceOf(made) };
      },
      call: ({ uid, evidence }) =>
        clientOf(api, tenancy.key).post(`${EXECUTION}/${uid}/custody`, evidence, keyed(uid)),
      isDone: answered(200),
      traces: ({ uid }) =>
        count(
          `select
            (select count(*)::int from custody_observation where batch_uid = $1) as observation,
            (select count(*)::int from order_batch where uid = $1 and state = 'closed') as closed,
            (select count(*)::int from audit_entry where op = 'custody.observed'
              and body::json -> 'details' ->> 'batch_uid' = $1) as entry,
            (select count(*)::int from idempotency_key where key = $2) as key`,
          uid,
          sha256(keyed(uid)['idempotency-key']),
        ),
    });
    expectBothSides(crashed);
  });

  /** Creates a delegation in force that replaces the previous delegation. */
  async function activated(budgets: Record<string, number>): Promise<string> {
    const { body } = await clientOf(live, sample.applications.drafter.api_key).get(
      '/actions/agentic/delegations?state=activated',
    );
    const uid = await drafted({ budgets, replaces: body.data[0]?.uid ?? null });
    expect((await vote(sample.applications.approver.api_key, uid)).status).to.equal(200);
    return uid;
  }

  const used = (uid: string) =>
    count(
      `select coalesce(sum(reserved), 0)::int as reserved, coalesce(sum(settled), 0)::int as settled
       from delegation_window where delegation_uid = $1 and kind = 'month'`,
      uid,
    );
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
