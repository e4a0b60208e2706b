import { esRockafellarUryasev, tailWeights } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import type { MappedPosition, ProfitOf, Samples } from './position-profit.ts';
import { roundToTotal } from './round-to-total.ts';
import {
  shortfallWeights,
  type TailWeights,
  valueAtRiskWeights,
  weightedProfit,
} from './tail-contributions.ts';

/**
 * Contributions of the positions in minor units. Their sum is the rounded measure of the portfolio. Null if
 * an amount exceeds 2^53.
 */
export type LevelContributions = {
  level: number;
  valueAtRisk: number[] | null;
  expectedShortfall: number[] | null;
};

/**
 * Divides the value at risk and the expected shortfall of the profits at the last month among the positions
 * (Euler). Only the samples of the tail are computed again.
 *
 * `order`: the indices of the samples, in ascending order of the profits; equal profits are ordered by index.
 */
export function positionContributions(
  positions: readonly MappedPosition[],
  { profits, order, levels }: { profits: Float64Array; order: Uint32Array; levels: readonly number[] },
  { samples, profitOf }: { samples: Samples; profitOf: ProfitOf },
): LevelContributions[] {
  const measures = levels.map((level) => ({
    valueAtRisk: valueAtRiskWeights(order, profits, level),
    expectedShortfall: shortfallWeights(order, level),
  }));
  const tail = [
    ...new Set(measures.flatMap((each) => [...each.valueAtRisk.samples, ...each.expectedShortfall.samples])),
  ];
  const own = new Float64Array(samples.months);
  const profitAt = new Float64Array(samples.count);
  const parts = measures.map(() => ({
    valueAtRisk: new Float64Array(positions.length),
    expectedShortfall: new Float64Array(positions.length),
  }));
  for (const [at, position] of positions.entries()) {
    for (const sample of tail) {
      profitOf(position, sample, own);
      profitAt[sample] = own[samples.months - 1]!;
    }
    for (const [place, measure] of measures.entries()) {
      const of = (weights: TailWeights) => weightedProfit(weights, (sample) => profitAt[sample]!);
      parts[place]!.valueAtRisk[at] = of(measure.valueAtRisk);
      parts[place]!.expectedShortfall[at] = of(measure.expectedShortfall);
    }
  }
  const ascending = Float64Array.from(order, (sample) => profits[sample]!);
  return levels.map((level, place) => ({
    level,
    valueAtRisk: roundToTotal(
      parts[place]!.valueAtRisk,
      -ascending[tailWeights(samples.count, level).whole]!,
    ),
    expectedShortfall: roundToTotal(parts[place]!.expectedShortfall, esRockafellarUryasev(ascending, level)),
  }));
}
