import { extent, linear, linePath, px, svg } from './scale.ts';

/** Draws a line without axes for a row of a table. The dot marks the last value. */
export function spark(values: readonly (number | null)[], width = 110, height = 22): string {
  const held = values.filter((value) => value !== null);
  if (held.length < 2) return '';
  const x = linear([0, values.length - 1], [2, width - 4]);
  const y = linear(extent(held), [height - 3, 3]);
  const last = values.findLastIndex((value) => value !== null);
  const line = linePath(
    values.map((_, index) => x(index)),
    values.map((value) => (value === null ? null : y(value))),
  );
  return svg({ width, height }, [
    `<path class="line spark-line" d="${line}"/>`,
    `<circle class="spark-dot" cx="${px(x(last))}" cy="${px(y(values[last]!))}" r="1.8"/>`,
  ]);
}

/** Draws a share between 0 and 1 as a bar. */
export function bar(share: number, width = 90): string {
  const length = share > 0 ? Math.max(1.5, Math.min(1, share) * width) : 0;
  return svg({ width, height: 8 }, [
    `<rect class="track" width="${width}" height="8" rx="1.5"/>`,
    `<rect class="value" width="${px(length)}" height="8" rx="1.5"/>`,
  ]);
}

/** The critical value of a two-sided test at 5 % with a normal distribution. */
const CRITICAL = 1.96;

/**
 * Draws a test statistic with its 95 % interval, next to zero and the critical values. `limit` is the largest shown
 * value.
 */
export function whisker(value: number, limit: number, width = 130): string {
  const x = linear([-limit, limit], [4, width - 4]);
  const within = (each: number): number => x(Math.max(-limit, Math.min(limit, each)));
  const tone = Math.abs(value) < CRITICAL ? 'none' : value > 0 ? 'up' : 'down';
  const rule = (className: string, at: number, top: number): string =>
    `<line class="${className}" x1="${px(x(at))}" x2="${px(x(at))}" y1="${top}" y2="${18 - top}"/>`;
  return svg({ width, height: 18 }, [
    rule('crit', -CRITICAL, 1),
    rule('crit', CRITICAL, 1),
    rule('zero', 0, 0),
    `<line class="range ${tone}" x1="${px(within(value - CRITICAL))}" x2="${px(within(value + CRITICAL))}" y1="9" y2="9"/>`,
    `<circle class="whisker-dot ${tone}" cx="${px(within(value))}" cy="9" r="3.2"/>`,
  ]);
}
