import type { Fault } from '#lib/core/problem.ts';
import { SCENARIO_LIMITS } from './scenario-limits.ts';

/** A refusal with the numbers that explain it. `detail` is the text for the caller. */
export type PortfolioScenarioRefusal = {
  code:
    | 'samples_altered'
    | 'exposure_unmapped'
    | 'exposure_invalid'
    | 'currencies_mixed'
    | 'market_history_insufficient'
    | 'too_large';
  detail: string;
  members: Record<string, unknown>;
  /** The faults of the body. Only for `exposure_invalid`, which callers receive as `validation_failed`. */
  errors?: Fault[];
};

/** Returns the refusal of samples that differ from the samples that the run sealed. */
export function samplesAltered(expected: string, actual: string): PortfolioScenarioRefusal {
  return {
    code: 'samples_altered',
    detail: `The samples of the run have the hash ${actual}, but the run sealed the hash ${expected}.`,
    members: { expected, actual },
  };
}

/** Returns the refusal if positions without an exposure have too large a share of the value. */
export function exposureUnmapped(
  share: number,
  { most, symbols }: { most: number; symbols: readonly string[] },
): PortfolioScenarioRefusal {
  return {
    code: 'exposure_unmapped',
    detail:
      `Positions with ${share} of the gross value have no exposure to the factors of the run; ` +
      `\`unmapped_max\` allows ${most}. Give their exposures, use a longer window, or raise \`unmapped_max\`.`,
    members: { share, symbols },
  };
}

/** Returns the refusal of exposures in the body that do not match the run. */
export function exposureInvalid(errors: Fault[]): PortfolioScenarioRefusal {
  return {
    code: 'exposure_invalid',
    detail: 'The exposures of the mapping are not valid.',
    members: {},
    errors,
  };
}

/** Returns the refusal of several currencies, because amounts are never converted. */
export function currenciesMixed(currencies: readonly string[]): PortfolioScenarioRefusal {
  return {
    code: 'currencies_mixed',
    detail: `The portfolio holds ${currencies.join(', ')}. Amounts are never converted, so the portfolio must have one currency.`,
    members: { currencies },
  };
}

/** Returns the refusal if the factors have too few months to estimate betas. */
export function monthsTooFew(observed: number, needed: number): PortfolioScenarioRefusal {
  return {
    code: 'market_history_insufficient',
    detail: `The factors have ${observed} months of returns up to the as-of date; an estimate of the betas needs ${needed}.`,
    members: { observed, needed, symbols: [] },
  };
}

/** Returns the refusal if too many positions have no price. */
export function pricesMissing(
  priceless: readonly { symbol: string; otherCurrency: string | null }[],
  positions: number,
): PortfolioScenarioRefusal {
  const symbols = priceless.map(({ symbol }) => symbol);
  const others = priceless.filter(({ otherCurrency }) => otherCurrency !== null).length;
  const reason = others > 0 ? ` The closes of ${others} of them are in another currency than the lots.` : '';
  return {
    code: 'market_history_insufficient',
    detail: `${symbols.length} of ${positions} positions have no price at the as-of date. \`symbols\` lists them.${reason}`,
    members: { observed: positions - symbols.length, needed: positions, symbols },
  };
}

/** Returns the refusal of a run above the limits. */
export function tooLarge(positions: number, cells: number): PortfolioScenarioRefusal {
  return {
    code: 'too_large',
    detail:
      `The run has ${positions} positions and ${cells} cells (samples x months x positions). At most ` +
      `${SCENARIO_LIMITS.positions} positions and ${SCENARIO_LIMITS.cells} cells are computed.`,
    members: {
      positions,
      positions_max: SCENARIO_LIMITS.positions,
      cells,
      cells_max: SCENARIO_LIMITS.cells,
    },
  };
}
