import { cancelRun } from '#lib/pipeline/cancel-run.command.ts';
import { dispatchAgain } from '#lib/pipeline/dispatch-again.command.ts';
import {
  countOpenRuns,
  listOpenRuns,
  type OpenRunCount,
  type OpenRunRow,
} from '#lib/pipeline/open-runs.query.ts';
import { number } from '../charts/scale.ts';
import { bar } from '../charts/small.ts';
import { decisionForm, decisionNotice } from '../decision-form.ts';
import { duration, pill } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import { RUNS_MAX } from '../live.ts';
import { definePage, type DecisionCall, type Refused } from '../page.ts';
import { nameOf } from '../runs/kinds.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';

const PLACE = '/console/jobs';
/** The wait after which a run that no worker has started is marked, in milliseconds. */
const LONG_WAIT_MS = 60_000;

const notices = {
  cancelled: 'The run was cancelled.',
  dispatched: 'The run was dispatched to its queue again.',
  alive: 'The run has a live queue job, so it was not dispatched again.',
  unreachable:
    'The queue is unreachable. The scheduler dispatches the run when the queue is reachable again.',
  waits: 'The run waits for admission: the workspace has reached the limit of its service class.',
};

/** The runs that have not ended: by queue and kind, and each with its age, its attempts, its progress and its submitter. */
export const jobsPage = definePage({
  path: PLACE,
  area: 'Jobs',
  decisions: [
    { name: 'cancel', duty: 'stop_runs', act: (call) => onChosen(call, cancel) },
    { name: 'dispatch', duty: 'stop_runs', act: (call) => onChosen(call, dispatchRun) },
  ],
  async render(call) {
    const { ask, read, now } = call;
    // Refuses readers whose workspace is not entitled to runs.
    await read('quant.compute.jobs.list', { limit: 1 });
    const counts = await ask(countOpenRuns);
    const rows = await ask(listOpenRuns, RUNS_MAX);
    const form =
      rows.length > 0 &&
      (await decisionForm(call, {
        path: PLACE,
        id: 'jobs-decide',
        buttons: [
          { name: 'dispatch', label: 'Dispatch again' },
          { name: 'cancel', label: 'Cancel the run', tone: 'danger' },
        ],
      }));
    const body = html`<header class="head">
        <div>
          <h1>Jobs</h1>
          <p class="meta">Runs that have not ended. The list follows their progress</p>
        </div>
        <div class="acts">
          <noscript><a class="button" href="${PLACE}">Load again</a></noscript>
          <a class="button" href="/console/runs">All runs</a>
        </div>
      </header>
      ${decisionNotice(call, notices)}
      <div class="stack" data-live-list="${PLACE}">
        ${factsOf(counts, now)}${cardsOf(rows, counts, { now, canChoose: Boolean(form) })}
      </div>
      ${form && html`<div class="after">${card({ title: 'The chosen run' }, html`<div class="pad">${form}</div>`)}</div>`}`;
    return { title: 'Jobs', crumbs: [['Jobs']], body };
  },
});

type Acted = { location: string } | Refused;

/** Makes a decision on the run that the form names. */
async function onChosen(call: DecisionCall, act: (call: DecisionCall, uid: string) => Promise<Acted>) {
  const { uid } = call.form;
  if (uid === undefined) return { code: 'validation_failed', detail: 'Choose a run of the list.' };
  return act(call, uid);
}

async function cancel(call: DecisionCall, uid: string): Promise<Acted> {
  const outcome = await call.decide(cancelRun, () => ({ uid }));
  if (!outcome.ok) return { code: outcome.code, detail: outcome.detail };
  await call.dispatch(outcome.result.admitted);
  return { location: `${PLACE}?done=cancelled` };
}

async function dispatchRun(call: DecisionCall, uid: string): Promise<Acted> {
  const outcome = await call.decide(dispatchAgain, () => ({ uid }));
  if (!outcome.ok) return { code: outcome.code, detail: outcome.detail };
  const { admitted, run } = outcome.result;
  await call.dispatch(admitted.filter((other) => other.uid !== uid));
  return { location: `${PLACE}?done=${run ? await call.dispatchAgain(run) : 'waits'}` };
}

