import type { SealedForecastsRun } from '#lib/client/client.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { fan, type FanModel } from '../charts/fan.ts';
import { number, percent } from '../charts/scale.ts';
import { bar, spark } from '../charts/small.ts';
import { words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedForecastsRun & RunResource;

const METHODS_SHOWN = 14;
const HEIGHT = 380;

/** Returns the page of a sealed forecast: the fan chart, the methods, the points and intervals, and the seal. */
export function forecastBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result, input } = run;
  const history = observed(run);
  const bands = result.intervals.map(({ level, lower, upper }) => ({ level, lower, upper }));
  const model: FanModel = { history, periods: result.periods, points: result.points, bands };
  const chart = fan(model, { width: CHART_WIDTH, height: HEIGHT });
  const unit = result.series.currency ?? result.series.unit ?? '';
  const title = input.metric;
  const body = html`${runHead(run, title, [result.series.frequency, unit, `reason: ${input.reason}`], true)}
    <dl class="facts">${facts(run)}</dl>
    <div class="grid-2">
      ${card(
        { title: 'Forecast and history', note: legend(bands), className: 'wide' },
        chartFigure({
          kind: 'fan',
          model,
          chart,
          height: HEIGHT,
          label: `Forecast of ${title}, ${result.periods[0]} to ${result.periods.at(-1)}.`,
        }),
      )}
      ${methodsCard(run)} ${pointsCard(run, unit)}
      <div class="stack">${sealCard(run.seal, source)}${card({ title: 'Input' }, recordView(input))}</div>
    </div>`;
  return { title, body };
}

function facts(run: Run): (Html | false)[] {
  const { result } = run;
  const history = observed(run);
  const last = result.points.length - 1;
  const from = history.at(-1);
  const growth = from && from.value > 0 ? result.points[last]! / from.value - 1 : undefined;
  const digits = digitsFor(result.points);
  const combined = result.backtest?.combination;
  const better = result.backtest?.methods.filter(
    ({ mase }) => (mase ?? Infinity) < (combined?.mase ?? 0),
  ).length;
  const inside = result.backtest?.coverage.find(({ level }) => level === 80);
  return [
    fact(
      result.periods[last]!,
      number(result.points[last]!, digits),
      growth !== undefined &&
        from &&
        html`<span class="${growth < 0 ? 'down' : 'up'}">${growth > 0 && '+'}${percent(growth)}</span> on
          ${from.period}`,
    ),
    ...result.intervals
      .slice(-2)
      .map(({ level, lower, upper }) =>
        fact(
          `${level} % interval`,
          html`${number(lower[last]!, digits)}<i>to</i>${number(upper[last]!, digits)}`,
        ),
      ),
    combined?.mase !== undefined &&
      combined.mase !== null &&
      fact(
        'Backtest MASE',
        number(combined.mase, 2),
        `${better} of ${result.backtest?.methods.length} methods have a smaller MASE`,
      ),
    inside !== undefined &&
      fact('Inside 80 %', percent(inside.inside / inside.of, 0), `of ${inside.of} backtest points`),
    fact(
      'Observations',
      number(result.observations),
      `${result.series.first_period} to ${result.series.last_period}`,
    ),
  ];
}

function legend(bands: FanModel['bands']): Html {
  const levels = bands.map(({ level }) => level).toSorted((one, other) => one - other);
  return html`<ul class="legend">
    <li><i class="k-past"></i>observed</li>
    <li><i class="k-future"></i>forecast</li>
    ${levels.map((level, index) => html`<li><i class="k-${levels.length - index}"></i>${level} %</li>`)}
  </ul>`;
}

function methodsCard({ result }: Run): Html {
  const methods = [...result.methods].toSorted((one, other) => (other.weight ?? 0) - (one.weight ?? 0));
  const most = methods[0]?.weight ?? 0;
  const used = methods.filter(({ weight }) => (weight ?? 0) > 0).length;
  const errors = new Map(result.backtest?.methods.map(({ method, mase }) => [method, mase]));
  return card(
    { title: 'Methods', note: `${used} of ${methods.length} have a weight above 0` },
    table(
      'Methods by weight',
      [
        { heading: 'Method', cell: ({ method }) => words(method) },
        { heading: 'Weight', cell: ({ weight }) => raw(bar(most > 0 ? (weight ?? 0) / most : 0, 48)) },
        { heading: '%', isNumber: true, cell: ({ weight }) => number((weight ?? 0) * 100, 1) },
        {
          heading: 'MASE',
          isNumber: true,
          cell: ({ method }) => {
            const error = errors.get(method);
            return error === undefined || error === null ? '–' : number(error, 2);
          },
        },
        { heading: 'Forecast', cell: ({ points }) => raw(spark(points, 44, 18)) },
      ],
      methods.slice(0, METHODS_SHOWN),
      'tight',
    ),
  );
}

function pointsCard(run: Run, unit: string): Html {
  const { result } = run;
  const history = observed(run);
  const digits = digitsFor(result.points);
  const rows = result.periods.map((_, step) => ({ step }));
  return card(
    { title: 'Points and intervals', note: unit, className: 'wide' },
    table(
      'Points and intervals by period',
      [
        { heading: 'Period', cell: ({ step }) => result.periods[step]! },
        {
          heading: 'Forecast',
          isNumber: true,
          cell: ({ step }) => html`<span class="strong">${number(result.points[step]!, digits)}</span>`,
        },
        { heading: 'Change', isNumber: true, cell: ({ step }) => changeAt(result.points, history, step) },
        ...result.intervals.flatMap(({ level, lower, upper }) => [
          {
            heading: `${level} % lower`,
            isNumber: true,
            cell: ({ step }: { step: number }) =>
              html`<span class="dim">${number(lower[step]!, digits)}</span>`,
          },
          {
            heading: `${level} % upper`,
            isNumber: true,
            cell: ({ step }: { step: number }) =>
              html`<span class="dim">${number(upper[step]!, digits)}</span>`,
          },
        ]),
      ],
      rows,
    ),
  );
}

function changeAt(
  points: readonly number[],
  history: readonly { value: number }[],
  step: number,
): Html | string {
  const before = step > 0 ? points[step - 1]! : history.at(-1)?.value;
  if (before === undefined || before <= 0) return '–';
  const change = points[step]! / before - 1;
  return html`<span class="${change < 0 ? 'down' : 'up'}">${change > 0 && '+'}${percent(change, 2)}</span>`;
}

/** Returns the observations of the series, without periods that have no value. */
function observed({ history = [] }: Run): { period: string; value: number }[] {
  return history.flatMap(({ period, value }) => (value === null ? [] : [{ period, value }]));
}

/**
 * Returns the number of decimal places for values up to the largest value: 0 from 1,000 on, 1 from 100, 2 from 1,
 * otherwise 4.
 */
function digitsFor(values: readonly number[]): number {
  const most = Math.max(...values.map(Math.abs));
  return most >= 1_000 ? 0 : most >= 100 ? 1 : most >= 1 ? 2 : 4;
}
