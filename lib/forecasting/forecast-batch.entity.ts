import { defineEntity, p } from '@mikro-orm/core';
import type { StoredProblem } from '#lib/core/problem.ts';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ForecastOptionsOnRecord } from './forecast-batch.ts';

const ForecastBatchSchema = defineEntity({
  name: 'ForecastBatch',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    requestId: p.text(),
    reason: p.text().nullable(),
    options: p.json<ForecastOptionsOnRecord>(),
    /** Number of forecasts requested. */
    items: p.integer(),
    createdAt: p.datetime(),
    cancelledAt: p.datetime().nullable(),
  },
});

/** A batch of forecasts that were requested together. Each forecast is a separate run. */
export class ForecastBatch extends ForecastBatchSchema.class {}
ForecastBatchSchema.setClass(ForecastBatch);

const ForecastBatchItemSchema = defineEntity({
  name: 'ForecastBatchItem',
  filters: tenantFilter,
  properties: {
    batchUid: p.text().primary(),
    /** Index of the item in the request, from 0. */
    position: p.integer().primary(),
    ...tenantColumns,
    metric: p.text(),
    companyId: p.integer().nullable(),
    horizon: p.integer(),
    runUid: p.text().nullable(),
    /** Reason why the item has no run. */
    problem: p.json<StoredProblem>().nullable(),
  },
});

/** One forecast of a batch. */
export class ForecastBatchItem extends ForecastBatchItemSchema.class {}
ForecastBatchItemSchema.setClass(ForecastBatchItem);
