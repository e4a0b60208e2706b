import type { SealedDriftAssessmentsRun } from '#lib/client/client.ts';
import { number } from '../charts/scale.ts';
import { bar } from '../charts/small.ts';
import { pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedDriftAssessmentsRun & RunResource;
type Column = Run['result']['columns'][number];

/** Returns the page of a sealed drift assessment: the severity, the population stability of each column, and the seal. */
export function driftBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result } = run;
  const { columns, metrics, ...rest } = result;
  const stability = new Map(
    metrics.flatMap(({ column, name, value }) =>
      column !== null && name === 'population_stability' && value !== null ? [[column, value] as const] : [],
    ),
  );
  const shifted = columns.filter(({ state }) => state === 'shifted' || state === 'missing_shift').length;
  const body = html`${runHead(run, 'Drift assessment', [pill(result.severity)])}
    <dl class="facts">
      ${fact('Severity', words(result.severity))}
      ${fact('Columns', number(columns.length), `${shifted} shifted`)}
      ${fact('Metrics', number(metrics.length))}
    </dl>
    <div class="grid-2">
      ${card({ title: 'Columns', note: 'population stability index; above 0.25 is a large change', className: 'wide' }, columnTable(columns, stability))}
      <div class="stack">
        ${sealCard(run.seal, source)}${card({ title: 'All columns together' }, recordView(rest))}
      </div>
      ${card({ title: 'Metrics', className: 'full' }, recordView(metrics))}
      ${card({ title: 'Input', className: 'full' }, recordView(run.input))}
    </div>`;
  return { title: 'Drift assessment', body };
}

function columnTable(columns: readonly Column[], stability: ReadonlyMap<string, number>): Html {
  return table(
    'Columns',
    [
      { heading: 'Column', cell: ({ column }) => column },
      { heading: 'State', cell: ({ state }) => pill(state) },
      {
        heading: 'Stability index',
        isNumber: true,
        cell: ({ column }) => (stability.has(column) ? number(stability.get(column)!, 3) : '–'),
      },
      { heading: 'Share of 0.5', cell: ({ column }) => raw(bar((stability.get(column) ?? 0) / 0.5)) },
    ],
    columns,
    'tight',
  );
}
