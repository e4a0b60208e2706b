import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { AuthorityRefusal } from '../delegation/approval.ts';
import { approvalAuthority, authorityFor } from './batch-authority.repository.ts';
import { decideBatch, type BatchRefusal, type ControlsState } from './batch-decision.ts';
import type { ReadOrder } from './batch-file.ts';
import type { BatchState } from './batch-states.ts';
import { controlsNow, evaluateControls, measuredOf, verdictOf } from './controls.ts';
import { BatchOrder, LegacyBatch, OrderBatch } from './order-batch.entity.ts';
import { pricedOrder } from './order-facts.ts';
import { batchRoot, envelopeHash, orderHash } from './order.ts';
import { countStates, type Progress } from './progress.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import { askReleasePolicies } from './release.repository.ts';
import { controlRulesOf, toleranceInForce } from './rules.repository.ts';

export type BatchImport = {
  tenant: Tenant;
  reference: string;
  portfolio: string;
  orders: readonly ReadOrder[];
  legacy: string | null;
  by: string;
  now: Date;
};

export type Imported =
  | { ok: true; batch: OrderBatch; isNew: boolean }
  | { ok: false; code: 'batch_reference_in_use' | 'legacy_batch_unknown' | 'legacy_batch_linked' };

const NOTHING_YET: Progress = {
  orders: countStates([]),
  confirmation: 'none',
  custody: 'none',
  observations: 0,
  last_observed_at: null,
  totals: [],
  exceptions: { open: 0, highest_severity: null },
  closing_blockers: [],
};

/** Drafts a batch, in the caller's transaction. The same orders under the same reference are the same batch. */
export async function importBatch(em: Em, given: BatchImport): Promise<Imported> {
  const { tenant, reference, portfolio, orders, legacy, by, now } = given;
  const root = batchRoot(orders.map(({ order_hash }) => order_hash));
  const known = await em.findOne(OrderBatch, { batchReference: reference });
  if (known) {
    const isSame = known.materialHashRoot === root && known.portfolioUid === portfolio;
    return isSame ? { ok: true, batch: known, isNew: false } : { ok: false, code: 'batch_reference_in_use' };
  }
  if (legacy !== null) {
    if (!(await em.findOne(LegacyBatch, { uid: legacy }))) return { ok: false, code: 'legacy_batch_unknown' };
    if (await em.count(OrderBatch, { legacyUid: legacy })) return { ok: false, code: 'legacy_batch_linked' };
  }
  const { workspace, environment } = tenant;
  const count = orders.length;
  const batch = em.create(OrderBatch, {
    uid: newUid(prefixes.orderBatch),
    workspaceUid: workspace,
    environment,
    version: 1,
    batchReference: reference,
    portfolioUid: portfolio,
    legacyUid: legacy,
    state: 'drafted',
    envelopeUid: newUid(prefixes.actionEnvelope),
    envelopeHash: envelopeHash({ workspace, environment, portfolio, reference, root, count }),
    materialHashRoot: root,
    orderCount: count,
    controls: null,
    importedByUid: by,
    createdAt: now,
    progress: NOTHING_YET,
  });
  await em.flush();
  for (const order of orders) {
    em.create(BatchOrder, {
      uid: newUid(prefixes.batchOrder),
      workspaceUid: workspace,
      environment,
      batchUid: batch.uid,
      orderHash: order.order_hash,
      instrument: order.instrument,
      side: order.side,
      quantity: order.quantity,
      orderType: order.order_type,
      limitPrice: order.limit_price,
      referencePrice: order.reference_price,
      currency: order.currency,
      accountReference: order.account_reference,
      timeInForce: order.time_in_force,
      settlementDate: order.settlement_date,
      state: 'open',
    });
  }
  await em.flush();
  return { ok: true, batch, isNew: true };
}

