import { nearestAmong, nearestNeighbours, type Neighbours } from './nearest-neighbours.ts';
import { scaled, scalingOf, type FittedDetector, type Table } from './table.ts';

/** Number added to the mean distance to the neighbours, so that the density of repeated rows stays finite. */
const SMALLEST = 1e-10;

/**
 * Fits the local outlier factor of standardised rows: the density around the k nearest neighbours of a row relative to
 * the density around the row. The factor is about 1 for a usual row.
 *
 * Errors: `RangeError` with k rows or fewer. Source: Breunig, Kriegel, Ng and Sander, "LOF: Identifying Density-Based
 * Local Outliers" (SIGMOD 2000), with exactly k neighbours.
 */
export function fitLocalOutlierFactor(reference: Table, k = 20): FittedDetector {
  const scaling = scalingOf(reference);
  const known = scaled(reference, scaling);
  const neighbours = nearestAmong(known, k);
  const reach = Float64Array.from(
    { length: neighbours.places.length / k },
    (_, row) => neighbours.distances[row * k + k - 1]!,
  );
  const densities = densitiesOf(neighbours, reach);
  return {
    reference: () => ({ scores: factorsOf(neighbours, densities, densities) }),
    score: (rows) => {
      const near = nearestNeighbours(scaled(rows, scaling), known, k);
      return { scores: factorsOf(near, densitiesOf(near, reach), densities) };
    },
  };
}

/**
 * Fits the distance to the k-th nearest neighbour of standardised rows. Source: Ramaswamy, Rastogi and Shim (2000).
 */
export function fitNeighbourDistance(reference: Table, k = 5): FittedDetector {
  const scaling = scalingOf(reference);
  const known = scaled(reference, scaling);
  const farthest = ({ distances }: Neighbours) => distances.filter((_, at) => at % k === k - 1);
  return {
    reference: () => ({ scores: farthest(nearestAmong(known, k)) }),
    score: (rows) => ({
      scores: farthest(nearestNeighbours(scaled(rows, scaling), known, k)),
    }),
  };
}

function densitiesOf({ places, distances, k }: Neighbours, reach: Float64Array): Float64Array {
  return Float64Array.from({ length: places.length / k }, (_, row) => {
    let total = 0;
    for (let at = row * k; at < (row + 1) * k; at += 1)
      total += Math.max(distances[at]!, reach[places[at]!]!);
    return 1 / (total / k + SMALLEST);
  });
}

function factorsOf({ places, k }: Neighbours, own: Float64Array, densities: Float64Array): Float64Array {
  return Float64Array.from({ length: places.length / k }, (_, row) => {
    let total = 0;
    for (let at = row * k; at < (row + 1) * k; at += 1) total += densities[places[at]!]! / own[row]!;
    return total / k;
  });
}
