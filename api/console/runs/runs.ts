import type { JobList } from '#lib/client/client.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { instant, pill } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { pager } from '../pager.ts';
import { card } from '../shell.ts';
import { empty } from '../states.ts';
import { table, type TableColumn } from '../table.ts';
import { number } from '../charts/scale.ts';
import { nameOf, runKinds } from './kinds.ts';

type Job = JobList['data'][number];

/** The runs of every kind, newest first. */
export const runsPage = definePage({
  path: '/console/runs',
  area: 'Runs',
  async render({ query, read, may }) {
    const { kind, state, cursor } = query;
    const filters = { ...(kind && { kind }), ...(state && { state }) };
    const list = await read<JobList>('quant.compute.jobs.list', { ...filters, ...(cursor && { cursor }) });
    const kindName = runKinds.find(({ key }) => key === kind)?.name;
    const body = html`<header class="head">
        <div>
          <h1>Runs</h1>
          <p class="meta">Computations of every kind, newest first</p>
        </div>
        ${may('submit_runs') && html`<div class="acts"><a class="button" href="/console/new">New run</a></div>`}
      </header>
      ${filterForm(kind, state)}
      ${card(
        { title: kindName ?? 'All kinds', note: state ?? 'all states' },
        list.data.length === 0
          ? empty(
              'No run matches the filters. Submit one with New run, over HTTP, or on the command line:',
              'npm run assay -- forecast run --help',
            )
          : table('Runs', jobColumns, list.data),
      )}
      ${pager('/console/runs', filters, list.page.next_cursor, cursor)}`;
    return { title: 'Runs', crumbs: [['Runs']], body };
  },
});

/** The columns of a short table of runs, in which the kind of a run leads to its page. */
export const shortJobColumns = (): readonly TableColumn<Job>[] => [
  {
    heading: 'Run',
    cell: ({ uid, kind }) => html`<a href="/console/runs/${uid}">${nameOf(kind)}</a>`,
  },
  ...jobColumns.filter(({ heading }) => /^(State|Submitted|Ran)/.test(heading)),
];

/** The columns of a table of runs. */
export const jobColumns: readonly TableColumn<Job>[] = [
  { heading: 'Run', cell: ({ uid }) => html`<a class="mono" href="/console/runs/${uid}">${uid}</a>` },
  { heading: 'Kind', cell: ({ kind }) => nameOf(kind) },
  {
    heading: 'State',
    cell: ({ uid, state, progress }) =>
      state === 'queued' || state === 'running'
        ? html`<span data-live="${uid}"
            >${pill(state)} <span data-percent>${Math.round(progress * 100)} %</span></span
          >`
        : pill(state),
  },
  { heading: 'Model', cell: ({ model }) => html`<span class="dim">${model.key} ${model.version}</span>` },
  { heading: 'Submitted, UTC', cell: ({ created_at }) => instant(created_at) },
  {
    heading: 'Waited, ms',
    isNumber: true,
    cell: ({ waited_ms }) => (waited_ms === null ? '–' : number(waited_ms)),
  },
  { heading: 'Ran, ms', isNumber: true, cell: ({ ran_ms }) => (ran_ms === null ? '–' : number(ran_ms)) },
];

function filterForm(kind: string | undefined, state: string | undefined): Html {
  return html`<form class="filters" action="/console/runs">
    <label
      >Kind
      <select name="kind">
        <option value="">All kinds</option>
        ${runKinds.map(({ key, name }) => html`<option value="${key}" ${key === kind && 'selected'}>${name}</option>`)}
      </select></label
    >
    <label
      >State
      <select name="state">
        <option value="">All states</option>
        ${runStates.map((name) => html`<option value="${name}" ${name === state && 'selected'}>${name}</option>`)}
      </select></label
    >
    <button type="submit">Filter</button>
  </form>`;
}
