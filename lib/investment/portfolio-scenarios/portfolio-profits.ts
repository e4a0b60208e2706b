import type { MappedPosition, ProfitOf, Samples } from './position-profit.ts';

/**
 * Number of samples that are processed in one pass over the positions, so that their factors stay in the
 * processor cache.
 */
const CHUNK = 1_024;

/**
 * Profits of the portfolio: for each month, one profit per sample. `means` has the mean profit of each
 * position at the last month.
 */
export type PortfolioProfits = { byMonth: Float64Array[]; means: Float64Array };

/**
 * Sums the profits of the positions in each sample, in the order of the positions. The sums do not depend on
 * the number of samples per pass.
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
