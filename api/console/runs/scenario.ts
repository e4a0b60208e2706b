import type { SealedScenariosRun } from '#lib/client/client.ts';
import { heat } from '../charts/heat.ts';
import { number, percent } from '../charts/scale.ts';
import { whisker } from '../charts/small.ts';
import { words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedScenariosRun & RunResource;
type Row = Run['result']['factors'][number];

/** The quantiles that the table shows. */
const SHOWN = [0.05, 0.5, 0.95];

/** Returns the page of a sealed scenario run: the statistics of the factors, their correlations, and the seal. */
export function scenarioBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result } = run;
  const regimes = result.regime_probabilities.map(
    ({ regime, probability }) => `${words(regime)} ${percent(probability, 0)}`,
  );
  const body = html`${runHead(run, 'Scenarios', [regimes.join(', ')])}
    <dl class="facts">${facts(run)}</dl>
    <div class="grid-2">
      ${card({ title: 'Factors', note: 'log returns over one month', className: 'wide' }, factorTable(result.factors))}
      <div class="stack">${correlations(run)}${sealCard(run.seal, source)}</div>
      ${card({ title: 'Shocks', className: 'wide' }, recordView({ shocks: result.stress, plausibility: result.plausibility }))}
      ${card({ title: 'Hashes' }, recordView(result.hashes))}
      ${card({ title: 'Input', className: 'full' }, recordView(run.input))}
    </div>`;
  return { title: 'Scenarios', body };
}

function facts({ result: { equal_weight: book, factors, stress } }: Run): Html[] {
  const tail = book.risk.find(({ level }) => level === 0.99);
  return [
    fact('Factors', number(factors.length), `${stress.length} with a shock`),
    fact('Mean, equal weights', percent(book.mean, 2)),
    fact('Standard deviation', percent(book.standard_deviation, 2)),
    fact('Value at risk, 99 %', tail ? percent(tail.value_at_risk, 2) : '–', 'a positive value is a loss'),
    fact('Expected shortfall, 99 %', tail ? percent(tail.expected_shortfall, 2) : '–'),
  ];
}

function factorTable(factors: readonly Row[]): Html {
  const most = Math.max(
    ...factors.map(({ statistics }) => Math.abs(statistics.mean) / statistics.standard_deviation || 0),
    1,
  );
  return table(
    'Statistics of the factors',
    [
      { heading: 'Factor', cell: ({ factor }) => factor },
      { heading: 'Mean', isNumber: true, cell: ({ statistics }) => percent(statistics.mean, 2) },
      {
        heading: 'In standard deviations',
        cell: ({ statistics: { mean, standard_deviation: deviation } }) =>
          raw(whisker(deviation > 0 ? mean / deviation : 0, most)),
      },
      {
        heading: 'Standard deviation',
        isNumber: true,
        cell: ({ statistics }) => percent(statistics.standard_deviation, 2),
      },
      ...SHOWN.map((p) => ({
        heading: `${percent(p, 0)} quantile`,
        isNumber: true,
        cell: ({ statistics: { quantiles } }: Row) => {
          const found = quantiles.find((each) => each.p === p);
          return found ? percent(found.value, 2) : '–';
        },
      })),
    ],
    factors,
    'tight',
  );
}

function correlations({ result: { correlation, factors } }: Run): Html | false {
  if (correlation.length < 2) return false;
  const matrix = correlation.map((row) => row.map((value) => value ?? 0));
  return card(
    { title: 'Correlation of factors', note: 'similar factors are neighbours' },
    html`<section class="heat scroll" tabindex="0" aria-label="Correlation matrix">
      ${raw(
        heat(
          factors.map(({ factor }) => factor),
          matrix,
        ),
      )}
    </section>`,
  );
}
