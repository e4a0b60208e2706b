import { esRockafellarUryasev, tailWeights } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import type { AddFactorParts, MappedPosition, ProfitOf, Samples } from './position-profit.ts';
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

/** The profits of the portfolio at the last month, and the measures to divide. See `positionContributions`. */
export type DividedProfits = { profits: Float64Array; order: Uint32Array; levels: readonly number[] };

/**
 * Divides value at risk and expected shortfall among the factors, in their order, and the specific returns, which come
 * last.
 */
export function factorContributions(
  positions: readonly MappedPosition[],
  { profits, order, levels }: DividedProfits,
  { samples, addParts }: { samples: Samples; addParts: AddFactorParts },
): LevelContributions[] {
  const ascending = Float64Array.from(order, (sample) => profits[sample]!);
  const divided = ({ samples: tail, weights }: TailWeights): Float64Array => {
    const parts = new Float64Array(samples.factors + 1);
    const own = new Float64Array(samples.factors + 1);
    for (const [at, sample] of tail.entries()) {
      own.fill(0);
      for (const position of positions) addParts(position, sample, own);
      for (let k = 0; k < parts.length; k += 1) parts[k]! += weights[at]! * own[k]!;
    }
    return parts;
  };
  return levels.map((level) => ({
    level,
    valueAtRisk: roundToTotal(
      divided(valueAtRiskWeights(order, profits, level)),
      -ascending[tailWeights(samples.count, level).whole]!,
    ),
    expectedShortfall: roundToTotal(
      divided(shortfallWeights(order, level)),
      esRockafellarUryasev(ascending, level),
    ),
  }));
}

/**
 * Divides the value at risk and the expected shortfall of the profits at the last month among the positions
 * (Euler). Only the samples of the tail are computed again.
 *
 * `order`: the indices of the samples, in ascending order of the profits; equal profits are ordered by index.
 */
export function positionContributions(
  positions: readonly MappedPosition[],
  { profits, order, levels }: DividedProfits,
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
