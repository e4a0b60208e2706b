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
    /** How many forecasts were asked for. */
    items: p.integer(),
    createdAt: p.datetime(),
    cancelledAt: p.datetime().nullable(),
  },
});

/** Forecasts that were asked for together. Each of them is a run of its own. */
export class ForecastBatch extends ForecastBatchSchema.class {}
ForecastBatchSchema.setClass(ForecastBatch);

const ForecastBatchItemSchema = defineEntity({
  name: 'ForecastBatchItem',
  filters: tenantFilter,
  properties: {
    batchUid: p.text().primary(),
    /** Its place in the request, from 0. */
    position: p.integer().primary(),
    ...tenantColumns,
    metric: p.text(),
    companyId: p.integer().nullable(),
    horizon: p.integer(),
    runUid: p.text().nullable(),
    /** Why there is no run of it. */
    problem: p.json<StoredProblem>().nullable(),
  },
});

/** One of the forecasts of a batch. */
export class ForecastBatchItem extends ForecastBatchItemSchema.class {}
ForecastBatchItemSchema.setClass(ForecastBatchItem);
