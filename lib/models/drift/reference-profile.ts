import { columnOf, type Table } from '#lib/numerics/anomaly/table.ts';
import { decileEdges } from '#lib/numerics/two-sample/decile-bins.ts';
import type { ColumnProfile } from '#lib/models/registry/profile.schema.ts';
import { profileOf, sampleOf } from './drift-column.ts';

/**
 * Returns the profile of the training columns. A checkpoint stores this profile, and drift is measured against the
 * profile.
 */
export function referenceProfile(columns: readonly string[], rows: Table): ColumnProfile[] {
  return columns.map((column, at) => {
    const sample = sampleOf(columnOf(rows, at));
    const isKnown = sample.ascending.length > 0;
    return {
      column,
      ...profileOf(sample),
      decile_edges: isKnown ? [...decileEdges(sample.ascending)].filter(Number.isFinite) : [],
    };
  });
}
