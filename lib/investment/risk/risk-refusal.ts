import { REPORT_LIMITS, RISK_RUN, type RiskLimits, SHARE_WITHOUT_HISTORY_MAX } from './risk-limits.ts';

/** A refusal with the numbers behind it; `detail` is for the caller. */
export type RiskRefusal = {
  code: 'too_large' | 'currencies_mixed' | 'market_history_insufficient' | 'not_identifiable';
  detail: string;
  members: Record<string, unknown>;
};

/** Refuses a portfolio above the limits and names the run that takes a larger one; undefined within them. */
export function tooLarge(positions: number, days: number, limits: RiskLimits): RiskRefusal | undefined {
  if (positions <= limits.positions && days <= limits.days) return undefined;
  const isRequest = limits.positions < REPORT_LIMITS.positions;
  return {
    code: 'too_large',
    detail:
      `The portfolio has ${positions} positions and ${days} returns. At most ${limits.positions} positions and ` +
      `${limits.days} returns are computed. Use ${isRequest ? `${RISK_RUN}, or ` : ''}a shorter window.`,
    members: {
      positions,
      positions_max: limits.positions,
      days,
      days_max: limits.days,
      ...(isRequest && { run: RISK_RUN }),
    },
  };
}

/** Refuses several currencies, because amounts are never converted. */
export function currenciesMixed(currencies: readonly string[]): RiskRefusal {
  return {
    code: 'currencies_mixed',
    detail:
      `The portfolio holds ${currencies.join(', ')}, and amounts are never converted. ` +
      'Name one of these currencies in `currency`.',
    members: { currencies },
  };
}

/** Refuses because too much of the value has no price history. */
export function historyMissing(share: number, symbols: readonly string[]): RiskRefusal {
  return {
    code: 'market_history_insufficient',
    detail:
      `Positions with ${share} of the value have no price history over the window; at most ` +
      `${SHARE_WITHOUT_HISTORY_MAX} is allowed. The symbols are listed.`,
    members: { observed: 1 - share, needed: 1 - SHARE_WITHOUT_HISTORY_MAX, symbols },
  };
}

/** Refuses because there are too few returns. */
export function historyShort(observed: number, needed: number): RiskRefusal {
  return {
    code: 'market_history_insufficient',
    detail: `The portfolio has ${observed} returns up to the as-of date; ${needed} are needed.`,
    members: { observed, needed, symbols: [] },
  };
}

/** Refuses a portfolio whose weights are not defined. */
export function valueNotPositive(valueMinor: bigint): RiskRefusal {
  return {
    code: 'not_identifiable',
    detail:
      `The positions with a price history and the cash are worth ${valueMinor} minor units. ` +
      'Weights are defined only for a value above 0.',
    members: {},
  };
}
