import { columnOf, type Table } from '#lib/numerics/anomaly/table.ts';
import { decileEdges } from '#lib/numerics/two-sample/decile-bins.ts';
import type { ColumnProfile } from '#lib/models/registry/profile.schema.ts';
import { profileOf, sideOf } from './drift-column.ts';

/** What the columns of the training rows are like: a checkpoint keeps it, and drift is measured from it. */
export function referenceProfile(columns: readonly string[], rows: Table): ColumnProfile[] {
  return columns.map((column, at) => {
    const side = sideOf(columnOf(rows, at));
    const isKnown = side.ascending.length > 0;
    return {
      column,
      ...profileOf(side),
      decile_edges: isKnown ? [...decileEdges(side.ascending)].filter(Number.isFinite) : [],
    };
  });
}
