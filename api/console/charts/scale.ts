/** The size of a drawing, in pixels. */
export type Size = { readonly width: number; readonly height: number };
/** Maps a value to a pixel. */
export type Scale = (value: number) => number;

/**
 * Returns a linear scale from an interval of values to an interval of pixels. An interval that is too short or too long
 * for a finite scale maps every value to the first pixel.
 */
export function linear([from, to]: readonly [number, number], [low, high]: readonly [number, number]): Scale {
  const slope = (high - low) / (to - from || 1);
  if (!Number.isFinite(slope) || slope === 0) return () => low;
  return (value) => low + (value - from) * slope;
}

/** Returns about `count` round values between two values, with steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return Number.isFinite(low) ? [low] : [];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 10 * power;
  if (!(step > 0) || !Number.isFinite(step)) return [low];
  const first = Math.ceil(low / step) * step;
  // The number of values is computed first: in a range of a few floating-point units, adding a step may not change a
  // value.
  const last = Math.floor((high - first) / step + 1e-9);
  const values = Array.from({ length: last + 1 }, (_, at) => Number((first + at * step).toPrecision(12)));
  return [...new Set(values)];
}

/** Returns the smallest and the largest value; [0, 1] if there is no finite value. */
export function extent(values: readonly (number | null | undefined)[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || value === undefined || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** Writes a pixel coordinate with one decimal place. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/**
 * Returns the positions that a drawing of a width needs: all of them if they are at most two a pixel column, otherwise
 * those with the least and the most value of each series in each column, and the first missing value. No extreme value
 * is lost.
 */
export function neededPositions(
  count: number,
  width: number,
  series: readonly (readonly (number | null)[])[],
): readonly number[] {
  const columns = Math.max(1, Math.floor(width));
  if (count <= 2 * columns) return Array.from({ length: count }, (_, index) => index);
  const needed = new Set<number>([0, count - 1]);
  for (const values of series)
    for (let column = 0; column < columns; column++) {
      const [from, to] = [
        Math.floor((column * count) / columns),
        Math.floor(((column + 1) * count) / columns),
      ];
      let [least, most, missing] = [-1, -1, -1];
      for (let index = from; index < to; index++) {
        const value = values[index];
        if (value === null || value === undefined) {
          if (missing < 0) missing = index;
          continue;
        }
        if (least < 0 || value < values[least]!) least = index;
        if (most < 0 || value > values[most]!) most = index;
      }
      for (const index of [least, most, missing]) if (index >= 0) needed.add(index);
    }
  return [...needed].toSorted((one, other) => one - other);
}

/** Returns the path of a line through points. A missing value interrupts the line. */
export function linePath(xs: readonly number[], ys: readonly (number | null)[]): string {
  let isOpen = false;
  return xs
    .map((x, index) => {
      const y = ys[index];
      if (y === null || y === undefined) {
        isOpen = false;
        return '';
      }
      const word = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${word}${px(x)} ${px(y)}`;
    })
    .join('');
}

/** Returns the path of the area between two lines. */
export function areaPath(xs: readonly number[], lows: readonly number[], highs: readonly number[]): string {
  const there = xs.map((x, index) => `${index ? 'L' : 'M'}${px(x)} ${px(highs[index]!)}`).join('');
  const back = [...xs.keys()]
    .toReversed()
    .map((index) => `L${px(xs[index]!)} ${px(lows[index]!)}`)
    .join('');
  return `${there}${back}Z`;
}

/** One figure of a column: its name, its value as text, and the CSS class of its legend key. */
export type Figure = readonly [name: string, value: string, key?: string];
/** The figures at one position of the horizontal axis. The crosshair, the arrow keys and the live region show them. */
export type Column = {
  readonly x: number;
  readonly label: string;
  readonly figures: readonly Figure[];
  readonly marks: readonly (readonly [y: number, className: string])[];
};
/** A drawn chart: its SVG, and its columns between `top` and `bottom`, in pixels. */
export type Chart = {
  readonly markup: string;
  readonly columns: readonly Column[];
  readonly top: number;
  readonly bottom: number;
};

const formats = new Map<number, Intl.NumberFormat>();

/** Writes a number with thousands separators and a true minus sign. A value that rounds to zero has no sign. */
export function number(value: number, digits = 0): string {
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  const text = format.format(value);
  return text.replace('-', /[1-9]/.test(text) ? '−' : '');
}

/** Writes a share as a percentage. */
export function percent(share: number, digits = 1): string {
  return `${number(share * 100, digits)} %`;
}

/** Escapes a label for SVG text and attributes. */
export function label(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Wraps the parts of a drawing in an SVG element. Screen readers read `name`. A drawing without a name is hidden from
 * them.
 */
export function svg({ width, height }: Size, parts: readonly string[], name?: string): string {
  const shown =
    name === undefined ? 'aria-hidden="true" focusable="false"' : `role="img" aria-label="${label(name)}"`;
  return `<svg viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" ${shown} xmlns="http://www.w3.org/2000/svg">${parts.join('')}</svg>`;
}
