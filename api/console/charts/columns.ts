import { extent, label, linear, number, px, svg, ticks, type Size } from './scale.ts';

/** A column of a bar chart: its label, and its value; null if there is no value. */
export type NamedValue = { label: string; value: number | null };

const [LEFT, BOTTOM] = [52, 20];

/** Draws values as bars from zero, with the labels of the first, the middle and the last bar. */
export function columns(bars: readonly NamedValue[], { width, height }: Size, name: string): string {
  const [, high] = extent([0, ...bars.map(({ value }) => value)]);
  const y = linear([0, high || 1], [height - BOTTOM, 10]);
  const step = (width - LEFT - 10) / Math.max(1, bars.length);
  const digits = high < 10 ? 1 : 0;
  const grid = ticks(0, high || 1, 4).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${width - 10}" y1="${px(y(value))}" y2="${px(y(value))}"/><text class="tick" text-anchor="end" x="${LEFT - 6}" y="${px(y(value) + 4)}">${number(value, digits)}</text>`,
  );
  const drawn = bars.map(({ label: text, value }, index) =>
    value === null
      ? ''
      : `<rect class="column" x="${px(LEFT + index * step + 1)}" y="${px(y(value))}" width="${px(Math.max(1, step - 2))}" height="${px(height - BOTTOM - y(value))}"><title>${label(text)}: ${number(value, 2)}</title></rect>`,
  );
  const shown = [...new Set([0, Math.floor((bars.length - 1) / 2), bars.length - 1])].filter(
    (index) => index >= 0,
  );
  const axis = shown.map((index) => {
    const anchor = index === 0 ? 'start' : index === bars.length - 1 ? 'end' : 'middle';
    const x = LEFT + (index + (anchor === 'start' ? 0 : anchor === 'end' ? 1 : 0.5)) * step;
    return `<text class="tick" text-anchor="${anchor}" x="${px(x)}" y="${height - 5}">${label(bars[index]!.label)}</text>`;
  });
  return svg({ width, height }, [...grid, ...drawn, ...axis], name);
}
