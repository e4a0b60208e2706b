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

/** How a forecast came out by the time it was last looked at. */
export class ForecastScoreRecord extends ForecastScoreSchema.class {}
ForecastScoreSchema.setClass(ForecastScoreRecord);

const ForecastWatchSchema = defineEntity({
  name: 'ForecastWatch',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    /** When it is worth a look whether values came. */
    lookAt: p.datetime(),
  },
});

/** A sealed forecast for whose values one still waits. It holds no customer data: workers see all of them. */
export class ForecastWatch extends ForecastWatchSchema.class {}
ForecastWatchSchema.setClass(ForecastWatch);
