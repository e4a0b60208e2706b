import { CHART_WIDTH } from '../chart-figure.ts';
import { columns } from '../charts/columns.ts';
import { number } from '../charts/scale.ts';
import { html, raw, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';

/** The meters that the page offers. */
const METERS = ['compute.run_seconds', 'workflow.steps', 'ai.tokens', 'exports.count', 'storage.rows'];
/** The largest number of buckets in the table. */
const ROWS_MAX = 60;
/** The number of past days that hourly buckets cover. */
const HOURLY_DAYS = 2;
const GRANULARITIES = ['hour', 'day', 'month'];

/** A bucket; its value is a decimal number as text. */
type Bucket = { from: string; to: string; value: string | number | null };
type Usage = { meter: string; unit: string; events: number; is_floor: boolean; buckets: readonly Bucket[] };

/** The usage of a meter by hour, day or month. */
export const usagePage = definePage({
  path: '/console/usage',
  area: 'Usage',
  async render({ read, query, now }) {
    const { meter = METERS[0]!, granularity = 'day' } = query;
    const usage = await read<Usage>('infrastructure.usage.get', {
      meter,
      granularity,
      ...(granularity === 'hour' && { from: dayStart(now, HOURLY_DAYS) }),
    });
    const total = usage.buckets.reduce((sum, { value }) => sum + Number(value ?? 0), 0);
    const body = html`<header class="head">
        <div>
          <h1>Usage</h1>
          <p class="meta">The usage of the workspace this month, counted from stored records</p>
        </div>
      </header>
      <form class="filters" action="/console/usage">
        <label
          >Meter<select name="meter">
            ${METERS.map((name) => option(name, meter))}
          </select></label
        >
        <label
          >By<select name="granularity">
            ${GRANULARITIES.map((name) => option(name, granularity))}
          </select></label
        >
        <button type="submit">Show</button>
      </form>
      <dl class="facts">
        ${fact('In all', number(total, Number.isInteger(total) ? 0 : 2), usage.unit)}
        ${fact('Records', number(usage.events))}
        ${fact('Complete', usage.is_floor ? 'no' : 'yes', usage.is_floor ? 'some records have no value' : '')}
      </dl>
      ${card({ title: usage.meter, note: usage.unit }, usage.buckets.length === 0 ? empty('There is no bucket.') : buckets(usage))}`;
    return { title: 'Usage', crumbs: [['Usage']], body };
  },
});

/** Returns the start of the day (UTC) that is a number of days before now. */
function dayStart(now: Date, days: number): string {
  return `${new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
}

function option(name: string, chosen: string): Html {
  return html`<option value="${name}" ${name === chosen && 'selected'}>${name}</option>`;
}

function buckets({ buckets: stored, meter, unit }: Usage): Html {
  const all = stored.map(({ from, value }) => ({ from, value: value === null ? null : Number(value) }));
  const bars = all.map(({ from, value }) => ({ label: from.slice(0, 10), value }));
  const size = { width: CHART_WIDTH, height: 220 };
  return html`<section class="scroll graph" tabindex="0" aria-label="Usage by bucket">
      ${raw(columns(bars, size, `The meter ${meter} by bucket`))}
    </section>
    ${table(
      'Usage by bucket',
      [
        { heading: 'From, UTC', cell: ({ from }) => from.slice(0, 16).replace('T', ' ') },
        {
          heading: unit,
          isNumber: true,
          cell: ({ value }) => (value === null ? '–' : number(value, Number.isInteger(value) ? 0 : 2)),
        },
      ],
      all
        .filter(({ value }) => value !== 0)
        .toReversed()
        .slice(0, ROWS_MAX),
      'tight',
    )}`;
}
