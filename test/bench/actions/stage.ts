import { randomBytes } from 'node:crypto';
import { servicesFor } from '#api/services.ts';
import { approveDelegation } from '#api/actions/agentic/delegation-approval.ts';
import { createDelegation } from '#api/actions/agentic/delegations.ts';
import { createObligation } from '#api/actions/credit-corporate/obligations.ts';
import { governQuickstart } from '#lib/sample/governed/quickstart.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Caller, Operation, Reply } from '#lib/core/operation.ts';
import { scopes } from '#lib/core/scope.ts';
import { changeDelegation } from '#lib/actions/delegations/change-delegation.command.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { KEEPS_AFTER } from '#lib/database/statement-cache.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { Credential } from '#lib/access/credential.entity.ts';
import { createWorkspace } from '#lib/access/provision.ts';
import { createCounterparty } from '../../support/counterparty.ts';
import { draftBody } from '../../support/govern.ts';
import { carryOutIn, handsOf } from '../../support/governed.ts';
import { sourceOf } from '../../support/obligation.ts';
import { finish, spendUnder, type Machine } from '../../support/spend.ts';

type Sample = Awaited<ReturnType<typeof governQuickstart>> & { workspace: string };

/** A delegation in force, with the facts that the machine identity needs to use the delegation. */
export type Power = Machine;

/**
 * Opens the measured work, which runs in this process without HTTP. It consists of the handlers of operations
 * and of the actions of a machine identity under a delegation. Handlers run in their transactions, with the
 * audit entry and without an idempotency key.
 */
export async function openStage(ownerUrl: string, connections: number) {
  const [api, operator] = (['api', 'operator'] as const).map((role) =>
    openOrm(roleUrl(ownerUrl, role), connections, 'assay', { keepsAfter: KEEPS_AFTER }),
  ) as [Orm, Orm];
  const orm = () => operator;
  const governed = async (): Promise<Sample> => {
    const workspace = await inPlatform(
      operator,
      async (em) => createWorkspace(em, { name: 'Bench', now: systemClock.now() }).uid,
    );
    return { workspace, ...(await governQuickstart(handsOf(operator), workspace, { kind: 'system' })) };
  };
  const sample = await governed();
  const call = async (which: 'drafter' | 'approver') => {
    const application = sample.applications[which].uid;
    const { uid: credential } = await inPlatform(operator, (em) =>
      em.findOneOrFail(Credential, { applicationUid: application }, { filters: false }),
    );
    const tenant = { workspace: sample.workspace, environment: 'sandbox' as const };
    const caller: Caller = {
      credential,
      application,
      ...tenant,
      serviceClass: 'standard',
      scopes: new Set(scopes),
      entitlements: new Set(scopes),
    };
    const shared = { orm: api, clock: systemClock, runs: {} as never, cursorSecret: 'of the bench' };
    const services = servicesFor(shared, { caller, signal: new AbortController().signal, isReadOnly: false });
    return async (operation: Operation, body: Record<string, unknown>, uid?: string) => {
      const { status, body: answer } = (await operation.handle({
        services,
        caller,
        body,
        params: { uid },
        requestId: 'bench',
        exact: (pointer: string) => (pointer.slice(1) in body ? String(body[pointer.slice(1)]) : undefined),
        fail: (code: string, detail: string) => {
          throw new Error(`${code}: ${detail}`);
        },
      })) as Reply<number, unknown>;
      if (status !== operation.success.status) throw new Error(`${operation.key} answered ${status}`);
      return answer as { uid: string };
    };
  };
  const drafter = await call('drafter');
  const approver = await call('approver');
  const draft = (counterparty: number) =>
    drafter(
      createDelegation,
      draftBody(sample as never, {
        counterparty_id: counterparty,
        budgets: { per_action_minor: 10, per_day_minor: 190_000, per_month_minor: 1_900_000 },
      }),
      sample.identity.uid,
    );
  const register = (counterparty: number) =>
    drafter(createObligation, sourceOf(counterparty, { source_reference: randomBytes(8).toString('hex') }));
  const approve = (uid: string) => approver(approveDelegation, {}, uid);
  return {
    api,
    operator,
    register: () => register(sample.counterparty_id),
    approve,
    /** Creates a draft that can be approved. */
    draft: async () => (await draft(sample.counterparty_id)).uid,
    revoke: (uid: string) =>
      inPlatform(operator, (em) => {
        const actor = { kind: 'person' as const, uid: sample.persons.controller.uid };
        const change = { uid, event: 'revoke' as const, reason: 'bench' };
        return carryOutIn(em, changeDelegation, change, { actor, clock: systemClock });
      }),
    /** Creates a delegation in force, with its own counterparty. */
    async power(): Promise<Power> {
      const counterparty = await createCounterparty({ orm }, sample.workspace);
      const { uid } = await draft(counterparty);
      await approve(uid);
      const terms = {
        action: 'obligation.pay',
        counterparty_id: counterparty,
        connector: sample.connector,
        currency: sample.currency,
        execution_mode: 'supervised' as const,
      };
      const { uid: obligation } = await register(counterparty);
      return { tenant: { workspace: sample.workspace, environment: 'sandbox' }, uid, terms, obligation };
    },
    /** Authorizes the smallest amount and settles it, in two transactions. */
    async use(power: Power): Promise<void> {
      const reference = randomBytes(8).toString('hex');
      const given = await inPlatform(operator, (em) => spendUnder(em, power, { amount: 1, reference }));
      if (!given.ok || !given.reservation) throw new Error(`not authorized: ${JSON.stringify(given)}`);
      const ended = await finish(operator, given.reservation.uid, { event: 'settle', actual: 1n });
      if (!ended.ok) throw new Error(`not settled: ${ended.code}`);
    },
    async close(): Promise<void> {
      await Promise.all([api.close(), operator.close()]);
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
