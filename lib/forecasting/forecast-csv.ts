import { joinCsvLine } from '#lib/data/import/readers/csv-line.ts';
import type { ForecastOutput } from './forecasts.schema.ts';

/** Returns the points and bounds of a forecast as RFC 4180 CSV, with one row for each period of the horizon. */
export function forecastCsv({
  periods,
  points,
  intervals,
}: Pick<ForecastOutput, 'periods' | 'points' | 'intervals'>) {
  const header = [
    'period',
    'forecast',
    ...intervals.flatMap(({ level }) => [`lower_${level}`, `upper_${level}`]),
  ];
  const rows = periods.map((period, at) => [
    period,
    String(points[at]!),
    ...intervals.flatMap(({ lower, upper }) => [String(lower[at]!), String(upper[at]!)]),
  ]);
  return [header, ...rows].map((cells) => `${joinCsvLine(cells)}\r\n`).join('');
}
