import { mean, standardDeviation } from '../descriptive.ts';

/** Rows of D finite numbers each, row-major. */
export type Table = { values: Float64Array; dimensions: number };

/** How far each row is from what is usual, larger for stranger ones, and the share of each column in it where it has one. */
export type Scores = { scores: Float64Array; contributions?: Float64Array };

/** What a method learnt of a reference. It scores other rows without learning from them. */
export type FittedDetector = {
  /** Scores of the reference itself; methods of neighbours leave each row out of its own neighbourhood. */
  reference(): Scores;
  score(rows: Table): Scores;
};

/** The values of one column. */
export function columnOf({ values, dimensions }: Table, column: number): Float64Array {
  const found = new Float64Array(values.length / dimensions);
  for (let row = 0; row < found.length; row += 1) found[row] = values[row * dimensions + column]!;
  return found;
}

export type Scaling = { means: Float64Array; deviations: Float64Array };

/** Mean and population standard deviation of each column; a column that does not vary has the deviation 1. */
export function scalingOf(table: Table): Scaling {
  const columns = Array.from({ length: table.dimensions }, (_, column) => columnOf(table, column));
  return {
    means: Float64Array.from(columns, mean),
    deviations: Float64Array.from(columns, (column) => standardDeviation(column, { ddof: 0 }) || 1),
  };
}

/** Rows in standard deviations from the mean of another table. */
export function scaled({ values, dimensions }: Table, { means, deviations }: Scaling): Table {
  const found = new Float64Array(values.length);
  for (let from = 0; from < values.length; from += dimensions)
    for (let d = 0; d < dimensions; d += 1)
      found[from + d] = (values[from + d]! - means[d]!) / deviations[d]!;
  return { values: found, dimensions };
}
