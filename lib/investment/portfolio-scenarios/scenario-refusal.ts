import type { Fault } from '#lib/core/problem.ts';
import { SCENARIO_LIMITS } from './scenario-limits.ts';

/** A refusal with the numbers behind it; `detail` is for the caller. */
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
  /** For `exposure_invalid`, which is answered as `validation_failed`: the faults of the body. */
  errors?: Fault[];
};

/** Refuses samples that are not those that the run sealed. */
export function samplesAltered(expected: string, actual: string): PortfolioScenarioRefusal {
  return {
    code: 'samples_altered',
    detail: `The samples of the run have the hash ${actual}; the run sealed ${expected}.`,
    members: { expected, actual },
  };
}

/** Refuses because positions with too much of the value have no exposure to the factors. */
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

/** Refuses exposures of the body that do not fit the run. */
export function exposureInvalid(errors: Fault[]): PortfolioScenarioRefusal {
  return {
    code: 'exposure_invalid',
    detail: 'The exposures of the mapping are not valid.',
    members: {},
    errors,
  };
}

/** Refuses several currencies, because amounts are never converted. */
export function currenciesMixed(currencies: readonly string[]): PortfolioScenarioRefusal {
  return {
    code: 'currencies_mixed',
    detail: `The portfolio holds ${currencies.join(', ')}, and amounts are never converted.`,
    members: { currencies },
  };
}

/** Refuses because the factors have too few months for betas. */
export function monthsTooFew(observed: number, needed: number): PortfolioScenarioRefusal {
  return {
    code: 'market_history_insufficient',
    detail: `The factors have ${observed} months of returns up to the as-of date; betas need ${needed}.`,
    members: { observed, needed, symbols: [] },
  };
}

/** Refuses because too many positions have no price. */
export function pricesMissing(symbols: readonly string[], positions: number): PortfolioScenarioRefusal {
  return {
    code: 'market_history_insufficient',
    detail: `${symbols.length} of ${positions} positions have no price at the as-of date. The symbols are listed.`,
    members: { observed: positions - symbols.length, needed: positions, symbols },
  };
}

/** Refuses a run above the limits. */
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
