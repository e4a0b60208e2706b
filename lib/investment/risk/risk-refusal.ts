import {
  EQUITY_SHARE_MIN,
  REPORT_LIMITS,
  RISK_RUN,
  type RiskLimits,
  SHARE_WITHOUT_HISTORY_MAX,
} from './risk-limits.ts';

/** A refusal with the numbers that explain it. `detail` is the text for the caller. */
export type RiskRefusal = {
  code: 'too_large' | 'currencies_mixed' | 'market_history_insufficient' | 'not_identifiable';
  detail: string;
  members: Record<string, unknown>;
};

/**
 * Returns the refusal of a portfolio above the limits. The refusal names the run for larger portfolios. Returns
 * undefined if the portfolio is within the limits.
 */
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

/** Returns the refusal of several currencies, because amounts are never converted. */
export function currenciesMixed(currencies: readonly string[]): RiskRefusal {
  return {
    code: 'currencies_mixed',
    detail:
      `The portfolio holds ${currencies.join(', ')}. Amounts are never converted, so a request covers one currency. ` +
      'Name one of these currencies in `currency`.',
    members: { currencies },
  };
}

/** Returns the refusal if positions with too large a share of the value have no price history. */
export function historyMissing(share: number, symbols: readonly string[]): RiskRefusal {
  return {
    code: 'market_history_insufficient',
    detail:
      `Positions with ${share} of the value have no price history over the window; at most ` +
      `${SHARE_WITHOUT_HISTORY_MAX} is allowed. \`symbols\` lists these positions.`,
    members: { observed: 1 - share, needed: 1 - SHARE_WITHOUT_HISTORY_MAX, symbols },
  };
}

/** Returns the refusal if there are too few returns. */
export function historyShort(observed: number, needed: number): RiskRefusal {
  return {
    code: 'market_history_insufficient',
    detail: `The portfolio has ${observed} returns up to the as-of date; ${needed} are needed.`,
    members: { observed, needed, symbols: [] },
  };
}

/** Returns the refusal of a portfolio whose value is not above 0, because its weights are not defined. */
export function valueNotPositive(valueMinor: bigint): RiskRefusal {
  return {
    code: 'not_identifiable',
    detail:
      `The positions with a price history and the cash are worth ${valueMinor} minor units. ` +
      'Weights are defined only for a value above 0.',
    members: {},
  };
}

/** Returns the refusal of realised returns of a portfolio without a recorded investment. */
export function unfunded(): RiskRefusal {
  return {
    code: 'not_identifiable',
    detail:
      'The events of the portfolio contain no deposit and no transfer of shares into it, so the invested amount is ' +
      'unknown. Import these events, or use the basis `current_holdings`.',
    members: {},
  };
}

/** Returns the refusal of realised returns if the value at the start of a period is too small. */
export function periodUnfunded(date: string, valueMinor: number): RiskRefusal {
  return {
    code: 'not_identifiable',
    detail:
      `The period that ends on ${date} begins with a value of ${Math.round(valueMinor)} minor units, including its cash flows. ` +
      `Realised returns need a value that is above 0 and at least ${EQUITY_SHARE_MIN} times the value of the positions. ` +
      'Import the missing deposits, use a shorter window, or use the basis `current_holdings`.',
    members: { date, value_minor: Math.round(valueMinor) },
  };
}
