import {
  areaPath,
  extent,
  label,
  linear,
  linePath,
  number,
  px,
  svg,
  ticks,
  type Chart,
  type Column,
  type Size,
} from './scale.ts';

/** A forecast with its history and its prediction intervals. */
export type FanModel = {
  readonly history: readonly { readonly period: string; readonly value: number }[];
  readonly periods: readonly string[];
  readonly points: readonly number[];
  /** Intervals by their level in percent, each with a lower and an upper bound for every period. */
  readonly bands: readonly {
    readonly level: number;
    readonly lower: readonly number[];
    readonly upper: readonly number[];
  }[];
};

/**
 * Draws a forecast: the history as a line, the forecast as a line with dots, and each interval as a band that begins at
 * the last observation. Wider intervals are paler.
 */
export function fan(model: FanModel, { width, height }: Size): Chart {
  const count = Math.max(24, Math.min(model.history.length, Math.floor(width / 12)));
  const shown = model.history.slice(-count);
  const bands = [...model.bands].toSorted((one, other) => other.level - one.level);
  const labels = [...shown.map(({ period }) => period), ...model.periods];
  const right = width < 480 ? 8 : 72;
  const box = { left: 10, right: width - right, top: 10, bottom: height - 22 };
  const [low, high] = extent([
    ...shown.map(({ value }) => value),
    ...model.points,
    ...bands.flatMap(({ lower, upper }) => [...lower, ...upper]),
  ]);
  const x = linear([0, labels.length - 1], [box.left, box.right]);
  const y = linear([low - (high - low) * 0.03, high + (high - low) * 0.04], [box.bottom, box.top]);
  const last = shown.length - 1;
  const from = shown[last]?.value ?? model.points[0]!;
  const ahead = [last, ...model.periods.map((_, step) => last + 1 + step)].map(x);
  const digits = Math.abs(high) < 100 ? 2 : Math.abs(high) < 1000 ? 1 : 0;
  const end = model.points.at(-1)!;
  const flag =
    right > 8
      ? `<rect class="flag" x="${px(box.right + 3)}" y="${px(y(end) - 9)}" width="62" height="18" rx="3"/><text class="flag-text" x="${px(box.right + 8)}" y="${px(y(end) + 4)}">${number(end, digits)}</text>`
      : '';
  const markup = svg({ width, height }, [
    '<g>',
    ...ticks(low, high, height / 52).map((value) => gridLine(value, y(value), box, { right, digits })),
    ...yearMarks(labels, x, box.bottom, width),
    '</g>',
    ...bands.map(
      ({ lower, upper }, index) =>
        `<path class="band band-${index + 1}" d="${areaPath(ahead, [from, ...lower].map(y), [from, ...upper].map(y))}"/>`,
    ),
    `<line class="now" x1="${px(x(last))}" x2="${px(x(last))}" y1="${box.top}" y2="${box.bottom}"/>`,
    `<path class="line past" d="${linePath(
      shown.map((_, index) => x(index)),
      shown.map(({ value }) => y(value)),
    )}"/>`,
    `<path class="line future" d="${linePath(ahead, [from, ...model.points].map(y))}"/>`,
    ...model.points.map(
      (value, step) => `<circle class="dot" cx="${px(ahead[step + 1]!)}" cy="${px(y(value))}" r="2.25"/>`,
    ),
    flag,
  ]);
  const columns = labels.map((name, index): Column => {
    if (index <= last) {
      const { value } = shown[index]!;
      return {
        x: x(index),
        label: name,
        figures: [['observed', number(value, digits)]],
        marks: [[y(value), 'mark-past']],
      };
    }
    const step = index - last - 1;
    return {
      x: x(index),
      label: name,
      figures: [
        ['forecast', number(model.points[step]!, digits), 'key-line'],
        ...[...bands]
          .toReversed()
          .map(
            ({ level, lower, upper }) =>
              [`${level} %`, `${number(lower[step]!, digits)} to ${number(upper[step]!, digits)}`] as const,
          ),
      ],
      marks: [[y(model.points[step]!), 'mark-future']],
    };
  });
  return { markup, columns, top: box.top, bottom: box.bottom };
}

type Box = { left: number; right: number; top: number; bottom: number };

function gridLine(
  value: number,
  y: number,
  box: Box,
  { right, digits }: { right: number; digits: number },
): string {
  const place =
    right > 8 ? `x="${px(box.right + 8)}" y="${px(y + 4)}"` : `x="${px(box.left)}" y="${px(y - 4)}"`;
  return `<line class="grid" x1="${px(box.left)}" x2="${px(box.right)}" y1="${px(y)}" y2="${px(y)}"/><text class="tick" ${place}>${number(value, digits)}</text>`;
}

/** Returns a tick mark at the first period of each year, labelled with the year if there is room for the label. */
export function yearMarks(
  labels: readonly string[],
  x: (index: number) => number,
  bottom: number,
  width: number,
): string[] {
  const years = labels.flatMap((name, index) =>
    index > 0 && name.slice(0, 4) !== labels[index - 1]!.slice(0, 4)
      ? [[name.slice(0, 4), index] as const]
      : [],
  );
  const every = Math.max(1, Math.ceil(years.length / (width / 58)));
  return years
    .filter((_, index) => index % every === 0)
    .map(
      ([year, index]) =>
        `<line class="grid-tick" x1="${px(x(index))}" x2="${px(x(index))}" y1="${px(bottom)}" y2="${px(bottom + 4)}"/><text class="tick" text-anchor="middle" x="${px(x(index))}" y="${px(bottom + 16)}">${label(year)}</text>`,
    );
}
