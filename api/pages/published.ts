import type { Published } from '../derive/ledger.ts';
import rows from './published-operations.json' with { type: 'json' };

/** The operations of the published interface, with the statuses that the interface lists. */
export const published: readonly Published[] = rows as Published[];
