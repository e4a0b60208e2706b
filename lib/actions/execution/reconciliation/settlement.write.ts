import { utcDate } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import type { Entry } from '#lib/governance/command.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { isAllowed, isReleased, type BatchState } from '../batch/batch-states.ts';
import { confirmedLines } from '../evidence/confirmation.ts';
import { controlsOf } from '../batch/batch-lock.query.ts';
import { recordedObservation, withCountedElsewhere } from './counted-elsewhere.query.ts';
import {
  CustodyObservation,
  ExecutionException,
  TradeConfirmation,
} from '../evidence/execution-evidence.entity.ts';
import { syncExceptions } from '../exceptions/exception.write.ts';
import { BatchOrder, type OrderBatch } from '../batch/order-batch.entity.ts';
import { orderFacts } from '../batch/order-facts.ts';
import { progressOf } from '../batch/progress.ts';
import { reconcile, type Reconciliation } from './reconcile.ts';
import { calendarOf } from '../batch/rules.query.ts';
import { recordSettledOrders } from './settled-orders.write.ts';
import type { ObservationFacts, SettlementFacts } from './settlement-facts.ts';

export type Settled = { result: Reconciliation; facts: SettlementFacts; previous: BatchState };

/**
 * Reconciles a batch from all of its evidence and writes the result. The caller's transaction must hold the lock of the
 * batch. Returns the audit entries of the changes.
 */
export async function settleBatch(em: Em, batch: OrderBatch, now: Date): Promise<Entry[]> {
  return writeSettlement(em, batch, await reconcileBatch(em, batch, now), now);
}

/**
 * Reconciles a batch from all of its evidence, without writing the result. `fresh` is an observation that is about to
 * be stored.
 */
export async function reconcileBatch(
  em: Em,
  batch: OrderBatch,
  now: Date,
  fresh?: ObservationFacts,
): Promise<Settled> {
  const kept = await gatherFacts(em, batch, now);
  const facts = fresh ? { ...kept, observations: [...kept.observations, fresh] } : kept;
  return { result: reconcile(facts), facts, previous: batch.state };
}

/**
 * Writes the result of a reconciliation: the states of the orders, the exceptions, the progress and the state of the
 * batch. A new observation must be stored before the call. Returns the audit entries of the changes.
 */
export async function writeSettlement(
  em: Em,
  batch: OrderBatch,
  { result, facts, previous }: Settled,
  now: Date,
): Promise<Entry[]> {
  const rows = await em.find(BatchOrder, { batchUid: batch.uid });
  const states = new Map(result.orders.map(({ order, state }) => [order.uid, state]));
  const wereSettled = new Set(rows.filter(({ state }) => state === 'settled').map(({ uid }) => uid));
  for (const row of rows) row.state = states.get(row.uid)!;
  const entries = await syncExceptions(em, batch, result.live, now);
  await em.flush();
  const settled = result.orders.filter(
    ({ order, state }) => state === 'settled' || wereSettled.has(order.uid),
  );
  await recordSettledOrders(em, settled, now);
  batch.progress = progressOf(result, facts);
  if (isReleased(previous) && result.state !== previous) {
    if (!isAllowed('progress', previous, result.state)) {
      throw new Error(`evidence cannot move a batch from ${previous} to ${result.state}`);
    }
    batch.state = result.state;
    batch.version += 1;
    if (result.state === 'closed') batch.closedAt ??= now;
    entries.push(stateEntry(batch, previous));
  }
  await em.flush();
  return entries;
}

/** Reads all facts that determine the state of a batch now. */
export async function gatherFacts(em: Em, batch: OrderBatch, now: Date): Promise<SettlementFacts> {
  const batchUid = batch.uid;
  const orders = await em.find(BatchOrder, { batchUid }, { orderBy: { uid: 'asc' } });
  const confirmations = await em.find(TradeConfirmation, { batchUid }, { orderBy: { uid: 'asc' } });
  const observations = await em.find(CustodyObservation, { batchUid }, { orderBy: { uid: 'asc' } });
  const decided = await em.find(ExecutionException, { batchUid, endedBy: 'person' });
  const conflicts = await em.find(EvidenceConflict, {
    subjectType: 'custody_observation',
    subjectUid: observations.map(({ uid }) => uid),
    state: 'open',
  });
  return {
    isReleased: isReleased(batch.state),
    controlsPassed: isReleased(batch.state) || controlsOf(batch, now) === 'passed',
    orders: orders.map(orderFacts),
    confirmations: confirmations
      .filter(({ isRefused }) => !isRefused)
      .flatMap(({ content }) => confirmedLines(content)),
    observations: await withCountedElsewhere(em, batchUid, observations.map(recordedObservation)),
    conflicts: [
      ...conflicts.map(({ uid }) => ({ uid, about: 'custody observation' as const })),
      ...confirmations
        .filter(({ isRefused }) => isRefused)
        .map(({ uid }) => ({ uid, about: 'trade confirmation' as const })),
    ],
    tolerance: batch.tolerance?.entries ?? [],
    calendar: await calendarOf(em, { workspace: batch.workspaceUid, environment: batch.environment }),
    today: utcDate(now),
    wasClosed: batch.closedAt != null,
    decided: decided.map(({ key, fingerprint, state }) => ({
      key,
      fingerprint,
      state: state as 'resolved' | 'waived',
    })),
  };
}

function stateEntry(batch: OrderBatch, from: BatchState): Entry {
  const op =
    batch.state === 'closed' ? 'batch.closed' : from === 'closed' ? 'batch.reopened' : 'batch.state_changed';
  return {
    op,
    subject: { type: 'order_batch', uid: batch.uid, version: batch.version },
    details: { from, to: batch.state },
  };
}
