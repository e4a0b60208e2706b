import { randomBytes } from 'node:crypto';
import { actionKind, defaultActions } from '#lib/actions/authority/action.ts';
import { authorityKind } from '#lib/actions/authority/authority.ts';
import { ceilingKind } from '#lib/actions/authority/ceiling.ts';
import { BatchFile, readOrders } from '#lib/actions/execution/batch/batch-file.ts';
import type { BatchChange } from '#lib/actions/execution/batch/batch-decision.ts';
import { changeBatch as changeCommand } from '#lib/actions/execution/batch/change-batch.command.ts';
import { importBatch } from '#lib/actions/execution/batch/import-batch.command.ts';
import { recordConfirmation } from '#lib/actions/execution/evidence/record-confirmation.command.ts';
import type { ConfirmationFile } from '#lib/actions/execution/evidence/confirmation.ts';
import { BatchOrder } from '#lib/actions/execution/batch/order-batch.entity.ts';
import { preTradeRulesKind } from '#lib/actions/execution/batch/pre-trade-rules.ts';
import { settlementCalendarKind } from '#lib/actions/execution/batch/settlement-calendar.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { bootstrapGoverned, draftGoverned } from '#lib/governance/governed/governed-record.write.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { carryOutAs, governAsPerson } from './as-person.ts';
import { changeGoverned } from './governed.ts';
import { createPerson } from '#lib/access/provision.ts';
import { Counterparty } from '#lib/access/counterparty.entity.ts';
import { policyKind } from '#lib/governance/policy/policy-kind.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf, type Answer } from './client.ts';
import { anyScope, policyBody, ruleOf } from './policy.ts';

export const EXECUTION = '/actions/investment-execution';
export const CUSTODIAN = 'bny_main';

let count = 0;

/** The persons and records that order batches of a workspace and environment need. */
export type Desk = Tenancy & { backend: Backend; persons: readonly [string, string, string] };

/** Pre-trade rules that ordinary batches pass. */
export const ordinaryRules = {
  max_orders: 100,
  gross: [
    { currency: 'USD', limit_minor: 9_000_000_000 },
    { currency: 'EUR', limit_minor: 9_000_000_000 },
  ],
  per_order: [
    { currency: 'USD', limit_minor: 9_000_000_000 },
    { currency: 'EUR', limit_minor: 9_000_000_000 },
  ],
  known_instruments: [{ isin: 'US0378331005' }, { isin: 'DE0007164600' }],
  restricted_instruments: [],
  valid_minutes: 60,
};
/** A policy that allows batches to be released. A test of a denial ends this policy. */
const releases = {
  ...policyBody({ scope: anyScope }),
  rules: [ruleOf('release', 'allow', { field: 'decision_point', op: 'eq', value: 'batch_release' })],
  cases: [
    { name: 'a release passes', input: { decision_point: 'batch_release' }, expect: { effect: 'allow' } },
  ],
};
const calendar = { from: '2020-01-01', to: '2199-12-31', weekend: [], holidays: [] };

/**
 * Creates persons, a custodian, and rules that ordinary batches pass. Every day is a settlement day, so that
 * tests pass on any day.
 */
export async function openDesk(backend: Backend, tenancy: Tenancy): Promise<Desk> {
  const { workspace, environment } = tenancy;
  return inTenant(backend.orm('operator'), { workspace, environment }, async (em) => {
    const now = new Date();
    const persons = [0, 1, 2].map(() => {
      const number = ++count;
      const email = `desk${number}.${process.pid}@example.com`;
      return createPerson(em, { workspace, name: `Desk ${number}`, email, roles: ['approver'], now }).uid;
    });
    await em.flush();
    if (!(await em.count(Counterparty, { kind: 'custodian', key: CUSTODIAN }))) {
      const name = `Custodian ${++count}`;
      em.create(Counterparty, {
        workspaceUid: workspace,
        kind: 'custodian',
        key: CUSTODIAN,
        name,
        state: 'active',
        createdAt: now,
      });
      await em.flush();
    }
    const desk = { ...tenancy, backend, persons: persons as [string, string, string] };
    await bringIntoForce(em, desk, preTradeRulesKind, ordinaryRules);
    await bringIntoForce(em, desk, settlementCalendarKind, calendar);
    await letDecide(em, desk);
    await bringIntoForce(em, desk, policyKind as unknown as GovernedKind, releases, 'releases');
    return desk;
  });
}

/**
 * Gives the second and the third person of a desk authorities to approve and release batches, under a ceiling
 * that covers both.
 */
