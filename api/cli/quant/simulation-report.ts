import Table from 'cli-table3';
import type { SimulationResult } from '#lib/quant/simulations/simulation-result.schema.ts';
import type { SimulationInput } from '#lib/quant/simulations/simulations.schema.ts';
import { forecastPlot, shortNumber } from '../forecasting/forecast-plot.ts';
import { tableStyle } from '../shell/output.ts';

/** A sealed simulation, as printed for people. */
export type ShownSimulation = {
  uid: string;
  input: SimulationInput;
  result: SimulationResult;
  result_hash: string;
  seal: { hash: string };
};

/** Indices of the 5 %, 25 %, 50 %, 75 % and 95 % quantiles of the fan. */
const [OUTER_LOW, INNER_LOW, MEDIAN, INNER_HIGH, OUTER_HIGH] = [1, 2, 3, 4, 5];

/** Returns the text of a simulation: the terminal wealth, goals and ruin, and with `plot` the wealth by month. */
export function simulationReport(run: ShownSimulation, { plot }: { plot: boolean }): string {
  const { input, result } = run;
  return [
    `${input.paths} paths of ${input.horizon} months, ${input.assets.join(', ')}, amounts in minor units`,
    '',
    ...(plot ? [...plotted(run), ''] : []),
    figures(result),
    `simulation   ${run.uid}`,
    `result hash  ${run.result_hash}`,
    `seal         ${run.seal.hash}`,
  ].join('\n');
}

function plotted({ input, result }: ShownSimulation): string[] {
  const { fan } = result;
  const column = (place: number) =>
    fan.map(({ quantiles_minor: quantiles }) => quantiles[place] ?? Number.MAX_SAFE_INTEGER);
  return [
    ...forecastPlot({
      history: [input.initial_minor ?? result.portfolio?.value_minor ?? 0],
      points: column(MEDIAN),
      inner: { lower: column(INNER_LOW), upper: column(INNER_HIGH) },
      outer: { lower: column(OUTER_LOW), upper: column(OUTER_HIGH) },
    }),
    `● median of months ${fan[0]!.month} to ${fan.at(-1)!.month}   ▒ 25 % to 75 %  ░ 5 % to 95 %`,
  ];
}

function figures({
  portfolio,
  inflation,
  terminal,
  goals,
  ruin,
  drawdown,
  withdrawal,
}: SimulationResult): string {
  const table = new Table({
    head: ['figure', 'value', '95 % interval'],
    colAligns: ['left', 'right', 'right'],
    ...tableStyle,
  });
  const amount = (minor: number | null) => (minor === null ? 'too large' : shortNumber(minor));
  const amounts = ([low, high]: readonly (number | null)[]) => `${amount(low!)} to ${amount(high!)}`;
  const shares = ([low, high]: readonly number[]) => `${shortNumber(low!)} to ${shortNumber(high!)}`;
  if (portfolio) table.push(['value of the portfolio', amount(portfolio.value_minor), '']);
  if (inflation) table.push(['inflation a year', shortNumber(inflation.annual), '']);
  const [mean, error] = [terminal.mean_minor, terminal.mean_error_minor];
  const around = mean === null || error === null ? '' : amounts([mean - 2 * error, mean + 2 * error]);
  table.push(['mean terminal wealth', amount(mean), around]);
  for (const { p, value_minor, interval_minor } of terminal.quantiles)
    table.push([`${p * 100} % quantile`, amount(value_minor), amounts(interval_minor)]);
  for (const { name, probability, interval } of goals)
    table.push([`goal ${name}`, shortNumber(probability), shares(interval)]);
  table.push(['ruin', shortNumber(ruin.probability), shares(ruin.interval)]);
  const { mean: depth, mean_error: depthError } = drawdown;
  table.push([
    'mean deepest drawdown',
    shortNumber(depth),
    shares([depth - 2 * depthError, depth + 2 * depthError]),
  ]);
  if (withdrawal)
    table.push([
      `withdrawal that ${withdrawal.solve * 100} % can pay`,
      amount(withdrawal.amount_minor),
      amounts(withdrawal.interval_minor),
    ]);
  return table.toString();
}
