/** A series, its forecast, and two intervals of the forecast. */
export type Plotted = {
  history: readonly (number | null)[];
  points: readonly number[];
  inner: Band | undefined;
  outer: Band | undefined;
};

type Band = { lower: readonly number[]; upper: readonly number[] };

export type PlotSize = { width: number; height: number };

const marks = { past: '•', point: '●', inner: '▒', outer: '░' };

/**
 * Plots a forecast as lines of text, with one column per period: the history, a vertical bar, then the
 * forecast within its intervals. If the history is too long, only its newest part is shown. The scale is on
 * the left.
 */
export function forecastPlot(
  plotted: Plotted,
  { width, height }: PlotSize = { width: 72, height: 16 },
): string[] {
  const { points, inner, outer } = plotted;
  const history = plotted.history.slice(-Math.max(1, width - points.length - 1));
  const all = [...history, ...points, ...(outer?.lower ?? []), ...(outer?.upper ?? [])];
  const { low, high } = rangeOf(all.filter((value) => value !== null));
  const rowOf = (value: number) => Math.round(((high - value) / (high - low)) * (height - 1));
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => ' '));
  const mark = (column: number, value: number, sign: string) => (rows[rowOf(value)]![column] = sign);
  const fill = (column: number, from: number, to: number, sign: string) => {
    for (let row = rowOf(to); row <= rowOf(from); row += 1) rows[row]![column] = sign;
  };
  for (const [column, value] of history.entries()) if (value !== null) mark(column, value, marks.past);
  for (const row of rows) row[history.length] = '┊';
  for (const [at, point] of points.entries()) {
    const column = history.length + 1 + at;
    if (outer) fill(column, outer.lower[at]!, outer.upper[at]!, marks.outer);
    if (inner) fill(column, inner.lower[at]!, inner.upper[at]!, marks.inner);
    mark(column, point, marks.point);
  }
  const labels = rows.map((_, row) =>
    row % 3 === 0 ? shortNumber(high - (row / (height - 1)) * (high - low)) : '',
  );
  const margin = Math.max(...labels.map((label) => label.length));
  return rows.map((row, at) => `${labels[at]!.padStart(margin)} ┤${row.join('').trimEnd()}`);
}

/**
 * Returns the bounds of the scale: the smallest and the largest value. A constant series gets a margin on
 * both sides.
 */
function rangeOf(values: readonly number[]): { low: number; high: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (high > low) return { low, high };
  const room = Math.abs(low) * 0.1 || 1;
  return { low: low - room, high: high + room };
}

/** Formats a number with four significant digits, such as `1.234`, `12,345`, `1.235e+9`. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-3)) return value.toExponential(3);
  const digits = size >= 1_000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