async function letDecide(em: Em, desk: Desk): Promise<void> {
  const { workspace, environment, person, persons } = desk;
  const [tenant, now] = [{ workspace, environment }, new Date()];
  for (const { key, ...body } of defaultActions) {
    await bootstrapGoverned(em, actionKind as unknown as GovernedKind, { tenant, key, name: key, body, now });
  }
  await bringIntoForce(em, desk, ceilingKind, { limits: deskLimits });
  for (const grantee of persons.slice(1)) {
    const makers: Desk = { ...desk, persons: [person, persons[0], grantee] };
    await bringIntoForce(em, makers, authorityKind, deskAuthority(grantee), `desk-${++count}`);
  }
}

const deskLimits = ['EUR', 'USD'].map((currency) => ({
  currency,
  per_action_minor: 9_000_000_000,
  per_day_minor: null,
  per_month_minor: null,
}));

/** Returns the body of an authority to approve and release the batches of a desk. */
export function deskAuthority(grantee: string, more: Record<string, unknown> = {}) {
  return {
    grantee: { kind: 'user', person_uid: grantee },
    actions: ['investment.order.submit'],
    capabilities: ['approve', 'release'],
    connectors: 'any_registered',
    counterparties: 'any_registered',
    max_risk_tier: 'T1',
    limits: deskLimits,
    valid_from: new Date().toISOString(),
    valid_until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    granted_under: null,
    ...more,
  };
}

/** Brings a governed record into force, drafted by the first person of a desk and approved by the second. */
export async function bringIntoForce(
  em: Em,
  { workspace, environment, persons }: Desk,
  kind: GovernedKind,
  body: unknown,
  key?: string,
): Promise<string> {
  const now = new Date();
  const tenant = { workspace, environment };
  const drafted = await draftGoverned(em, kind, {
    tenant,
    key,
    name: 'For tests',
    body,
    by: persons[0],
    now,
  });
  if (!drafted.ok) throw new Error(JSON.stringify(drafted.faults));
  for (const [event, by] of [
    ['submit', persons[0]],
    ['approve', persons[1]],
  ] as const) {
    const changed = await changeGoverned(em, kind, drafted.record.uid, { event, by, now });
    if (!changed.ok) throw new Error(JSON.stringify(changed));
  }
  return drafted.record.uid;
}

export function settlementDay(days = 0): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns a file of two orders that settle today. Its content differs from the files in every other test. */
export function batchFile(more: Partial<BatchFile> = {}): BatchFile {
  const order = {
    instrument: { isin: 'US0378331005' },
    side: 'buy' as const,
    quantity: '1500',
    order_type: 'limit' as const,
    limit_price: '190.5',
    currency: 'USD',
    account_reference: 'ACC-4821',
    time_in_force: 'day' as const,
    settlement_date: settlementDay(),
  };
  const other = {
    ...order,
    instrument: { isin: 'DE0007164600' },
    side: 'sell' as const,
    quantity: '10',
    currency: 'EUR',
  };
  const batch_reference = `EQ-${process.pid}-${++count}`;
  return { batch_reference, portfolio_uid: 'prt_global', orders: [order, other], ...more };
}

/** The confirmed amounts of the orders in the file that this module creates, in minor units. */
export const AMOUNTS = [28_499_850, 191_000] as const;

/** Changes a batch in a transaction of the operator. */
export function atDesk<T>(
  { backend, workspace, environment }: Desk,
  work: (em: Em) => Promise<T>,
): Promise<T> {
  return inTenant(backend.orm('operator'), { workspace, environment }, work);
}

export type Made = { uid: string; orders: BatchOrder[] };

/** Imports a draft batch. Returns its orders in the order of the file. */
export async function draftBatch(desk: Desk, file = batchFile()): Promise<Made> {
  const read = readOrders(file.orders);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const tenant = tenantOf(desk);
  const imported = await governAsPerson(
    desk.backend,
    importBatch,
    {
      ...tenant,
      reference: file.batch_reference,
      portfolio: file.portfolio_uid,
      orders: read.orders,
      legacy: null,
    },
    { tenant, person: desk.persons[0] },
  );
  if (!imported.ok) throw new Error(imported.code);
  const { uid } = imported.result.batch;
  const orders = await atDesk(desk, (em) =>
    em.find(BatchOrder, { batchUid: uid }, { orderBy: { uid: 'asc' } }),
  );
  return { uid, orders };
}

export type BatchStep = { event: BatchChange; by: string; now: Date; reason?: string };

