/** Rows of named columns, ordered by day. */
export type Series = { factors: readonly string[]; days: readonly string[]; values: Float64Array };

/** The target of a prediction: the predicted column, and the number of rows ahead. */
export type PredictionTarget = { target: string; horizon: number };

const ROWS_MIN = 60;
const ROWS_PER_FACTOR = 5;

/**
 * Returns the reason why a prediction cannot be trained on rows: too few rows, two rows of one day, or a
 * missing value. Returns undefined if there is no such reason.
 */
export function trainingRefusal({ factors, days, values }: Series, { horizon }: PredictionTarget) {
  const observed = days.length;
  const needed = Math.max(ROWS_MIN, ROWS_PER_FACTOR * factors.length) + horizon;
  if (observed < needed)
    return { observed, needed, detail: `there are ${observed} rows, but ${needed} are needed` };
  const repeated = days.findIndex((day, at) => at > 0 && day === days[at - 1]);
  if (repeated > 0)
    return { observed: repeated, needed: observed, detail: `two rows have the day ${days[repeated]}` };
  const missing = values.findIndex((value) => !Number.isFinite(value));
  if (missing < 0) return undefined;
  const row = Math.floor(missing / factors.length);
  return { observed: row, needed: observed, detail: `the row of ${days[row]} lacks a value` };
}

export function columnOf({ factors, values }: Series, name: string): Float64Array {
  const [at, k] = [factors.indexOf(name), factors.length];
  if (at < 0) throw new Error(`there is no column ${name}`);
  return Float64Array.from({ length: values.length / k }, (_, row) => values[row * k + at]!);
}

/** Selects columns, in the order in which they are named. */
export function withColumns(series: Series, names: readonly string[]): Series {
  if (names.length === series.factors.length && names.every((name, at) => name === series.factors[at]))
    return series;
  const columns = names.map((name) => columnOf(series, name));
  const values = new Float64Array(names.length * series.days.length);
  columns.forEach((column, at) => column.forEach((value, row) => (values[row * names.length + at] = value)));
  return { factors: names, days: series.days, values };
}

/** Returns the rows before `end`. */
export function rowsBefore({ factors, days, values }: Series, end: number): Series {
  return { factors, days: days.slice(0, end), values: values.subarray(0, end * factors.length) };
}

/** Returns the feature columns: all but the target for horizon 0, otherwise all columns. */
export function featuresOf(factors: readonly string[], { target, horizon }: PredictionTarget): string[] {
  return factors.filter((name) => horizon > 0 || name !== target);
}
