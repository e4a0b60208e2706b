import { LedgerAccount, LedgerSnapshot } from './ledger-snapshot.entity.ts';

/** The entities of this folder's tables. */
export const entities = [LedgerAccount, LedgerSnapshot];
