import { yearMarks } from './fan.ts';
import {
  extent,
  label,
  linear,
  linePath,
  neededPositions,
  number,
  percent,
  px,
  svg,
  ticks,
  type Chart,
  type Column,
  type Size,
} from './scale.ts';

/** A line with its values; null if a value is missing. Tones 1 to 5 are named colours; tone 0 is grey background. */
export type Line = {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly tone: number;
};

/** Lines that share the labels of the horizontal axis. */
export type LinesModel = {
  readonly labels: readonly string[];
  readonly lines: readonly Line[];
  /** The value of the emphasised grid line, such as 100 for an index. */
  readonly base?: number;
  readonly scale: 'linear' | 'log';
  readonly unit?: 'percent';
  /** The positions at which the first line has a ring. */
  readonly rings?: readonly number[];
};

/** The width of a character of a tick label, in pixels. */
const TICK_WIDTH = 6.4;
/** The least distance between two names at the right edge, in pixels. */
const NAME_DISTANCE = 15;

/** Draws lines on one scale. Lines in the foreground are named at their ends; the others are grey. */
export function lines(model: LinesModel, { width, height }: Size): Chart {
  const front = model.lines.filter(({ tone }) => tone > 0);
  const all = model.lines.flatMap(({ values }) => values);
  const [low, high] = extent(model.base === undefined ? all : [...all, model.base]);
  const isLog = model.scale === 'log' && low > 0;
  const at = isLog ? Math.log : (value: number) => value;
  const room = isLog
    ? [at(low * 0.98), at(high * 1.02)]
    : [low - (high - low) * 0.03, high + (high - low) * 0.03];
  const digits = high - low < 1 ? 2 : high - low < 20 ? 1 : 0;
  const show = (value: number, more = 0): string =>
    model.unit === 'percent'
      ? percent(value, more + (high - low < 0.1 ? 1 : 0))
      : number(value, digits + more);
  const marks = ticks(low, high, height / 60).filter((value) => !isLog || value > 0);
  const left = 14 + TICK_WIDTH * Math.max(0, ...marks.map((value) => show(value).length));
  const box = { left, right: width - (width < 480 ? 92 : 148), top: 8, bottom: height - 22 };
  const position = linear([room[0]!, room[1]!], [box.bottom, box.top]);
  const y = (value: number): number => position(at(value));
  const x = linear([0, Math.max(1, model.labels.length - 1)], [box.left, box.right]);
  const needed = neededPositions(
    model.labels.length,
    box.right - box.left,
    model.lines.map(({ values }) => values),
  );
  const xs = needed.map((index) => x(index));
  const grid = marks.map(
    (value) =>
      `<line class="grid${value === model.base ? ' base' : ''}" x1="${box.left}" x2="${px(box.right)}" y1="${px(y(value))}" y2="${px(y(value))}"/><text class="tick" text-anchor="end" x="${box.left - 6}" y="${px(y(value) + 4)}">${show(value)}</text>`,
  );
  const paths = [...model.lines]
    .toSorted((one, other) => Math.sign(one.tone) - Math.sign(other.tone))
    .map(
      ({ values, tone }) =>
        `<path class="line tone-${tone}" d="${linePath(
          xs,
          needed.map((index) => {
            const value = values[index];
            return value === null || value === undefined ? null : y(value);
          }),
        )}"/>`,
    );
  const rings = (model.rings ?? []).flatMap((index) => {
    const value = model.lines[0]?.values[index];
    return value === null || value === undefined
      ? []
      : [`<circle class="flag" cx="${px(x(index))}" cy="${px(y(value))}" r="5"/>`];
  });
  const names = apart(
    front.map(({ name, values, tone }) => {
      const value = values.findLast((each) => each !== null) ?? 0;
      return { name, tone, value, y: y(value) };
    }),
  ).map(
    ({ name, tone, value, y: place }) =>
      `<text class="name tone-text-${tone}" x="${px(box.right + 8)}" y="${px(place + 4)}">${label(name)} <tspan class="num">${show(value)}</tspan></text>`,
  );
  const columns = needed.map((index): Column => {
    const held = front.flatMap(({ name: line, values, tone }) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [{ line, value, tone }];
    });
    return {
      x: x(index),
      label: model.labels[index]!,
      figures: [
        ...held
          .toSorted((one, other) => other.value - one.value)
          .map(({ line, value, tone }) => [line, show(value, 1), `key-${tone}`] as const),
        ...(model.rings?.includes(index) ? [['flagged', 'yes'] as const] : []),
      ],
      marks: held.map(({ value, tone }) => [y(value), `tone-fill-${tone}`] as const),
    };
  });
  const parts = [
    '<g>',
    ...grid,
    ...yearMarks(model.labels, x, box.bottom, width),
    '</g>',
    ...paths,
    ...rings,
    ...names,
  ];
  return { markup: svg({ width, height }, parts), columns, top: box.top, bottom: box.bottom };
}

/** Moves overlapping names apart and keeps their vertical order. */
function apart<Name extends { y: number }>(names: readonly Name[]): Name[] {
  const placed = names.map((name) => ({ ...name })).toSorted((one, other) => one.y - other.y);
  for (let round = 0; round < 20; round++) {
    for (let index = 1; index < placed.length; index++) {
      const [above, below] = [placed[index - 1]!, placed[index]!];
      const missing = NAME_DISTANCE - (below.y - above.y);
      if (missing <= 0) continue;
      above.y -= missing / 2;
      below.y += missing / 2;
    }
  }
  return placed;
}
