import type { MappedPosition, ProfitOf, Samples } from './position-profit.ts';

/** Samples per pass over the positions, so that their factors stay in cache. */
const CHUNK = 1_024;

/** Profits of the portfolio at each month, months x samples, and the mean profit of each position at the last one. */
export type PortfolioProfits = { byMonth: Float64Array[]; means: Float64Array };

/**
 * Sums the profits of the positions in each sample, position by position in their order, so that the numbers do not
 * depend on how many samples are taken at a time.
 */
export function portfolioProfits(
  positions: readonly MappedPosition[],
  { count, months }: Samples,
  profitOf: ProfitOf,
  progress: (share: number) => void = () => {},
): PortfolioProfits {
  const byMonth = Array.from({ length: months }, () => new Float64Array(count));
  const sums = new Float64Array(positions.length);
  const own = new Float64Array(months);
  for (let first = 0; first < count; first += CHUNK) {
    const end = Math.min(first + CHUNK, count);
    for (const [at, position] of positions.entries()) {
      let sum = 0;
      for (let sample = first; sample < end; sample += 1) {
        profitOf(position, sample, own);
        for (let month = 0; month < months; month += 1) byMonth[month]![sample]! += own[month]!;
        sum += own[months - 1]!;
      }
      sums[at]! += sum;
    }
    progress(end / count);
  }
  return { byMonth, means: sums.map((sum) => sum / count) };
}
