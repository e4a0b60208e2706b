import { Problem } from '#lib/core/problem.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { number } from '../charts/scale.ts';
import { pill } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { differences, type Difference } from './differences.ts';
import { kindOfUid } from './kinds.ts';
import { readRun } from './run.ts';
import type { RunResource } from './resource.ts';

const UID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;
const ROWS_MAX = 200;

/** Two runs of one kind: the inputs that differ first, then the results. */
export const comparePage = definePage({
  path: '/console/compare',
  area: 'Compare',
  async render(call) {
    const { a = '', b = '' } = call.query;
    const head = html`<header class="head">
        <div>
          <h1>Compare</h1>
          <p class="meta">Two runs of one kind</p>
        </div>
      </header>
      <form class="filters" action="/console/compare">
        <label
          >First run<input class="uid" name="a" value="${a}" placeholder="uid" maxlength="64" required
        /></label>
        <label
          >Second run<input class="uid" name="b" value="${b}" placeholder="uid" maxlength="64" required
        /></label>
        <button type="submit">Compare</button>
      </form>`;
    const crumbs = [['Runs', '/console/runs'], ['Compare']] as const;
    if (a === '' || b === '')
      return {
        title: 'Compare',
        crumbs,
        body: html`${head}${card({ title: 'Runs' }, empty('Enter the uids of two runs.'))}`,
      };
    if (!UID.test(a) || !UID.test(b) || kindOfUid(a) === undefined || kindOfUid(a) !== kindOfUid(b))
      throw new Problem('validation_failed', 'Compare two runs of the same kind.');
    const { kind, run: first } = await readRun({ ...call, params: { uid: a } });
    const { run: second } = await readRun({ ...call, params: { uid: b } });
    const body = html`${head}
      <div class="stack">
        ${card({ title: kind.name }, runsTable([first, second]))} ${overlay(kind.prefix, first, second)}
        ${card({ title: 'Inputs' }, differencesTable(differences(first.input, second.input), 'The inputs are the same.'))}
        ${card(
          { title: 'Results' },
          differencesTable(differences(first.result, second.result), 'The results are the same.'),
        )}
      </div>`;
    return { title: 'Compare', crumbs, body };
  },
});

function runsTable(runs: readonly RunResource[]): Html {
  return table(
    'The two runs',
    [
      { heading: 'Run', cell: ({ uid }) => html`<a class="mono" href="/console/runs/${uid}">${uid}</a>` },
      { heading: 'State', cell: ({ state }) => pill(state) },
      { heading: 'Submitted, UTC', cell: ({ created_at }) => created_at.slice(0, 16).replace('T', ' ') },
      { heading: 'Model', cell: ({ model }) => `${model.key} ${model.version}` },
      { heading: 'Result hash', cell: ({ result_hash }) => recordView(result_hash ?? null) },
    ],
    runs,
    'tight',
  );
}

function differencesTable(found: readonly Difference[], same: string): Html {
  if (found.length === 0) return empty(same);
  const shown = found.slice(0, ROWS_MAX);
  const rest = found.length - shown.length;
  return html`${table(
    'Members that differ',
    [
      { heading: 'Member', cell: ({ path }) => html`<span class="mono">${path}</span>` },
      { heading: 'First', isNumber: true, cell: ({ first }) => textOf(first) },
      { heading: 'Second', isNumber: true, cell: ({ second }) => textOf(second) },
      { heading: 'Change', isNumber: true, cell: ({ first, second }) => changeOf(first, second) },
    ],
    shown,
    'tight',
  )}${rest > 0 && html`<p class="dim more">${number(rest)} more members differ</p>`}`;
}

function textOf(value: unknown): string {
  if (value === undefined) return '–';
  if (typeof value === 'number') return String(Number(value.toPrecision(8))).replace('-', '−');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 48 ? `${text.slice(0, 47)}…` : text;
}

function changeOf(first: unknown, second: unknown): string {
  if (typeof first !== 'number' || typeof second !== 'number') return '';
  return String(Number((second - first).toPrecision(4))).replace('-', '−');
}

/** Draws the points of two forecasts on one scale. */
function overlay(prefix: string, first: RunResource, second: RunResource): Html | false {
  if (prefix !== 'fct') return false;
  const pointsOf = ({ result }: RunResource) => {
    const { points = [], periods = [] } = (result ?? {}) as { points?: number[]; periods?: string[] };
    return new Map(points.map((value, index) => [periods[index] ?? String(index + 1), value]));
  };
  const [one, other] = [pointsOf(first), pointsOf(second)];
  const labels = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  if (labels.length === 0) return false;
  const model: LinesModel = {
    labels,
    lines: [
      { name: 'first', values: labels.map((label) => one.get(label) ?? null), tone: 1 },
      { name: 'second', values: labels.map((label) => other.get(label) ?? null), tone: 4 },
    ],
    scale: 'linear',
  };
  return card(
    { title: 'Forecasts' },
    chartFigure({
      kind: 'lines',
      model,
      chart: lines(model, { width: CHART_WIDTH, height: 280 }),
      height: 280,
      label: 'The points of both forecasts.',
    }),
  );
}