function factsOf(counts: readonly OpenRunCount[], now: Date): Html {
  const sum = (pick: (count: OpenRunCount) => number) =>
    number(counts.reduce((total, each) => total + pick(each), 0));
  const oldest = counts.map((each) => each.oldest).toSorted()[0];
  return html`<dl class="facts">
    ${fact(
      'Running',
      sum(({ running }) => running),
    )}
    ${fact(
      'Queued',
      sum(({ queued }) => queued),
    )}
    ${fact(
      'Not admitted',
      sum(({ unadmitted }) => unadmitted),
      'of the queued runs',
    )}
    ${fact('Oldest', oldest === undefined ? '–' : duration(oldest, now.toISOString()), 'since its submission')}
  </dl>`;
}

function cardsOf(
  rows: readonly OpenRunRow[],
  counts: readonly OpenRunCount[],
  { now, canChoose }: { now: Date; canChoose: boolean },
): Html {
  if (rows.length === 0)
    return card(
      { title: 'Open runs' },
      empty(
        'No run is open. Submit one with New run, or on the command line:',
        'npm run assay -- forecast run --help',
      ),
    );
  const total = counts.reduce((sum, { running, queued }) => sum + running + queued, 0);
  return html`${card({ title: 'By queue and kind' }, countTable(counts, now))}
  ${card(
    {
      title: 'Open runs',
      note: total > rows.length ? `the oldest ${rows.length} of ${number(total)}` : 'oldest first',
    },
    runTable(rows, now, canChoose),
  )}`;
}

function countTable(counts: readonly OpenRunCount[], now: Date): Html {
  const most = Math.max(...counts.map(({ running, queued }) => running + queued));
  return table(
    'Open runs by queue and kind',
    [
      { heading: 'Kind', cell: ({ kind }) => nameOf(kind) },
      { heading: 'Queue', cell: ({ queue }) => queue },
      { heading: 'Running', isNumber: true, cell: ({ running }) => number(running) },
      { heading: 'Queued', isNumber: true, cell: ({ queued }) => number(queued) },
      { heading: 'Not admitted', isNumber: true, cell: ({ unadmitted }) => number(unadmitted) },
      { heading: 'Share of the largest', cell: ({ running, queued }) => raw(bar((running + queued) / most)) },
      {
        heading: 'Oldest',
        isNumber: true,
        cell: ({ oldest }) => duration(oldest, now.toISOString()),
      },
    ],
    counts,
    'tight',
  );
}

function runTable(rows: readonly OpenRunRow[], now: Date, canChoose: boolean): Html {
  return table(
    'Open runs',
    [
      { heading: 'Run', cell: ({ uid }) => html`<a class="mono" href="/console/runs/${uid}">${uid}</a>` },
      ...(canChoose ? [{ heading: 'Choose', cell: choiceOf }] : []),
      { heading: 'Kind', cell: ({ kind }) => nameOf(kind) },
      { heading: 'Queue', cell: ({ queue }) => queue },
      {
        heading: 'State',
        cell: ({ uid, state, progress }) =>
          html`<span data-live="${uid}"
            >${pill(state)} <span data-percent>${Math.round(progress * 100)} %</span></span
          >`,
      },
      {
        heading: 'Age',
        isNumber: true,
        cell: ({ createdAt }) => duration(createdAt, now.toISOString()),
      },
      { heading: 'Waits for', cell: (row) => waitOf(row, now) },
      { heading: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
      { heading: 'Submitted by', cell: ({ person, application }) => person ?? application },
    ],
    rows,
    'tight',
  );
}

/** Returns what a queued run waits for. A run that waits for a long time is marked. */
function waitOf({ state, createdAt, admittedAt }: OpenRunRow, now: Date): Html | string {
  if (state !== 'queued') return '–';
  const what = admittedAt === null ? 'admission' : 'a worker';
  const isLong = now.getTime() - Date.parse(admittedAt ?? createdAt) > LONG_WAIT_MS;
  return isLong ? html`<span class="pill warn">${what}</span>` : what;
}

function choiceOf({ uid }: OpenRunRow): Html {
  return html`<label class="choose"
    ><input type="radio" name="uid" value="${uid}" form="jobs-decide" required /><span class="vh"
      >Choose ${uid}</span
    ></label
  >`;
}
