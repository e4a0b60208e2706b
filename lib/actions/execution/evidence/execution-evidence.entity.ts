import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { HashGrade } from '#lib/governance/evidence.ts';
import type { ConfirmationContent } from './confirmation.ts';
import type { ExceptionState } from '../exceptions/exception-decision.ts';
import type { ExceptionKind, Severity } from '../exceptions/exception-kinds.ts';
import type { SuggestedCause } from '../reconciliation/causes.ts';
import type { ObservationContent } from './observation.ts';
import type { KeptReconciliation } from '../batch/progress.ts';

const sourceColumns = {
  sourceSystem: p.text(),
  sourceReference: p.text(),
  sourceHash: p.text(),
  hashGrade: p.text().$type<HashGrade>(),
  contentHash: p.text(),
  timesSeen: p.integer(),
  lastSeenAt: p.datetime(),
};

const TradeConfirmationSchema = defineEntity({
  name: 'TradeConfirmation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    batchUid: p.text(),
    isRefused: p.boolean(),
    executingBroker: p.text(),
    ...sourceColumns,
    content: p.json<ConfirmationContent>(),
    confirmedAt: p.datetime(),
    recordedByUid: p.text(),
    recordedAt: p.datetime(),
  },
});

/** A broker's report of executed orders. A confirmation alone never closes a batch. */
export class TradeConfirmation extends TradeConfirmationSchema.class {}
TradeConfirmationSchema.setClass(TradeConfirmation);

const CustodyObservationSchema = defineEntity({
  name: 'CustodyObservation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    batchUid: p.text(),
    observationReference: p.text(),
    custodian: p.text(),
    ...sourceColumns,
    content: p.json<ObservationContent>(),
    /** Whether the observation arrived before its batch was released. */
    isEarly: p.boolean(),
    /** The result at the time the observation was recorded. */
    reconciliation: p.json<KeptReconciliation>(),
    recordedByUid: p.text(),
    recordedAt: p.datetime(),
  },
});

/** The settlement that a custodian observed. */
export class CustodyObservation extends CustodyObservationSchema.class {}
CustodyObservationSchema.setClass(CustodyObservation);

const ExecutionExceptionSchema = defineEntity({
  name: 'ExecutionException',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    batchUid: p.text(),
    /**
     * `key` names the subject of the exception, and `fingerprint` identifies the exact values. A decision of a person
     * applies only while the key and the fingerprint are unchanged.
     */
    key: p.text(),
    fingerprint: p.text(),
    kind: p.text().$type<ExceptionKind>(),
    severity: p.text().$type<Severity>(),
    state: p.text().$type<ExceptionState>(),
    orderUid: p.text().nullable(),
    observationUid: p.text().nullable(),
    lineReference: p.text().nullable(),
    currency: p.text().nullable(),
    amountMinor: p.bigint().nullable(),
    explanation: p.text(),
    causes: p.json<SuggestedCause[]>(),
    openedAt: p.datetime(),
    acknowledgedByUid: p.text().nullable(),
    acknowledgedAt: p.datetime().nullable(),
    endedBy: p.text().$type<'evidence' | 'person'>().nullable(),
    endedByUid: p.text().nullable(),
    endedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
    evidenceReference: p.text().nullable(),
    firstWaiverUid: p.text().nullable(),
  },
});

/** A problem with a settlement. It stays open until evidence clears it or persons resolve or waive it. */
export class ExecutionException extends ExecutionExceptionSchema.class {}
ExecutionExceptionSchema.setClass(ExecutionException);
