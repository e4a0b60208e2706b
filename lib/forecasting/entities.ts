import { ForecastBatch, ForecastBatchItem } from './forecast-batch.entity.ts';
import { ForecastScoreRecord, ForecastWatch } from './forecast-score.entity.ts';

/** The entities of this folder's tables. */
export const entities = [ForecastBatch, ForecastBatchItem, ForecastScoreRecord, ForecastWatch];
