import type { Clock } from '#lib/core/clock.ts';
import type { Em, Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { authorizeUse } from '#lib/actions/delegations/authorize-use.command.ts';
import type { Envelope } from '#lib/actions/delegations/authorize.ts';
import { Delegation } from '#lib/actions/delegations/delegation.entity.ts';
import { Obligation } from '#lib/actions/obligations/obligation.entity.ts';
import { endReservation } from '#lib/actions/delegations/end-reservation.command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { carryOutIn } from './governed.ts';
import type { Outcome } from '#lib/actions/delegations/windows.ts';

const actor = { kind: 'system' } as const;

export type Spend = {
  amount: number;
  reference?: string;
  now?: Date;
  /** The clock that is read once the transaction holds its locks. Default: always `now`. */
  clock?: Clock;
  changes?: Partial<Envelope>;
};

/** Authorizes an amount under a delegation, in its own transaction. */
export function spend(orm: Orm, uid: string, requested: Spend): Promise<Authorized> {
  return inPlatform(orm, async (em) => {
    const { terms, workspaceUid, environment } = await em.findOneOrFail(
      Delegation,
      { uid },
      { filters: false },
    );
    const tenant = { workspace: workspaceUid, environment };
    return spendUnder(
      em,
      { tenant, uid, terms, obligation: await obligationFor(em, tenant, terms) },
      requested,
    );
  });
}

/** Returns a registered obligation that a delegation can be used for; null if there is none. */
async function obligationFor(
  em: Em,
  { workspace, environment }: Tenant,
  { counterparty_id: counterpartyId, currency }: Pick<Envelope, 'counterparty_id' | 'currency'>,
): Promise<string | null> {
  const place = { workspaceUid: workspace, environment };
  const found = await em.findOne(
    Obligation,
    { ...place, counterpartyId, currency, governanceState: 'registered' },
    { filters: false, orderBy: { uid: 'asc' } },
  );
  return found?.uid ?? null;
}

/** The facts that a machine identity knows about its delegation, and the obligation that it pays. */
export type Machine = {
  tenant: Tenant;
  uid: string;
  terms: Omit<Envelope, 'amount_minor' | 'obligation_uid'>;
  obligation: string | null;
};

export type Authorized = Awaited<ReturnType<typeof spendUnder>>;

/** Works like `spend` in an existing transaction, for a machine identity with the given terms. */
export async function spendUnder(
  em: Em,
  { tenant, uid, terms, obligation }: Machine,
  { amount, reference, now = new Date(), clock, changes }: Spend,
) {
  const envelope = {
    action: terms.action,
    counterparty_id: terms.counterparty_id,
    connector: terms.connector,
    currency: terms.currency,
    execution_mode: terms.execution_mode,
    amount_minor: amount,
    obligation_uid: obligation,
    ...changes,
  };
  const use = {
    uid,
    envelope,
    reference: reference ?? `ref-${Math.trunc(performance.now() * 1e6)}-${amount}`,
  };
  const outcome = await governWithin(em, authorizeUse, use, {
    actor,
    place: tenant,
    clock: clock ?? { now: () => now },
  });
  return outcome.ok ? { ...outcome, ...outcome.result } : outcome;
}

export function finish(orm: Orm, uid: string, outcome: Outcome, now = new Date()) {
  return inPlatform(orm, (em) => finishIn(em, uid, outcome, now));
}

/** Ends a reservation in an existing transaction. */
export function finishIn(em: Em, uid: string, outcome: Outcome, now = new Date()) {
  return carryOutIn(em, endReservation, { uid, outcome }, { actor, clock: { now: () => now } });
}
