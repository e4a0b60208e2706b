import { PIVOT_MIN } from '#lib/numerics/cross-section-ridge.ts';
import type { ThemeFactorsRequest } from './theme-factors.request.ts';

/**
 * A refusal. `observed` is the amount found in the data, `needed` is the amount required, and `detail` is the reason
 * for the caller.
 */
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

/** Returns the refusal for an as-of date by which no taxonomy version was published: 0 observed, 1 needed. */
export function taxonomyUnavailable({ as_of_date }: ThemeFactorsRequest): ThemeFactorsRefusal {
  const detail = `No taxonomy version was published on or before ${as_of_date}.`;
  return { code: 'taxonomy_unavailable', detail, observed: 0, needed: 1 };
}

/**
 * Returns the refusal for an empty universe: no symbol with an exposure has enough monthly returns. `observed` is the
 * largest number of returns of any symbol.
 */
export function universeEmpty(
  observed: number,
  needed: number,
  request: ThemeFactorsRequest,
): ThemeFactorsRefusal {
  const detail =
    `No symbol with a theme exposure has at least ${needed} of the ${request.history_months} monthly returns up to ` +
    `${request.as_of_date}. The largest number that any symbol has is ${observed}.`;
  return { code: 'market_history_insufficient', detail, observed, needed };
}

/**
 * Returns the refusal for themes that are too small: no theme has enough symbols. `observed` is the largest number of
 * symbols of any theme.
 */
export function themesTooSmall(observed: number, needed: number): ThemeFactorsRefusal {
  const detail = `No theme has ${needed} symbols with enough market history. The largest number that any theme has is ${observed}.`;
  return { code: 'taxonomy_exposure_insufficient', detail, observed, needed };
}

/** Returns the refusal for a history in which too few months can be estimated. */
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

/**
 * Returns the refusal for a month in which the exposures to the themes are linearly dependent. `observed` is the
 * smallest relative pivot of the Cholesky test.
 */
export function notIdentifiable(
  observed: number,
  month: string,
  request: ThemeFactorsRequest,
): ThemeFactorsRefusal {
  const detail =
    `The theme exposures of ${month} are linearly dependent. With ridge_lambda ${request.ridge_lambda}, the smallest ` +
    `relative pivot is ${observed}; it must be above ${PIVOT_MIN}. Use a larger ridge_lambda.`;
  return { code: 'not_identifiable', detail, observed, needed: PIVOT_MIN };
}
