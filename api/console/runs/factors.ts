import type { SealedThemeFactorsRun } from '#lib/client/client.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { heat } from '../charts/heat.ts';
import { histogram } from '../charts/histogram.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { number, percent } from '../charts/scale.ts';
import { spark, whisker } from '../charts/small.ts';
import { words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedThemeFactorsRun & RunResource;
type Factor = Run['result']['factors'][number];

const HEIGHT = 360;
/** The critical value of a two-sided test at 5 % with a normal distribution. */
const CRITICAL = 1.96;

/** Returns the page of a sealed theme factor run: indices, correlations, statistics, specific risk, and the seal. */
export function factorsBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result, input, warnings } = run;
  const model = indices(run);
  const factors = [...result.factors].toSorted((one, other) => tOf(other) - tOf(one));
  const notes = [
    `as of ${input.as_of_date}, ${input.history_months} months`,
    `taxonomy ${result.taxonomy.version}`,
    `ridge λ ${input.ridge_lambda}`,
    warnings.length > 0 && html`<span class="pill warn">${warnings.length} warnings</span>`,
  ];
  const body = html`${runHead(run, 'Theme factors', notes, true)}
    <dl class="facts">${facts(run)}</dl>
    <div class="grid-2">
      ${card(
        {
          title: 'Theme indices',
          note: 'base 100, logarithmic scale; five themes are named, the others are grey',
          className: 'wide',
        },
        chartFigure({
          kind: 'lines',
          model,
          chart: lines(model, { width: CHART_WIDTH, height: HEIGHT }),
          height: HEIGHT,
          label: `Indices of ${result.factors.length} themes.`,
        }),
      )}
      ${correlationCard(run)}
      ${card(
        {
          title: 'Factors',
          note: 'return of the factor with the other factors held constant; dots show t with its 95 % interval',
          className: 'full',
        },
        factorTable(factors),
      )}
      ${card(
        {
          title: 'Specific volatility per month',
          note: `${result.specific_risk.length} symbols, shrunk; dashed lines: median and 95th percentile`,
          className: 'wide',
        },
        html`<div class="plot chart">
          ${raw(
            histogram(
              result.specific_risk.flatMap(({ shrunk_volatility }) => shrunk_volatility ?? []),
              { width: CHART_WIDTH, height: 236 },
              'Distribution of the specific volatility per month',
            ),
          )}
        </div>`,
      )}
      <div class="stack">${sealCard(run.seal, source)}${card({ title: 'Input' }, recordView(input))}</div>
    </div>`;
  return { title: 'Theme factors', body };
}

function indices({ result }: Run): LinesModel {
  const last = ({ index_levels }: Factor): number => index_levels.findLast((level) => level !== null) ?? 0;
  const byLevel = [...result.factors].toSorted((one, other) => last(other) - last(one));
  const named = [...byLevel.slice(0, 3), ...byLevel.slice(3).slice(-2)].map(({ theme }) => theme);
  return {
    scale: 'log',
    base: 100,
    labels: [result.market_data.first_month, ...result.months.map((month) => month?.month ?? '')],
    lines: result.factors.map(({ theme, index_levels }) => ({
      name: words(theme),
      values: [100, ...index_levels],
      tone: named.indexOf(theme) + 1,
    })),
  };
}

function facts({ result, input }: Run): Html[] {
  const fits = result.months.flatMap((month) => month?.r_squared ?? []);
  const mean = fits.reduce((sum, value) => sum + value, 0) / Math.max(1, fits.length);
  const byReturn = result.factors
    .filter(({ stats }) => stats.annualized_mean !== null)
    .toSorted((one, other) => (other.stats.annualized_mean ?? 0) - (one.stats.annualized_mean ?? 0));
  const significant = result.factors.filter((factor) => Math.abs(tOf(factor)) >= CRITICAL).length;
  const extreme = (name: string, factor: Factor | undefined): Html =>
    fact(name, factor ? percent(factor.stats.annualized_mean ?? 0) : '–', factor ? words(factor.theme) : '');
  return [
    fact('Symbols', number(result.symbols.length)),
    fact('Factors', number(result.factors.length), `${significant} with |t| ≥ ${CRITICAL}`),
    fact('Mean R² per month', percent(mean), raw(spark(fits, 96, 18))),
    extreme('Best p.a.', byReturn[0]),
    extreme('Worst p.a.', byReturn.at(-1)),
    fact(
      'Window',
      html`${input.history_months}<i>months</i>`,
      `${result.market_data.first_month} to ${result.market_data.last_month}`,
    ),
  ];
}

function correlationCard({ result }: Run): Html | false {
  const { factor_covariance: covariance } = result;
  if (covariance === null || covariance.length < 2) return false;
  const correlations = covariance.map((row, one) =>
    row.map((value, other) => {
      const scale = Math.sqrt(covariance[one]![one]! * covariance[other]![other]!);
      return scale > 0 ? value / scale : 0;
    }),
  );
  const names = result.factors.map(({ theme }) => words(theme));
  return card(
    { title: 'Correlation of factors', note: 'similar factors are neighbours' },
    html`<section class="heat scroll" tabindex="0" aria-label="Correlation matrix">
        ${raw(heat(names, correlations))}
      </section>
      <p class="scale" aria-hidden="true">
        <span>−0.8</span>${[8, 6, 4, 2].map((depth) => html`<i class="s-n${depth}"></i>`)}<i class="s-p0"></i
        >${[2, 4, 6, 8].map((depth) => html`<i class="s-p${depth}"></i>`)}<span>+0.8</span>
      </p>`,
  );
}

function factorTable(factors: readonly Factor[]): Html {
  const share = (value: number | null, digits = 1): string => (value === null ? '–' : percent(value, digits));
  return table(
    'Factors by t statistic',
    [
      { heading: 'Theme', cell: ({ theme }) => words(theme) },
      { heading: 'Symbols', isNumber: true, cell: ({ symbols }) => number(symbols) },
      {
        heading: 'Return p.a.',
        isNumber: true,
        cell: ({ stats }) =>
          html`<span class="${(stats.annualized_mean ?? 0) < 0 ? 'down' : 'up'}"
            >${share(stats.annualized_mean)}</span
          >`,
      },
      { heading: 'Volatility', isNumber: true, cell: ({ stats }) => share(stats.annualized_volatility) },
      { heading: 'Drawdown', isNumber: true, cell: ({ stats }) => share(stats.max_drawdown) },
      { heading: 'Hit rate', isNumber: true, cell: ({ stats }) => share(stats.hit_rate, 0) },
      {
        heading: 't (Newey-West)',
        isNumber: true,
        cell: ({ stats }) =>
          stats.newey_west_t === null
            ? '–'
            : html`<span class="strong">${number(stats.newey_west_t, 2)}</span>`,
      },
      {
        heading: 'Interval of t',
        cell: ({ stats }) => stats.newey_west_t !== null && raw(whisker(stats.newey_west_t, 5.4)),
      },
      { heading: 'Index', cell: ({ index_levels }) => raw(spark(index_levels)) },
      {
        heading: 'Level',
        isNumber: true,
        cell: ({ index_levels }) => number(index_levels.findLast((level) => level !== null) ?? 0, 1),
      },
    ],
    factors,
  );
}

function tOf({ stats }: Factor): number {
  return stats.newey_west_t ?? 0;
}
