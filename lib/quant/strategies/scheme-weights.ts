import { normalised } from '#lib/numerics/optimisation/inverse-risk.ts';
import { pastReturns } from './past-returns.ts';
import type { PriceTable } from './price-table.ts';
import { riskWeights } from './risk-weights.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

export type SchemeFacts = {
  table: PriceTable;
  t: number;
  /** The signal of the schemes `signal` and `market_cap`. */
  valueOf: (k: number) => number;
};

/** Why a selected symbol has no weight. */
export type WeightReason = 'no_weight' | 'history_short' | 'no_variance';

/**
 * Returns one weight for each selected symbol, in order of rank. The weights sum to 1. `sign` is -1 for short
 * positions: their weights are positive too. A symbol for which the scheme has no weight gets the weight 0 and a
 * reason. If no symbol has a weight, all weights are 0.
 */
export function schemeWeights(
  { weight, constraints }: Pick<ResolvedStrategy, 'weight' | 'constraints'>,
  symbols: readonly number[],
  sign: 1 | -1,
  { table, t, valueOf }: SchemeFacts,
): { weights: Float64Array; reasons: Map<number, WeightReason> } {
  const { scheme, construct, gross } = weight;
  const n = symbols.length;
  switch (scheme) {
    case 'equal':
      return parts(symbols, new Float64Array(n).fill(1));
    case 'rank':
      // The best long symbol has the first rank, and the best short symbol has the last rank.
      return parts(
        symbols,
        Float64Array.from(symbols, (_, at) => (sign > 0 ? n - at : at + 1)),
      );
    case 'signal':
      return parts(
        symbols,
        Float64Array.from(symbols, (k) => positive(sign * valueOf(k))),
      );
    case 'market_cap':
      return parts(
        symbols,
        Float64Array.from(symbols, (k) => positive(valueOf(k))),
      );
    case 'fixed':
      return parts(
        symbols,
        Float64Array.from(symbols, (k) => positive(sign * fixedOf(weight.fixed, table.symbols[k]!))),
        false,
      );
    case 'inverse_volatility':
    case 'minimum_variance':
    case 'risk_budget':
    case 'hrp': {
      const returns = pastReturns(table, symbols, { t, window: construct.window });
      const names = symbols.map((k) => table.symbols[k]!);
      const weightMax = gross > 0 ? constraints.weight_max / gross : 1;
      const found = riskWeights(returns, { scheme, construct, symbols: names, weightMax });
      const reasons = new Map(
        [...found.leftOut].map(([at, reason]) => [symbols[at]!, reason as WeightReason]),
      );
      return { weights: found.weights, reasons };
    }
  }
}

/** Divides the parts by their sum. A symbol whose part is 0 gets the reason `no_weight`. */
function parts(symbols: readonly number[], values: Float64Array, isScaled = true) {
  const reasons = new Map<number, WeightReason>();
  symbols.forEach((k, at) => {
    if (values[at] === 0) reasons.set(k, 'no_weight');
  });
  const isEmpty = reasons.size === symbols.length;
  return { weights: isEmpty || !isScaled ? values : normalised(values), reasons };
}

function fixedOf(fixed: Readonly<Record<string, number>>, symbol: string): number {
  return Object.hasOwn(fixed, symbol) ? fixed[symbol]! : 0;
}

function positive(value: number): number {
  return value > 0 ? value : 0;
}
