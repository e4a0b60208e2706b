import type { SealedBacktestsRun } from '#lib/client/client.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { number, percent } from '../charts/scale.ts';
import { words } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedBacktestsRun & RunResource;

/** The largest number of points in the chart of a curve. Longer curves are thinned; their extremes are kept. */
const POINTS_MAX = 800;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Returns the page of a sealed backtest: the curve, its drawdowns, the evidence, the returns by month, and the seal.
 */
export function backtestBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result, input } = run;
  const title = input.strategy.name ?? 'Backtest';
  const { wealth, underwater } = curves(run);
  const body = html`${runHead(
      run,
      title,
      [`${result.first_date} to ${result.last_date}`, `${number(result.symbols)} symbols`, result.currency],
      true,
    )}
    <dl class="facts">${facts(run)}</dl>
    <div class="grid-2">
      ${card(
        { title: 'Value', note: `${result.currency}, logarithmic scale`, className: 'wide' },
        chartFigure({
          kind: 'lines',
          model: wealth,
          chart: lines(wealth, { width: CHART_WIDTH, height: 320 }),
          height: 320,
          label: 'Value of the portfolio after costs.',
        }),
      )}
      ${card(
        { title: 'Evidence', note: words(result.evidence.reading) },
        html`<p class="verdict">${result.evidence.text}</p>
          ${recordView({
            probabilistic_sharpe: result.evidence.probabilistic_sharpe,
            deflated_sharpe: result.evidence.deflated_sharpe,
            minimum_track_record: result.evidence.min_track_record,
            trials_used: result.evidence.trials.used,
            probability_of_overfitting: result.evidence.overfitting?.pbo ?? null,
          })}`,
      )}
      ${card(
        { title: 'Drawdown', className: 'wide' },
        chartFigure({
          kind: 'lines',
          model: underwater,
          chart: lines(underwater, { width: CHART_WIDTH, height: 200 }),
          height: 200,
          label: 'Loss since the highest value.',
        }),
      )}
      <div class="stack">
        ${card({ title: 'Costs', note: result.currency }, recordView(result.costs))}${sealCard(run.seal, source)}
      </div>
      ${card({ title: 'Returns by month', className: 'full' }, monthTable(run))}
      ${card({ title: 'Performance', className: 'wide' }, recordView(result.performance))}
      ${card({ title: 'Largest drawdowns' }, recordView(result.drawdowns.table))}
      ${card({ title: 'Strategy', className: 'full' }, recordView(input.strategy))}
    </div>`;
  return { title, body };
}

function facts({ result }: Run): Html[] {
  const share = (value: number | null): string => (value === null ? '–' : percent(value));
  const figure = (value: number | null): string => (value === null ? '–' : number(value, 2));
  return [
    fact('Return p.a.', share(result.performance.annual_return)),
    fact('Volatility p.a.', share(result.volatility)),
    fact('Sharpe ratio', figure(result.performance.sharpe)),
    fact('Deflated Sharpe', share(result.evidence.deflated_sharpe), `${result.evidence.trials.used} trials`),
    fact('Largest drawdown', percent(-Math.abs(result.drawdowns.maximum))),
    fact('Turnover p.a.', percent(result.turnover.two_way_annual, 0), 'two-way'),
  ];
}

function curves({ result }: Run): { wealth: LinesModel; underwater: LinesModel } {
  const { date, value } = result.curve;
  const kept = thinned(value);
  const labels = kept.map((index) => date[index]!);
  let highest = 0;
  const losses = value.map((each) => {
    highest = Math.max(highest, each);
    return highest > 0 ? each / highest - 1 : 0;
  });
  return {
    wealth: {
      scale: 'log',
      labels,
      lines: [{ name: 'Portfolio', values: kept.map((index) => value[index]!), tone: 1 }],
    },
    underwater: {
      scale: 'linear',
      unit: 'percent',
      base: 0,
      labels,
      lines: [{ name: 'Drawdown', values: kept.map((index) => losses[index]!), tone: 5 }],
    },
  };
}

type MonthRow = { year: string; values: (number | null)[] };

/**
 * Returns the positions of the smallest and the largest value in each group of neighbouring values, so that no extreme
 * is lost.
 */
function thinned(values: readonly number[]): number[] {
  if (values.length <= POINTS_MAX) return [...values.keys()];
  const size = Math.ceil(values.length / (POINTS_MAX / 2));
  const kept = new Set([0, values.length - 1]);
  for (let from = 0; from < values.length; from += size) {
    let [low, high] = [from, from];
    for (let index = from; index < Math.min(values.length, from + size); index++) {
      if (values[index]! < values[low]!) low = index;
      if (values[index]! > values[high]!) high = index;
    }
    kept.add(low);
    kept.add(high);
  }
  return [...kept].toSorted((one, other) => one - other);
}

function monthTable({ result }: Run): Html {
  const years = new Map<string, (number | null)[]>();
  for (const { period, return: value } of result.by_month) {
    const [year = '', month = ''] = period.split('-');
    const row = years.get(year) ?? Array.from({ length: 12 }, () => null);
    row[Number(month) - 1] = value;
    years.set(year, row);
  }
  const totals = new Map(result.by_year.map(({ period, return: value }) => [period, value]));
  const cell = (value: number | null | undefined): Html | string =>
    value === null || value === undefined
      ? ''
      : html`<span class="${value < 0 ? 'down' : 'up'}">${number(value * 100, 1)}</span>`;
  return table(
    'Returns by month, in percent',
    [
      { heading: 'Year', cell: ({ year }: MonthRow) => year },
      ...MONTHS.map((heading, month) => ({
        heading,
        isNumber: true,
        cell: ({ values }: MonthRow) => cell(values[month]),
      })),
      { heading: 'Year, %', isNumber: true, cell: ({ year }: MonthRow) => cell(totals.get(year)) },
    ],
    [...years].map(([year, values]) => ({ year, values })),
    'tight',
  );
}
