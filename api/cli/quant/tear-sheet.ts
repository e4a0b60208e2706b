import Table from 'cli-table3';
import type { BacktestInput } from '#lib/quant/backtests/backtest-input.schema.ts';
import type { BacktestResult } from '#lib/quant/backtests/backtest-result.schema.ts';
import { tableStyle } from '../shell/output.ts';
import { linePlot } from './line-plot.ts';

/** A sealed backtest, as printed for people. */
export type ShownBacktest = {
  uid: string;
  input: BacktestInput;
  result: BacktestResult;
  result_hash: string;
  seal: { hash: string };
};

const CURVE = { width: 72, height: 13 };
const UNDERWATER = { width: 72, height: 7 };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the tear sheet of a backtest: figures, evidence and, if requested, the curve, drawdowns and months. */
export function tearSheet(run: ShownBacktest, { plots }: { plots: boolean }): string {
  const { input, result } = run;
  const name = input.strategy.name ?? 'Strategy';
  return [
    `${name}, ${result.first_date} to ${result.last_date}, ${result.sessions} sessions, ${result.symbols} symbols, ${result.currency}`,
    '',
    ...(plots ? plotsOf(result) : []),
    figures(result),
    evidence(result),
    ...result.knowledge.warnings.map(({ code, detail }) => `warning ${code}: ${detail}`),
    '',
    `backtest     ${run.uid}`,
    `result hash  ${run.result_hash}`,
    `seal         ${run.seal.hash}`,
  ].join('\n');
}

function plotsOf({ curve, by_month }: BacktestResult): string[] {
  return [
    'Value',
    ...linePlot(curve.value, CURVE),
    '',
    'Drawdown',
    ...linePlot(drawdowns(curve.value), UNDERWATER, { label: (value) => percent(value), fills: true }),
    '',
    'Monthly returns in percent',
    months(by_month),
    '',
  ];
}

/** Returns the drawdown at each value: the change from the highest value so far, as a fraction of 0 or below. */
function drawdowns(values: readonly number[]): number[] {
  let peak = 0;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? value / peak - 1 : 0;
  });
}

function months(returns: BacktestResult['by_month']): string {
  const table = new Table({
    head: ['', ...MONTHS, 'year'],
    colAligns: ['left', ...Array.from({ length: 13 }, () => 'right' as const)],
    ...tableStyle,
  });
  const years = Map.groupBy(returns, ({ period }) => period.slice(0, 4));
  for (const [year, ofYear] of years) {
    const byMonth = new Map(ofYear.map((each) => [Number(each.period.slice(5)), each.return]));
    const whole = ofYear.reduce((level, each) => level * (1 + each.return), 1) - 1;
    const cells = MONTHS.map((_, at) => byMonth.get(at + 1)).map((value) =>
      value === undefined ? '' : hundredths(value),
    );
    table.push([year, ...cells, hundredths(whole)]);
  }
  return table.toString();
}

function figures({
  performance,
  volatility,
  drawdowns: falls,
  turnover,
  costs,
  benchmark,
}: BacktestResult): string {
  const table = new Table({ colAligns: ['left', 'right', 'left', 'right'], ...tableStyle });
  table.push(
    ['annual return', percent(performance.annual_return), 'Sharpe ratio', ratio(performance.sharpe)],
    ['volatility', percent(volatility), 'Sortino ratio', ratio(performance.sortino)],
    ['maximum drawdown', percent(falls.maximum), 'Calmar ratio', ratio(performance.calmar)],
    [
      'turnover a year',
      percent(turnover.two_way_annual),
      'costs / gross gain',
      percent(costs.share_of_gross_return),
    ],
  );
  if (benchmark) {
    table.push([
      `beta to ${benchmark.symbol ?? `the ${benchmark.kind}`}`,
      ratio(benchmark.beta),
      'information ratio',
      ratio(benchmark.information_ratio),
    ]);
  }
  return table.toString();
}

function evidence({ evidence: found }: BacktestResult): string {
  const { trials, deflated_sharpe, overfitting, min_track_record } = found;
  const needed =
    min_track_record === null ? 'none is long enough' : `${Math.ceil(min_track_record)} sessions`;
  return [
    `evidence: ${found.reading}. ${found.text}`,
    `trials: ${trials.used} (${trials.counted} counted, ${trials.declared} declared, ${trials.own} of this run)`,
    `deflated Sharpe ratio ${ratio(deflated_sharpe)}, minimum track record ${needed}` +
      (overfitting === null ? '' : `, probability of overfitting ${ratio(overfitting.pbo)}`),
  ].join('\n');
}

const percent = (value: number | null) => (value === null ? 'none' : `${(100 * value).toFixed(2)} %`);
const hundredths = (value: number) => (100 * value).toFixed(1);
const ratio = (value: number | null) => (value === null ? 'none' : value.toFixed(2));
