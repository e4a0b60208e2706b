import { ForecastBatch, ForecastBatchItem } from './forecast-batch.entity.ts';
import { ForecastScoreRecord, ForecastWatch } from './forecast-score.entity.ts';
import { LedgerAccount, LedgerSnapshot } from './ledger/ledger-snapshot.entity.ts';

/** The entities of this folder's tables. */
export const entities = [
  LedgerAccount,
  ForecastBatch,
  ForecastBatchItem,
  ForecastScoreRecord,
  ForecastWatch,
  LedgerSnapshot,
];
