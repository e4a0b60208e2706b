import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { BatchState } from './batch-states.ts';
import type { KeptControls } from './controls.ts';
import type { Instrument } from './instrument.ts';
import type { OrderType, Side, TimeInForce } from './order.ts';
import type { Progress } from './progress.ts';
import type { OrderState } from '../reconciliation/order-states.ts';
import type { KeptTolerance } from '../reconciliation/tolerance.ts';

const OrderBatchSchema = defineEntity({
  name: 'OrderBatch',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    version: p.integer(),
    batchReference: p.text(),
    portfolioUid: p.text(),
    legacyUid: p.text().nullable(),
    state: p.text().$type<BatchState>(),
    envelopeUid: p.text(),
    envelopeHash: p.text(),
    materialHashRoot: p.text(),
    orderCount: p.integer(),
    controls: p.json<KeptControls>().nullable(),
    importedByUid: p.text(),
    createdAt: p.datetime(),
    approvedByUid: p.text().nullable(),
    approvedAt: p.datetime().nullable(),
    approvedRoot: p.text().nullable(),
    /**
     * The version of the authority that approved the batch. The amounts of this batch are counted against the limits
     * per day and month of the authority.
     */
    approvedAuthorityUid: p.text().nullable(),
    releasedByUid: p.text().nullable(),
    releasedAt: p.datetime().nullable(),
    releasedAuthorityUid: p.text().nullable(),
    tolerance: p.json<KeptTolerance>().nullable(),
    cancelledByUid: p.text().nullable(),
    cancelledAt: p.datetime().nullable(),
    cancelReason: p.text().nullable(),
    progress: p.json<Progress>(),
    /** The time of the first closing. Kept when the batch is reopened. */
    closedAt: p.datetime().nullable(),
  },
});

/** Orders that are approved, released and settled together. Contains no credential of a broker. */
export class OrderBatch extends OrderBatchSchema.class {}
OrderBatchSchema.setClass(OrderBatch);

const BatchOrderSchema = defineEntity({
  name: 'BatchOrder',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    batchUid: p.text(),
    orderHash: p.text(),
    instrument: p.json<Instrument>(),
    side: p.text().$type<Side>(),
    quantity: p.text(),
    orderType: p.text().$type<OrderType>(),
    limitPrice: p.text().nullable(),
    referencePrice: p.text().nullable(),
    currency: p.text(),
    accountReference: p.text(),
    timeInForce: p.text().$type<TimeInForce>(),
    settlementDate: p.date(),
    state: p.text().$type<OrderState>(),
  },
});

/** One order of a batch. Only its state changes. */
export class BatchOrder extends BatchOrderSchema.class {}
BatchOrderSchema.setClass(BatchOrder);

const LegacyBatchSchema = defineEntity({
  name: 'LegacyBatch',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    sourceSystem: p.text(),
    legacyReference: p.text(),
    portfolioUid: p.text(),
    status: p.text(),
    orderCount: p.integer(),
    createdAt: p.datetime(),
    importedByUid: p.text(),
    importedAt: p.datetime(),
  },
});

/** A batch of an earlier system. Only the import of a new order batch can link the new batch to it. */
export class LegacyBatch extends LegacyBatchSchema.class {}
LegacyBatchSchema.setClass(LegacyBatch);
