import { researchLists } from './lists/research.ts';
import { decisionsLists } from './lists/decisions.ts';
import { trustLists } from './lists/trust.ts';
import { operationsLists } from './lists/operations.ts';
import type { RecordList } from './record-list.ts';

/** The lists of the console. */
export const recordLists: readonly RecordList[] = [
  ...researchLists,
  ...decisionsLists,
  ...trustLists,
  ...operationsLists,
];
