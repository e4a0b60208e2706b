import { label, linear, px, svg, ticks, number, type Size } from './scale.ts';

/**
 * A bar of a Gantt chart: its name, and its start and end in milliseconds; a bar without an end is still open. `queued` is
 * the time from which it waited for its start.
 */
export type GanttBar = {
  name: string;
  tone: 'done' | 'open' | 'bad' | 'person';
  queued?: number | null;
  from: number | null;
  to: number | null;
};

const [ROW, LEFT, TOP] = [22, 150, 6];

/** Draws steps on one time axis, in seconds since the first start. Bars that are still open end at `now`. */
export function ganttChart(
  bars: readonly GanttBar[],
  now: number,
  { width }: Pick<Size, 'width'>,
  name: string,
): string {
  const starts = bars.flatMap(({ queued, from }) => [queued ?? from ?? now]);
  const from = Math.min(...starts, now);
  const to = Math.max(from + 1_000, ...bars.map((bar) => bar.to ?? (bar.from === null ? from : now)));
  const x = linear([from, to], [LEFT, width - 16]);
  const height = TOP + bars.length * ROW + 22;
  const axis = ticks(0, (to - from) / 1_000, 6).map((seconds) => {
    const at = px(x(from + seconds * 1_000));
    return `<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${height - 20}"/><text class="tick" text-anchor="middle" x="${at}" y="${height - 6}">${number(seconds, seconds % 1 === 0 ? 0 : 1)} s</text>`;
  });
  const rows = bars.map((bar, index) => {
    const y = TOP + index * ROW;
    const text = `<text class="tick" x="2" y="${y + 15}">${label(bar.name.slice(0, 22))}</text>`;
    if (bar.from === null) return text;
    const left = x(bar.from);
    const length = Math.max(2, x(bar.to ?? now) - left);
    const wait =
      typeof bar.queued === 'number' && bar.queued < bar.from
        ? `<rect class="step wait" x="${px(x(bar.queued))}" y="${y + 8}" width="${px(left - x(bar.queued))}" height="6"/>`
        : '';
    return `${text}${wait}<rect class="step ${bar.tone}" x="${px(left)}" y="${y + 4}" width="${px(length)}" height="14" rx="3"/>`;
  });
  return svg({ width, height }, [...axis, ...rows], name);
}
