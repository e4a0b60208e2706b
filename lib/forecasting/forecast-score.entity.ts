import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ForecastScore } from './forecast-score.ts';

const ForecastScoreSchema = defineEntity({
  name: 'ForecastScoreRecord',
  tableName: 'forecast_score',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    score: p.json<ForecastScore>(),
    scoredAt: p.datetime(),
  },
});

/** Accuracy of a forecast when it was last compared. */
export class ForecastScoreRecord extends ForecastScoreSchema.class {}
ForecastScoreSchema.setClass(ForecastScoreRecord);

const ForecastWatchSchema = defineEntity({
  name: 'ForecastWatch',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    /** Time at which to check for new values. */
    lookAt: p.datetime(),
  },
});

/**
 * A sealed forecast that waits for its actual values. It holds no customer data; workers see the rows of all tenants.
 */
export class ForecastWatch extends ForecastWatchSchema.class {}
ForecastWatchSchema.setClass(ForecastWatch);
