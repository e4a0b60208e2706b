import { countBelow } from '../count-below.ts';
import { mean } from '../descriptive.ts';
import { ln } from '../natural-log.ts';
import { columnOf, type FittedDetector, type Scores, type Table } from './table.ts';

/**
 * Fits the empirical tail probabilities of the columns. The score is the largest of three sums over the columns of
 * -ln(share of the reference): the share of values at most as large (left tail), the share of values at least as large
 * (right tail), and, for each column, the share in the tail towards which the column is skewed (both shares if it is
 * not skewed). For a value outside the range of the reference, the share is that of half an observation.
 *
 * Source: Li, Zhao, Hu, Botta, Ionescu and Chen, "ECOD: Unsupervised Outlier Detection Using Empirical Cumulative
 * Distribution Functions" (TKDE 2022). Contributions: the term of each column in the largest sum.
 */
export function fitTailProbability(reference: Table): FittedDetector {
  const { dimensions } = reference;
  const sorted = Array.from({ length: dimensions }, (_, column) =>
    Float64Array.from(columnOf(reference, column)).sort(),
  );
  const skews = Array.from({ length: dimensions }, (_, column) => skewSign(columnOf(reference, column)));
  const score = ({ values }: Table): Scores => {
    const rows = values.length / dimensions;
    const scores = new Float64Array(rows);
    const contributions = new Float64Array(values.length);
    const parts = [new Float64Array(dimensions), new Float64Array(dimensions), new Float64Array(dimensions)];
    for (let row = 0; row < rows; row += 1) {
      const sums = [0, 0, 0];
      for (let column = 0; column < dimensions; column += 1) {
        const of = sorted[column]!;
        const value = values[row * dimensions + column]!;
        const left = -ln(Math.max(countBelow(of, value, { upTo: true }), 0.5) / of.length);
        const right = -ln(Math.max(of.length - countBelow(of, value), 0.5) / of.length);
        const skewed = skews[column]! < 0 ? left : skews[column]! > 0 ? right : left + right;
        for (const [at, each] of [left, right, skewed].entries()) {
          parts[at]![column] = each;
          sums[at]! += each;
        }
      }
      const largest = sums.indexOf(Math.max(...sums));
      scores[row] = sums[largest]!;
      contributions.set(parts[largest]!, row * dimensions);
    }
    return { scores, contributions };
  };
  return { reference: () => score(reference), score };
}

function skewSign(values: Float64Array): number {
  const centre = mean(values);
  let cubes = 0;
  for (const value of values) cubes += (value - centre) * (value - centre) * (value - centre);
  return Math.sign(cubes);
}
