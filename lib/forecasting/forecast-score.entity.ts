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

/** The accuracy of a forecast, as of the last comparison with actual values. */
export class ForecastScoreRecord extends ForecastScoreSchema.class {}
ForecastScoreSchema.setClass(ForecastScoreRecord);

const ForecastWatchSchema = defineEntity({
  name: 'ForecastWatch',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    /** The time of the next check for new values. */
    lookAt: p.datetime(),
  },
});

/**
 * A sealed forecast whose actual values are not all known yet. It contains no customer data, because workers see the
 * rows of all tenants.
 */
export class ForecastWatch extends ForecastWatchSchema.class {}
ForecastWatchSchema.setClass(ForecastWatch);
