import { ganttChart, type GanttBar } from '../charts/gantt.ts';
import { CHART_WIDTH } from '../chart-figure.ts';
import { pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';
import { table } from '../table.ts';

type Step = {
  key: string;
  state: string;
  attempts: number;
  run_uid: string | null;
  started_at: string | null;
  ended_at: string | null;
  error_code: string | null;
};

/** Returns a card that shows the steps of a workflow run as a Gantt chart and as a table. */
export function gantt(record: Readonly<Record<string, unknown>>): Html {
  // The record is the answer of the operation that reads a workflow run, so it has these members.
  const { steps, created_at, ended_at } = record as {
    steps: Step[];
    created_at: string;
    ended_at: string | null;
  };
  const started = steps.filter(({ started_at }) => started_at !== null);
  const last = [
    ended_at,
    created_at,
    ...started.flatMap(({ started_at, ended_at: end }) => [started_at, end]),
  ]
    .flatMap((text) => (text === null ? [] : [Date.parse(text)]))
    .reduce((latest, each) => Math.max(latest, each), 0);
  const bars = steps.map((step): GanttBar => ({
    name: step.key,
    tone: toneOf(step),
    from: step.started_at === null ? null : Date.parse(step.started_at),
    to: step.ended_at === null ? null : Date.parse(step.ended_at),
  }));
  const seconds = (text: string | null) =>
    text === null ? null : (Date.parse(text) - Date.parse(created_at)) / 1_000;
  return card(
    { title: 'Steps', note: `${started.length} of ${steps.length} started` },
    html`<section class="scroll graph" tabindex="0" aria-label="Gantt chart of the steps">
        ${raw(ganttChart(bars, last, { width: CHART_WIDTH }, `Steps: ${steps.map(({ key, state }) => `${key} ${words(state)}`).join(', ')}`))}
      </section>
      ${table(
        'Steps',
        [
          { heading: 'Step', cell: ({ key }) => key },
          { heading: 'State', cell: ({ state }) => pill(state) },
          {
            heading: 'Start, s',
            isNumber: true,
            cell: ({ started_at }) => seconds(started_at)?.toFixed(1) ?? '–',
          },
          { heading: 'End, s', isNumber: true, cell: ({ ended_at: end }) => seconds(end)?.toFixed(1) ?? '–' },
          { heading: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
          { heading: 'Run', cell: ({ run_uid }) => recordView(run_uid) },
          { heading: 'Error', cell: ({ error_code }) => words(error_code ?? '–') },
        ],
        steps,
        'tight',
      )}`,
  );
}

function toneOf({ state, run_uid }: Step): GanttBar['tone'] {
  if (/failed|cancelled|timed_out/.test(state)) return 'bad';
  if (/waiting/.test(state) || (run_uid === null && state === 'succeeded')) return 'person';
  return state === 'succeeded' ? 'done' : 'open';
}