/** Changes a batch as a person, in the caller's transaction, at a time that the test sets. */
export async function changeBatch(em: Em, uid: string, { by, now, ...change }: BatchStep) {
  const tenant = (await changeCommand.find(em, { uid, ...change }))!;
  const changed = await carryOutAs(em, changeCommand, { uid, ...change }, { tenant, person: by, now });
  if (changed.ok) return { ok: true as const, batch: changed.result.batch };
  const why = 'why' in changed && changed.why ? { detail: changed.why } : {};
  return { ok: false as const, code: changed.code, ...why };
}

/** Evaluates, approves and releases a batch, by persons other than the importer. */
export async function releaseBatch(desk: Desk, uid: string): Promise<void> {
  for (const [event, by] of [
    ['evaluate', 0],
    ['approve', 1],
    ['release', 2],
  ] as const) {
    const change = { event, by: desk.persons[by], now: new Date() };
    const changed = await atDesk(desk, (em) => changeBatch(em, uid, change));
    if (!changed.ok) throw new Error(changed.code);
  }
}

function tenantOf({ workspace, environment }: Desk): Tenant {
  return { workspace, environment };
}

export function confirmationFile(
  orders: readonly BatchOrder[],
  more: Partial<ConfirmationFile> = {},
): ConfirmationFile {
  return {
    source_system: 'broker_fix',
    source_reference: `CONF-${process.pid}-${++count}`,
    source_hash: randomBytes(32).toString('hex'),
    executing_broker: 'broker_one',
    confirmed_at: new Date().toISOString(),
    lines: orders.map(({ orderHash, quantity, currency }, at) => ({
      order_hash: orderHash,
      quantity,
      currency,
      settlement_amount_minor: AMOUNTS[at]!,
      amount_scale: 2,
    })),
    ...more,
  };
}

export function confirmBatch(desk: Desk, { uid, orders }: Made, offered = confirmationFile(orders)) {
  const by = { tenant: tenantOf(desk), person: desk.persons[0] };
  return governAsPerson(desk.backend, recordConfirmation, { batch: uid, offered }, by);
}

/** Creates a confirmed batch, which waits for a custody observation. */
export async function confirmedBatch(desk: Desk): Promise<Made> {
  const made = await draftBatch(desk);
  await releaseBatch(desk, made.uid);
  await confirmBatch(desk, made);
  return made;
}

export function lineOf(order: BatchOrder, amount: number, more: Record<string, unknown> = {}) {
  return {
    line_reference: '1',
    order_hash: order.orderHash,
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    currency: order.currency,
    settlement_amount_minor: amount,
    amount_scale: 2,
    ...more,
  };
}

/**
 * Returns custody evidence that differs from the evidence in every other test. By default it covers the whole
 * batch, with the confirmed amounts.
 */
export function evidenceOf({ orders }: Made, more: Record<string, unknown> = {}): Record<string, any> {
  const number = `${process.pid}-${++count}`;
  return {
    observation_reference: `CUST-${number}`,
    custodian: CUSTODIAN,
    account_reference: '...4821',
    observed_at: new Date().toISOString(),
    settlement_date: settlementDay(),
    status: 'settled',
    source_system: 'custody_feed',
    source_reference: `sese025:${number}`,
    source_hash: randomBytes(32).toString('hex'),
    lines: orders.map((order, at) => lineOf(order, AMOUNTS[at]!, { line_reference: String(at + 1) })),
    ...more,
  };
}

export function observe(
  { backend, key }: Desk,
  uid: string,
  evidence: unknown,
  headers = {},
): Promise<Answer> {
  return clientOf(backend, key).post(`${EXECUTION}/${uid}/custody`, evidence, headers);
}

const desks = new Map<string, Promise<Desk>>();

function deskOf(backend: Backend, tenancy: Tenancy): Promise<Desk> {
  const name = `${backend.url} ${tenancy.application}`;
  if (!desks.has(name)) desks.set(name, openDesk(backend, tenancy));
  return desks.get(name)!;
}

/** Creates a batch of a tenancy; returns its uid. */
export async function createOrderBatch(backend: Backend, tenancy: Tenancy): Promise<string> {
  return (await draftBatch(await deskOf(backend, tenancy))).uid;
}

/** Creates an observation of a new batch; returns its uid. */
export async function createObservation(backend: Backend, tenancy: Tenancy): Promise<string> {
  const desk = await deskOf(backend, tenancy);
  const made = await confirmedBatch(desk);
  return (await observe(desk, made.uid, evidenceOf(made))).body.observation.uid;
}

/** Creates an exception of a new batch; returns its uid. */
export async function createException(backend: Backend, tenancy: Tenancy): Promise<string> {
  const desk = await deskOf(backend, tenancy);
  const made = await draftBatch(desk);
  return (await observe(desk, made.uid, evidenceOf(made))).body.exceptions[0].uid;
}
