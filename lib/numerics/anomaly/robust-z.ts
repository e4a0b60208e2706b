import { quantile } from '../quantile.ts';
import { columnOf, type FittedDetector, type Scores, type Table } from './table.ts';

/**
 * The factor 1 / (upper quartile of the normal distribution). For normal values, the MAD (median absolute deviation)
 * times this factor is the standard deviation.
 */
const CONSISTENT = 1.4826022185056018;

/**
 * Fits the largest robust z of a row: |x - median| / (1.4826 MAD) over the columns. If the MAD of a column is 0, its
 * median scores 0, and other values are measured in units of the mean absolute deviation. A constant column is ignored.
 *
 * Source: Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993). Contributions: the z of each column.
 */
export function fitRobustZ(reference: Table): FittedDetector {
  const { dimensions } = reference;
  const centres = new Float64Array(dimensions);
  const spreads = new Float64Array(dimensions);
  for (let column = 0; column < dimensions; column += 1) {
    const values = columnOf(reference, column);
    const centre = quantile(values, 0.5);
    const away = values.map((value) => Math.abs(value - centre));
    const median = quantile(away, 0.5);
    centres[column] = centre;
    spreads[column] =
      median > 0 ? CONSISTENT * median : away.reduce((total, each) => total + each, 0) / away.length;
  }
  const score = ({ values }: Table): Scores => {
    const contributions = values.map((value, at) => {
      const spread = spreads[at % dimensions]!;
      return spread > 0 ? Math.abs(value - centres[at % dimensions]!) / spread : 0;
    });
    const scores = Float64Array.from({ length: values.length / dimensions }, (_, row) =>
      contributions
        .subarray(row * dimensions, (row + 1) * dimensions)
        .reduce((max, each) => Math.max(max, each), 0),
    );
    return { scores, contributions };
  };
  return { reference: () => score(reference), score };
}
