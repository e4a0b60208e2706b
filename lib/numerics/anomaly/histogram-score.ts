import { ln } from '../natural-log.ts';
import { columnOf, type FittedDetector, type Scores, type Table } from './table.ts';

const FLOOR = 1e-12;
/**
 * Relative tolerance within which a value is treated as lying on the edge of a bin. Such a value belongs to the upper
 * bin. The tolerance does not depend on the scale of the column.
 */
const ON_EDGE = 1e-9;

/**
 * Fits a histogram score: the sum over the columns of -ln(h / h_max), where h is the height of the value's bin and
 * h_max the height of the highest bin. A value in the highest bin scores 0. Bins [lo, hi) have equal widths over the
 * range of the reference. A value outside this range is scored like a value in an empty bin.
 *
 * Source: Goldstein and Dengel, "Histogram-based Outlier Score (HBOS)" (2012). Contributions: the term of each column.
 */
export function fitHistogramScore(reference: Table, bins = 10): FittedDetector {
  const { dimensions } = reference;
  const columns = Array.from({ length: dimensions }, (_, column) =>
    histogramOf(columnOf(reference, column), bins),
  );
  const score = ({ values }: Table): Scores => {
    const contributions = values.map((value, at) => columns[at % dimensions]!(value));
    const scores = Float64Array.from({ length: values.length / dimensions }, (_, row) =>
      contributions
        .subarray(row * dimensions, (row + 1) * dimensions)
        .reduce((total, each) => total + each, 0),
    );
    return { scores, contributions };
  };
  return { reference: () => score(reference), score };
}

function histogramOf(values: Float64Array, bins: number): (value: number) => number {
  const low = values.reduce((min, each) => Math.min(min, each), Infinity);
  const high = values.reduce((max, each) => Math.max(max, each), -Infinity);
  if (low === high) return (value) => (value === low ? 0 : -ln(FLOOR));
  const binOf = (value: number) =>
    Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins + ON_EDGE));
  const counts = new Float64Array(bins);
  for (const value of values) counts[binOf(value)]! += 1;
  const highest = counts.reduce((max, each) => Math.max(max, each), 0);
  const heights = counts.map((count) => -ln(Math.max(count / highest, FLOOR)));
  return (value) => (value < low || value > high ? -ln(FLOOR) : heights[binOf(value)]!);
}
