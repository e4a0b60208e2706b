import type { Operation } from '#lib/core/operation.ts';

/** How the rows of a list are told apart, and in which order they come. */
export type Listed = {
  /** What is unlike in each row: what its maker answers. */
  id(row: any): string;
  order: 'newest first' | 'ascending';
  /** Of a list below a resource: what stands in the place of the parameter in its path. */
  parameter?: string;
};

const byUid: Listed = { id: (row: { uid: string }) => row.uid, order: 'newest first' };

/** Lists whose rows are no resources of a uid. Makers answer the ids of these in ascending order. */
const others: Record<string, Listed> = {
  'data.economics.series.list': { id: (row: { key: string }) => row.key, order: 'ascending' },
  'data.economics.series.observations.list': {
    id: (row: { observed_on: string }) => row.observed_on,
    order: 'ascending',
    parameter: 'OBSERVED',
  },
};

export function listedAs({ key }: Operation): Listed {
  return others[key] ?? byUid;
}
