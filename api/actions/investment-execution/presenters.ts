import type { Static } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { isReleased } from '#lib/actions/execution/batch/batch-states.ts';
import { controlsOf } from '#lib/actions/execution/batch/batch-lock.query.ts';
import type { SettlementCalendar } from '#lib/actions/execution/batch/calendar.ts';
import { ageOf } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import type {
  CustodyObservation as ObservationRecord,
  ExecutionException as ExceptionRecord,
  TradeConfirmation,
} from '#lib/actions/execution/evidence/execution-evidence.entity.ts';
import type { ClosingBlocker } from '#lib/actions/execution/batch/closing.ts';
import type { BatchOrder, OrderBatch } from '#lib/actions/execution/batch/order-batch.entity.ts';
import { ENVELOPE_ACTION } from '#lib/actions/execution/batch/order.ts';
import type { Batch, BatchSummary } from './batch.schema.ts';
import type { CustodyObservation, Evidence } from './evidence.schema.ts';
import type { ExecutionException, Reconciliation } from './settlement.schema.ts';

export function presentBatch(
  batch: OrderBatch,
  orders: readonly BatchOrder[],
  confirmations: readonly TradeConfirmation[],
  now: Date,
): Static<typeof Batch> {
  const { orders: sum, ...summary } = presentSummary(batch, confirmations, now);
  return { ...summary, orders: { ...sum, items: orders.map(presentOrder) } };
}

/** Returns a batch without its individual orders. `confirmations` are the accepted confirmations, newest first. */
export function presentSummary(
  batch: OrderBatch,
  confirmations: readonly TradeConfirmation[],
  now: Date,
): Static<typeof BatchSummary> {
  const { progress, controls } = batch;
  const confirmedAt = confirmations.map((each) => each.confirmedAt.toISOString()).sort();
  return {
    uid: batch.uid,
    version: batch.version,
    batch_reference: batch.batchReference,
    portfolio_uid: batch.portfolioUid,
    legacy_uid: batch.legacyUid ?? null,
    state: batch.state,
    envelope: {
      uid: batch.envelopeUid,
      action: ENVELOPE_ACTION,
      envelope_hash: batch.envelopeHash,
      linked_at: batch.createdAt.toISOString(),
    },
    orders: {
      count: batch.orderCount,
      by_state: progress.orders,
      material_hash_root: batch.materialHashRoot,
    },
    pre_trade: {
      // A batch is released only if its controls have passed, so a released batch shows `passed` even if the
      // controls have expired.
      state: isReleased(batch.state) ? 'passed' : controlsOf(batch, now),
      evaluated_at: controls?.evaluated_at ?? null,
      expires_at: controls?.expires_at ?? null,
      controls: controls?.controls ?? [],
    },
    trade_confirmation: {
      state: progress.confirmation,
      evidence: confirmations.slice(0, 200).map((each) => presentEvidence(each)),
      confirmed_at: confirmedAt.at(-1) ?? null,
      closes_action: false,
    },
    custody: {
      state: progress.custody,
      observations: progress.observations,
      last_observed_at: progress.last_observed_at,
      totals: progress.totals,
    },
    exceptions: progress.exceptions,
    closed: batch.state === 'closed',
    closing_blockers: blockersOf(batch),
    created_at: batch.createdAt.toISOString(),
  };
}

export function blockersOf({ state, progress }: OrderBatch): ClosingBlocker[] {
  return state === 'cancelled' ? ['batch_cancelled'] : progress.closing_blockers;
}

function presentOrder(order: BatchOrder): Static<typeof Batch>['orders']['items'][number] {
  return {
    uid: order.uid,
    order_hash: order.orderHash,
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    order_type: order.orderType,
    limit_price: order.limitPrice ?? null,
    currency: order.currency,
    account_reference: order.accountReference,
    time_in_force: order.timeInForce,
    settlement_date: order.settlementDate,
    state: order.state,
  };
}

export function presentObservation(record: ObservationRecord): Static<typeof CustodyObservation> {
  const { content } = record;
  return {
    uid: record.uid,
    batch_uid: record.batchUid,
    observation_reference: record.observationReference,
    custodian: record.custodian,
    account_reference: content.account_reference,
    observed_at: content.observed_at,
    settlement_date: content.settlement_date,
    status: content.status,
    source_system: record.sourceSystem,
    source_reference: record.sourceReference,
    lines: content.lines,
    is_early: record.isEarly,
    recorded_at: record.recordedAt.toISOString(),
    recorded_by: { application_uid: record.recordedByUid },
    evidence: presentEvidence(record),
  };
}

export function presentReconciliation({ reconciliation }: ObservationRecord): Static<typeof Reconciliation> {
  const { uid, evaluated_at, engine_version, tolerance_profile, outcome, lines, totals } = reconciliation;
  return { uid, evaluated_at, engine_version, tolerance_profile, outcome, lines, totals };
}

function presentEvidence(record: ObservationRecord | TradeConfirmation): Static<typeof Evidence> {
  return {
    uid: record.uid,
    source_system: record.sourceSystem,
    source_reference: record.sourceReference,
    source_hash: record.sourceHash,
    hash_grade: record.hashGrade,
    first_seen_at: record.recordedAt.toISOString(),
    last_seen_at: record.lastSeenAt.toISOString(),
    times_seen: record.timesSeen,
  };
}

export function presentException(
  record: ExceptionRecord,
  calendar: SettlementCalendar,
  now: Date,
): Static<typeof ExecutionException> {
  const age = ageOf(calendar, utcDate(record.openedAt), utcDate(record.endedAt ?? now));
  return {
    uid: record.uid,
    batch_uid: record.batchUid,
    kind: record.kind,
    severity: record.severity,
    state: record.state,
    opened_at: record.openedAt.toISOString(),
    ended_at: record.endedAt?.toISOString() ?? null,
    ended_by: record.endedBy ?? null,
    age_business_days: age.days,
    age_bucket: age.bucket,
    order_uid: record.orderUid ?? null,
    observation_uid: record.observationUid ?? null,
    line_reference: record.lineReference ?? null,
    currency: record.currency ?? null,
    amount_minor: record.amountMinor == null ? null : Number(record.amountMinor),
    explanation: record.explanation,
    suggested_causes: record.causes,
  };
}
