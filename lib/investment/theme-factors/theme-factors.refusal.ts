import { PIVOT_MIN } from '#lib/numerics/cross-section-ridge.ts';
import type { ThemeFactorsRequest } from './theme-factors.request.ts';

/** `observed` is what the data hold of what `needed` says is required; `detail` is written for the caller. */
export type ThemeFactorsRefusal = {
  code:
    | 'taxonomy_unavailable'
    | 'taxonomy_exposure_insufficient'
    | 'market_history_insufficient'
    | 'not_identifiable';
  detail: string;
  observed: number;
  needed: number;
};

/** No taxonomy version was published by the as-of date: 0 of 1. */
export function taxonomyUnavailable({ as_of_date }: ThemeFactorsRequest): ThemeFactorsRefusal {
  const detail = `No taxonomy version was published on or before ${as_of_date}.`;
  return { code: 'taxonomy_unavailable', detail, observed: 0, needed: 1 };
}

/** No symbol with an exposure has the monthly returns it needs; `observed` are the most that any has. */
export function universeEmpty(
  observed: number,
  needed: number,
  request: ThemeFactorsRequest,
): ThemeFactorsRefusal {
  const detail =
    `No symbol with a theme exposure has ${needed} of the ${request.history_months} monthly returns up to ` +
    `${request.as_of_date}; the most that any has is ${observed}.`;
  return { code: 'market_history_insufficient', detail, observed, needed };
}

/** No theme has the symbols it needs; `observed` are the most that any has. */
export function themesTooSmall(observed: number, needed: number): ThemeFactorsRefusal {
  const detail = `No theme has ${needed} symbols with enough market history; the most that any has is ${observed}.`;
  return { code: 'taxonomy_exposure_insufficient', detail, observed, needed };
}

/** Too few months can be estimated. */
export function monthsTooFew(
  observed: number,
  needed: number,
  request: ThemeFactorsRequest,
): ThemeFactorsRefusal {
  const detail =
    `Only ${observed} of the ${request.history_months} months up to ${request.as_of_date} have enough observed ` +
    `symbols to be estimated; ${needed} are needed.`;
  return { code: 'market_history_insufficient', detail, observed, needed };
}

/** The exposures of a month add up to one another; `observed` is the smallest relative pivot of the Cholesky test. */
export function notIdentifiable(
  observed: number,
  month: string,
  request: ThemeFactorsRequest,
): ThemeFactorsRefusal {
  const detail =
    `The theme exposures of ${month} explain one another: with ridge_lambda ${request.ridge_lambda} the smallest ` +
    `relative pivot is ${observed}, and it has to be above ${PIVOT_MIN}. A greater ridge_lambda resolves it.`;
  return { code: 'not_identifiable', detail, observed, needed: PIVOT_MIN };
}
