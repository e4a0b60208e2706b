import type { Exposure, Unmapped } from './exposure-mapping.ts';
import { grossOf } from './prepared-scenarios.ts';
import type { ScenarioHolding } from './scenario-input.ts';

const KINDS = ['identity', 'beta', 'given', 'unmapped'] as const;

/** Returns the table of the positions with their exposures, in the order of the positions. */
export function mappedTable(
  holdings: readonly ScenarioHolding[],
  exposures: readonly (Exposure | Unmapped)[],
  factors: readonly string[],
) {
  return holdings.map(({ symbol }, at) => {
    const exposure = exposures[at]!;
    if (exposure.kind === 'unmapped')
      return {
        symbol,
        mapping: exposure.kind,
        why: exposure.why,
        betas: [],
        r_squared: null,
        months: null,
        specific_volatility: null,
      };
    const { kind, places, betas, rSquared, months, deviation } = exposure;
    return {
      symbol,
      mapping: kind,
      why: null,
      betas: Array.from(places, (place, k) => ({ factor: factors[place]!, beta: betas[k]! })),
      r_squared: rSquared,
      months,
      specific_volatility: deviation,
    };
  });
}

/** Returns the share of the gross value by kind of mapping; 0 for a portfolio without value. */
export function mappingShares(
  holdings: readonly ScenarioHolding[],
  exposures: readonly (Exposure | Unmapped)[],
) {
  const gross = grossOf(holdings);
  return KINDS.map((mapping) => {
    const own = holdings.filter((_, at) => exposures[at]!.kind === mapping);
    return { mapping, positions: own.length, value_share: gross === 0 ? 0 : grossOf(own) / gross };
  });
}