/** Locks a batch. Whoever changes anything about it, or adds evidence to it, does so first. */
export async function lockBatch(em: Em, uid: string): Promise<OrderBatch | null> {
  return em.findOne(OrderBatch, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** What the controls of a batch are worth now. */
export function controlsOf({ controls, materialHashRoot }: OrderBatch, now: Date): ControlsState {
  if (!controls) return 'not_evaluated';
  const { verdict, root, expires_at } = controls;
  return controlsNow({ verdict, root, expiresAt: new Date(expires_at) }, materialHashRoot, now);
}

export type BatchChange = {
  event: 'evaluate' | 'approve' | 'release' | 'cancel';
  by: string;
  now: Date;
  reason?: string;
};

export type BatchChanged =
  | { ok: true; batch: OrderBatch; from: BatchState; authority?: string; decision?: string | null }
  | {
      ok: false;
      code: BatchRefusal | AuthorityRefusal | 'batch_unknown' | 'orders_changed' | 'policy_denied';
      detail?: string;
      decision?: string | null;
    };

/**
 * Locks a batch, asks the rule, the authority of who approves or releases, and for a release that of who approved it and
 * the policies, and writes what they say, in the caller's transaction.
 */
export async function changeBatch(em: Em, uid: string, change: BatchChange): Promise<BatchChanged> {
  const { by, now } = change;
  const batch = await lockBatch(em, uid);
  if (!batch) return { ok: false, code: 'batch_unknown' };
  await lockControl(em, batch.workspaceUid, 'share');
  const orders = await em.find(BatchOrder, { batchUid: uid }, { orderBy: { uid: 'asc' } });
  const root = batchRoot(orders.map((order) => orderHash(pricedOrder(order))));
  if (root !== batch.materialHashRoot) return { ok: false, code: 'orders_changed' };
  const tenant = { workspace: batch.workspaceUid, environment: batch.environment };
  const inForce = await controlRulesOf(em, tenant);
  const measured = change.event === 'evaluate' ? measure(inForce, orders, root, now) : undefined;
  const event =
    change.event === 'evaluate' ? (measured!.verdict === 'passed' ? 'pass' : 'fail') : change.event;
  const facts = {
    state: batch.state,
    importedBy: batch.importedByUid,
    controls: controlsOf(batch, now),
    measuredBy: batch.controls?.measured_by ?? null,
    rulesInForce: inForce.versions,
    root,
    approvedRoot: batch.approvedRoot ?? null,
  };
  const verdict = decideBatch(facts, event, by);
  if (!verdict.ok) return verdict;
  const gross = measuredOf(batch.controls, 'gross_notional');
  let authority: string | undefined;
  if (change.event === 'approve' || change.event === 'release') {
    const question = { tenant, batch: uid, person: by, capability: change.event, gross, now };
    const held = await authorityFor(em, question);
    if (!held.ok) return held;
    authority = held.uid;
  }
  if (change.event === 'release') {
    const standing = await approvalAuthority(em, batch, { tenant, gross, now });
    if (!standing.ok) {
      const { code, detail } = standing;
      return { ok: false, code: 'approval_void', detail: detail ? `${code}: ${detail}` : code };
    }
  }
  let decision: string | null | undefined;
  if (change.event === 'evaluate') {
    const none = { approvedByUid: null, approvedAt: null, approvedRoot: null, approvedAuthorityUid: null };
    em.assign(batch, { controls: measured!, ...none });
  } else if (change.event === 'approve') {
    const approved = { approvedByUid: by, approvedAt: now, approvedRoot: root };
    em.assign(batch, { ...approved, approvedAuthorityUid: authority! });
  } else if (change.event === 'cancel') {
    em.assign(batch, { cancelledByUid: by, cancelledAt: now, cancelReason: change.reason ?? null });
  } else {
    const largest = measuredOf(batch.controls, 'order_notional');
    const question = { tenant, batch: uid, orderCount: batch.orderCount, gross, largest, now };
    const answer = await askReleasePolicies(em, question);
    decision = answer.decision;
    if (!answer.ok) return { ok: false, code: 'policy_denied', detail: answer.detail, decision };
    const released = { releasedByUid: by, releasedAt: now, releasedAuthorityUid: authority! };
    em.assign(batch, { ...released, tolerance: await toleranceInForce(em, tenant) });
  }
  const from = batch.state;
  batch.state = verdict.next;
  batch.version += 1;
  await em.flush();
  return {
    ok: true,
    batch,
    from,
    ...(authority === undefined ? {} : { authority }),
    ...(decision === undefined ? {} : { decision }),
  };
}

function measure(
  { rules, versions, validMinutes }: Awaited<ReturnType<typeof controlRulesOf>>,
  orders: readonly BatchOrder[],
  root: string,
  now: Date,
) {
  const controls = evaluateControls(orders.map(pricedOrder), rules);
  const expires = new Date(now.getTime() + validMinutes * 60_000);
  return {
    verdict: verdictOf(controls),
    root,
    measured_by: versions,
    evaluated_at: now.toISOString(),
    expires_at: expires.toISOString(),
    controls,
  };
}
