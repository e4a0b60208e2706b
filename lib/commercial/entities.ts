import { ValueSnapshot } from './value-snapshot.entity.ts';

/** The entities of this folder's tables. */
export const entities = [ValueSnapshot];
