import type { Frame } from './common.ts';
import {
  capabilities,
  coverage,
  definitions,
  freshness,
  methods,
  metricLists,
  revisions,
  sources,
} from './explain.ts';
import {
  aggregateInstruments,
  attributes,
  countInstruments,
  exposures,
  listInstruments,
  rankInstruments,
} from './market.ts';
import { forecasts } from './forecasts.ts';
import { recordFigures, recordReferences } from './record-fields.ts';
import { rankRecords } from './record-ranks.ts';
import { countRecords, declaredFields, listRecords, owed, recordFields, runErrors } from './records.ts';
import {
  conditionals,
  factorRuns,
  factorStatistics,
  regimes,
  scenarioRuns,
  scenarioStatistics,
} from './runs.ts';
import { changes, gains, trends } from './changes.ts';
import { compareEntities, compareMeasures } from './comparisons.ts';
import {
  accountBalances,
  aggregates,
  currencyBalances,
  ledgerFlows,
  netFlows,
  values,
  volumes,
} from './series.ts';
import { rankPeriods, thresholds } from './thresholds.ts';

/** All frames, special frames before general frames. A question is read by the first frame that covers it. */
export const frames: readonly Frame[] = [
  capabilities,
  definitions,
  sources,
  methods,
  freshness,
  coverage,
  revisions,
  metricLists,
  runErrors,
  factorRuns,
  factorStatistics,
  scenarioStatistics,
  scenarioRuns,
  conditionals,
  regimes,
  forecasts,
  recordReferences,
  recordFields,
  declaredFields,
  rankRecords,
  recordFigures,
  owed,
  countRecords,
  listRecords,
  attributes,
  exposures,
  countInstruments,
  listInstruments,
  rankInstruments,
  aggregateInstruments,
  volumes,
  thresholds,
  rankPeriods,
  compareEntities,
  compareMeasures,
  trends,
  changes,
  gains,
  aggregates,
  netFlows,
  ledgerFlows,
  accountBalances,
  currencyBalances,
  values,
];
