import { NettingSet } from './netting/netting-set.entity.ts';

/** The entities of this folder's tables. */
export const entities = [NettingSet];
