import { timesOfParts, type PartTimesRow } from '#lib/pipeline/stored-part.query.ts';
import { CHART_WIDTH } from '../chart-figure.ts';
import { ganttChart, type GanttBar } from '../charts/gantt.ts';
import { number } from '../charts/scale.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageCall } from '../page.ts';
import { card } from '../shell.ts';
import { table } from '../table.ts';
import type { RunResource } from './resource.ts';

/** The most parts that the chart shows. */
const PARTS_MAX = 40;

/**
 * Returns the card of an open run with its computed parts as a Gantt chart: each pale while it waited and solid while a
 * worker computed it. Nothing if no part is stored yet, or if the run is not divided.
 */
export async function partsCard({ ask, now }: PageCall, run: RunResource): Promise<Html | false> {
  const parts = await ask(timesOfParts, run.uid, PARTS_MAX);
  if (parts.length === 0) return false;
  const workers = new Set(parts.map(({ worker }) => worker));
  return card(
    {
      title: 'Parts',
      note: `the last computed parts: ${parts.length}; workers: ${workers.size}`,
    },
    html`<section class="scroll graph" tabindex="0" aria-label="Gantt chart of the parts">
        ${raw(ganttChart(barsOf(parts), now.getTime(), { width: CHART_WIDTH }, 'Waiting and computing time of each part'))}
      </section>
      ${table(
        'Parts',
        [
          { heading: 'Part', cell: nameOf },
          { heading: 'Samples', isNumber: true, cell: ({ count }) => number(count) },
          { heading: 'Waited, s', isNumber: true, cell: (part) => seconds(part.queuedAt, part.startedAt) },
          { heading: 'Computed, s', isNumber: true, cell: (part) => seconds(part.startedAt, part.endedAt) },
          { heading: 'Ended, UTC', cell: ({ endedAt }) => endedAt?.toISOString().slice(11, 19) ?? '–' },
          { heading: 'Worker', cell: ({ worker }) => worker ?? '–' },
        ],
        parts,
        'tight',
      )}`,
  );
}

/** Returns the bars of parts: for each, the time in the queue, and on the same row the time of the computation. */
export function barsOf(parts: readonly PartTimesRow[]): GanttBar[] {
  return parts.map((part) => ({
    name: nameOf(part),
    tone: 'done',
    queued: part.queuedAt?.getTime() ?? null,
    from: part.startedAt?.getTime() ?? null,
    to: part.endedAt?.getTime() ?? null,
  }));
}

function nameOf({ round, first }: PartTimesRow): string {
  return `round ${round + 1}, from ${number(first)}`;
}

function seconds(from: Date | null, to: Date | null): string {
  return from && to ? number((to.getTime() - from.getTime()) / 1_000, 1) : '–';
}
