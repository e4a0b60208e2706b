import Table from 'cli-table3';
import type { ForecastHistory, ForecastInput, ForecastOutput } from '#lib/forecasting/forecasts.schema.ts';
import { forecastPlot, shortNumber } from './forecast-plot.ts';
import { print, tableStyle, type OutputOptions } from '../shell/output.ts';

/** A sealed forecast, as printed for people. */
export type ShownForecast = {
  uid: string;
  input: ForecastInput;
  result: ForecastOutput;
  history: ForecastHistory;
  result_hash: string;
  seal: { hash: string };
};

const METHODS_SHOWN = 6;

/** Prints a sealed forecast: as text for people, or as its JSON document. */
export function showForecast(run: ShownForecast, options: OutputOptions): void {
  if (options.json) print(run, options);
  else process.stdout.write(`${forecastReport(run)}\n`);
}

/** Returns the text of a forecast: a plot, the numbers, the methods, and their past accuracy. */
export function forecastReport(run: ShownForecast): string {
  const { input, result, history } = run;
  const { series, points, periods, intervals } = result;
  const unit = series.currency ?? series.unit;
  const company = input.company_id === null ? '' : ` of company ${input.company_id}`;
  return [
    `${input.metric}${company}, ${series.frequency}${unit === null ? '' : `, ${unit}`}, known by ${input.as_of}`,
    '',
    ...forecastPlot({
      history: history.map(({ value }) => value),
      points,
      inner: intervals.at(Math.max(0, intervals.length - 2)),
      outer: intervals.at(-1),
    }),
    legend(run),
    '',
    numbers(periods, points, intervals),
    ...made(result),
    `forecast     ${run.uid}`,
    `result hash  ${run.result_hash}`,
    `seal         ${run.seal.hash}`,
  ].join('\n');
}

function legend({ result: { series, periods, intervals } }: ShownForecast): string {
  const levels = intervals.slice(-2).map(({ level }) => `${level} %`);
  const bands = levels.length === 2 ? `▒ ${levels[0]}  ░ ${levels[1]}` : `▒ ${levels[0]}`;
  return `• ${series.first_period} to ${series.last_period}   ● ${periods[0]} to ${periods.at(-1)}   ${bands}`;
}

function numbers(
  periods: readonly string[],
  points: readonly number[],
  intervals: ForecastOutput['intervals'],
): string {
  const table = new Table({
    head: ['period', 'forecast', ...intervals.map(({ level }) => `${level} %`)],
    colAligns: ['left', ...Array.from({ length: intervals.length + 1 }, () => 'right' as const)],
    ...tableStyle,
  });
  for (const [at, period] of periods.entries()) {
    const bounds = intervals.map(
      ({ lower, upper }) => `${shortNumber(lower[at]!)} to ${shortNumber(upper[at]!)}`,
    );
    table.push([period, shortNumber(points[at]!), ...bounds]);
  }
  return table.toString();
}

function made({ method, methods, backtest, treatments, series }: ForecastOutput): string[] {
  const weighed = methods.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  const shown = weighed.slice(0, METHODS_SHOWN).map((each) => `${each.method} ${percent(100 * each.weight)}`);
  const more = weighed.length > shown.length ? [`${weighed.length - shown.length} more`] : [];
  const kinds = treatments.map(({ kind }) => kind);
  const isLeft = kinds.includes('untreated');
  const done = kinds.filter((kind) => kind !== 'untreated').map((kind) => kind.replace('_', ' '));
  const { combination, origins, coverage } = backtest;
  const inside = coverage
    .filter(({ share }) => share !== null)
    .map(({ level, share }) => `${percent(share!)} within the ${level} % interval`);
  const error = combination.mase === null ? [] : [`MASE ${combination.mase.toFixed(2)}`];
  return [
    `${method}: ${[...shown, ...more].join(', ')}`,
    `backtest from ${origins.length} origins: ${[...error, ...inside].join(', ') || 'too short a history'}`,
    ...(series.missing > 0 ? [`${series.missing} of ${series.periods} periods had no value`] : []),
    ...(done.length > 0 ? [`treatments of the series: ${done.join(', ')}`] : []),
    ...(isLeft
      ? ['outliers or level shifts were not treated, because treatment did not improve the backtest']
      : []),
  ];
}

function percent(value: number): string {
  return `${value.toFixed(0)} %`;
}
