import { shortNumber } from '../forecasting/forecast-plot.ts';

export type PlotSize = { width: number; height: number };

/**
 * Plots a series as lines of text. Each column shows the last value of an equal share of the series. A
 * constant series is a line in the middle. The scale is on the left; `label` formats its numbers. With
 * `fills`, the area between the line and the top is filled, as in an underwater plot.
 */
export function linePlot(
  values: readonly number[],
  { width, height }: PlotSize,
  { label = shortNumber, fills = false }: { label?: (value: number) => string; fills?: boolean } = {},
): string[] {
  const columns = Array.from(
    { length: Math.min(width, values.length) },
    (_, at) => values[Math.ceil(((at + 1) * values.length) / Math.min(width, values.length)) - 1]!,
  );
  const [low, high] = [Math.min(...columns), Math.max(...columns)];
  const span = high - low || 1;
  const top = high === low ? high + span / 2 : high;
  const rowOf = (value: number) => Math.round(((top - value) / span) * (height - 1));
  const rows = Array.from({ length: height }, () => Array.from({ length: columns.length }, () => ' '));
  for (const [at, value] of columns.entries()) {
    const row = rowOf(value);
    if (fills) for (let above = 0; above < row; above += 1) rows[above]![at] = '░';
    rows[row]![at] = '•';
  }
  const labels = rows.map((_, row) => (row % 3 === 0 ? label(top - (row / (height - 1)) * span) : ''));
  const margin = Math.max(...labels.map((text) => text.length));
  return rows.map((row, at) => `${labels[at]!.padStart(margin)} ┤${row.join('').trimEnd()}`);
}
