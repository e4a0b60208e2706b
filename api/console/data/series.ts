import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { number } from '../charts/scale.ts';
import { html, type Html } from '../html.ts';
import { definePage, type PageCall } from '../page.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { compareReadings, type Reading, type ReadingRow } from './readings.ts';

const GET = 'data.economics.series.get';
const OBSERVATIONS = 'data.economics.series.observations.list';
/**
 * The largest number of observations in a reading: the number of observations that one page of the API operation can
 * contain.
 */
const SHOWN_MAX = 200;
const DAY_MS = 86_400_000;
/** The number of days that the page shows, by the frequency of the series. */
const SPAN_DAYS: Readonly<Record<string, number>> = { D: 190, W: 1_300, M: 5_900, Q: 18_000, A: 60_000 };

type Series = {
  key: string;
  title: string;
  frequency: string | null;
  unit: string | null;
  source: string | null;
  first_observed_on: string | null;
  last_observed_on: string | null;
  observations: number;
};

/** An economic series as it is known now, next to what was known of it on a chosen day. */
export const seriesPage = definePage({
  path: '/console/series/:id',
  area: 'Series',
  async render(call) {
    const key = call.params['id']!;
    const today = call.now.toISOString().slice(0, 10);
    const series = await call.read<Series>(GET, { key });
    const asOf = dayOf(call.query['as_of']) ?? yearBefore(series.last_observed_on ?? today);
    const from = fromDay(series);
    const known = await readingOf(call, key, { from });
    const then = asOf >= today ? known : await readingOf(call, key, { from, as_of: asOf });
    const rows = compareReadings(then, known);
    const learnt = rows.filter(({ change }) => change !== 'same');
    const revised = learnt.filter(({ change }) => change === 'revised').length;
    const body = html`<header class="head">
        <div>
          <h1>${series.title}<span class="key">${key}</span></h1>
          <p class="meta">
            <span>${series.unit ?? ''}</span><span>${series.source ?? ''}</span
            ><span>${number(series.observations)} observations</span>
          </p>
        </div>
      </header>
      ${dayForm(key, asOf, today, series)}
      <dl class="facts">
        ${fact('Known on', asOf)} ${fact('Newest value then', newest(then), then.at(-1)?.observed_on ?? '')}
        ${fact('Newest value now', newest(known), known.at(-1)?.observed_on ?? '')}
        ${fact('Added since', number(learnt.length - revised), 'observations')}
        ${fact('Revised since', number(revised), 'observations')}
      </dl>
      <div class="stack">
        ${card({ title: 'Two readings', note: `as known on ${asOf}, and as known now` }, chartOf(rows, asOf))}
        ${card(
          { title: 'Learnt since', note: `${learnt.length} observations` },
          learnt.length === 0 ? empty('Nothing was learnt since this day.') : learntTable(learnt),
        )}
      </div>`;
    return { title: series.title, crumbs: [['Series', '/console/series'], [key]], body };
  },
});

/** Returns the form that chooses the day: a date field, and a slider for browsers with scripts. */
function dayForm(key: string, asOf: string, today: string, { first_observed_on }: Series): Html {
  const day = (text: string) => Math.floor(Date.parse(text) / DAY_MS);
  return html`<form class="filters as-of" action="/console/series/${encodeURIComponent(key)}">
    <label>Known on<input type="date" name="as_of" value="${asOf}" max="${today}" required /></label>
    <label class="grow"
      >Day<input
        type="range"
        data-day
        hidden
        min="${first_observed_on === null ? day(today) - 3_650 : day(first_observed_on)}"
        max="${day(today)}"
        value="${day(asOf)}"
        aria-valuetext="${asOf}"
    /></label>
    <button type="submit">Show</button>
  </form>`;
}

function chartOf(rows: readonly ReadingRow[], asOf: string): Html {
  if (rows.length === 0) return empty('The series has no observations.');
  const model: LinesModel = {
    labels: rows.map(({ day }) => day),
    lines: [
      { name: 'now', values: rows.map(({ later }) => later), tone: 5 },
      { name: asOf, values: rows.map(({ earlier }) => earlier), tone: 1 },
    ],
    scale: 'linear',
  };
  return chartFigure({
    kind: 'lines',
    model,
    chart: lines(model, { width: CHART_WIDTH, height: 320 }),
    height: 320,
    label: `The series as known on ${asOf}, and as known now.`,
  });
}

function learntTable(rows: readonly ReadingRow[]): Html {
  const value = (amount: number | null) => (amount === null ? '–' : number(amount, 2));
  return table(
    'Observations that were added or revised since',
    [
      { heading: 'Observed', cell: ({ day }) => day },
      { heading: 'What', cell: ({ change }) => change },
      { heading: 'Known then', isNumber: true, cell: ({ earlier }) => value(earlier) },
      { heading: 'Known now', isNumber: true, cell: ({ later }) => value(later) },
      {
        heading: 'Change',
        isNumber: true,
        cell: ({ earlier, later }) => (earlier === null || later === null ? '–' : value(later - earlier)),
      },
      { heading: 'Known since, UTC', cell: ({ knownAt }) => knownAt.slice(0, 10) },
    ],
    [...rows].toReversed(),
    'tight',
  );
}

async function readingOf({ read }: PageCall, key: string, filter: Record<string, unknown>): Promise<Reading> {
  const { data } = await read<{ data: Reading }>(OBSERVATIONS, { key, limit: SHOWN_MAX, ...filter });
  return data.toSorted((one, other) => (one.observed_on < other.observed_on ? -1 : 1));
}

function fromDay({ last_observed_on, frequency }: Series): string | undefined {
  const span = SPAN_DAYS[(frequency ?? 'M').slice(0, 1).toUpperCase()];
  if (last_observed_on === null || span === undefined) return undefined;
  const from = new Date(Date.parse(last_observed_on) - span * DAY_MS);
  return from.toISOString().slice(0, 10);
}

function newest(reading: Reading): string {
  const value = reading.at(-1)?.value;
  return value === null || value === undefined ? '–' : number(Number(value), 2);
}

function yearBefore(day: string): string {
  return new Date(Date.parse(day) - 365 * DAY_MS).toISOString().slice(0, 10);
}

function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
}
