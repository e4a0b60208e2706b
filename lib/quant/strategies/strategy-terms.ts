import { minorDigits } from '#lib/core/money.ts';
import type { Terms } from '#lib/numerics/backtesting/terms.ts';
import type { RateValue } from './strategy-data.ts';
import { SESSIONS_PER_YEAR } from './strategy-decision.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

const BASIS_POINTS = 10_000;
const PERCENT = 100;

/** Returns the terms of a backtest over sessions. Amounts are units of the currency, and rates are fractions. */
export function strategyTerms(
  { cash, constraints, schedule, execution, costs, frequency }: ResolvedStrategy,
  sessions: readonly string[],
  rates: readonly RateValue[],
): Terms {
  const sessionsPerYear = SESSIONS_PER_YEAR[frequency];
  const initial = cash.initial_minor / minorUnitsOf(cash.currency);
  return {
    initial,
    cashMin: constraints.cash_min,
    creditMax: cash.credit_max * initial,
    cashRate: cashRates(cash.rate, sessions, rates).map((annual) => annual / sessionsPerYear),
    lag: schedule.lag,
    wholeShares: execution.whole_shares,
    sizeAtDecision: execution.size_at === 'decision',
    participationMax: execution.participation_max,
    proportional: costs.proportional_bps / BASIS_POINTS,
    halfSpread: costs.half_spread_bps / BASIS_POINTS,
    perShare: costs.per_share,
    minimum: costs.minimum,
    impact: costs.impact.kind === 'none' ? 0 : costs.impact.y,
    buyTax: costs.buy_tax_bps / BASIS_POINTS,
    dividendWithholding: costs.dividend_withholding_bps / BASIS_POINTS,
    borrow: costs.borrow_bps / BASIS_POINTS,
    sessionsPerYear,
  };
}

/** Returns the minor units of one unit of a currency, such as 100 for USD. */
export function minorUnitsOf(currency: string): number {
  let units = 1;
  for (let digit = minorDigits(currency) ?? 0; digit > 0; digit -= 1) units *= 10;
  return units;
}

/**
 * Returns the annual interest rate of each session: the stated number, or the last value of the series that
 * was known at the end of the previous session. Before the first value the rate is 0.
 */
function cashRates(
  rate: number | string,
  sessions: readonly string[],
  values: readonly RateValue[],
): Float64Array {
  if (typeof rate === 'number') return new Float64Array(sessions.length).fill(rate);
  const known = values.toSorted((one, other) =>
    one.knownOn < other.knownOn ? -1 : one.knownOn > other.knownOn ? 1 : 0,
  );
  let next = 0;
  let current = { observedOn: '', value: 0 };
  return Float64Array.from(sessions, (_, t) => {
    const before = sessions[t - 1] ?? '';
    for (; next < known.length && known[next]!.knownOn <= before; next += 1)
      if (known[next]!.observedOn >= current.observedOn) current = known[next]!;
    return current.value / PERCENT;
  });
}
