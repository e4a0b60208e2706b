import { extent, linear, number, percent, px, svg, ticks, type Size } from './scale.ts';

const BINS = 44;
/** The axis covers this share of the values. The remaining, largest values are counted in the last bin. */
const COVERED = 0.995;

/** Draws the distribution of shares in equal bins, with the median and the 95th percentile. */
export function histogram(values: readonly number[], { width, height }: Size, name: string): string {
  const sorted = [...values].toSorted((one, other) => one - other);
  if (sorted.length < 2) return '';
  const [low, high] = [sorted[0]!, sorted[Math.floor((sorted.length - 1) * COVERED)]!];
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of sorted) {
    const bin = Math.floor(((value - low) / (high - low || 1)) * BINS);
    counts[Math.min(BINS - 1, Math.max(0, bin))]! += 1;
  }
  const [, most] = extent(counts);
  const x = linear([low, high], [34, width - 10]);
  const y = linear([0, most * 1.06], [height - 22, 8]);
  const step = (width - 44) / BINS;
  const at = (share: number): number => low + (share / BINS) * (high - low);
  const grid = ticks(0, most, 4).map(
    (count) =>
      `<line class="grid" x1="34" x2="${width - 10}" y1="${px(y(count))}" y2="${px(y(count))}"/><text class="tick" text-anchor="end" x="28" y="${px(y(count) + 4)}">${number(count)}</text>`,
  );
  const bars = counts.map(
    (count, bin) =>
      `<rect class="column" x="${px(34 + bin * step + 0.5)}" y="${px(y(count))}" width="${px(step - 1)}" height="${px(height - 22 - y(count))}"><title>${percent(at(bin))} to ${percent(at(bin + 1))}: ${count}</title></rect>`,
  );
  const axis = ticks(low, high, 8).map(
    (value) =>
      `<text class="tick" text-anchor="middle" x="${px(x(value))}" y="${height - 6}">${percent(value, 0)}</text>`,
  );
  const marks = [0.5, 0.95].map((share) => {
    const value = sorted[Math.floor(share * (sorted.length - 1))]!;
    return `<line class="now" x1="${px(x(value))}" x2="${px(x(value))}" y1="8" y2="${height - 22}"/><text class="tick" x="${px(x(value) + 5)}" y="18">${percent(value)}</text>`;
  });
  return svg({ width, height }, ['<g>', ...grid, '</g>', ...bars, ...axis, ...marks], name);
}
