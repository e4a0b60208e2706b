import { MONTHS_MIN } from './simulation-limits.ts';

/** A refusal of a simulation. `detail` is for the caller; `members` are documented members of the problem. */
export type SimulationRefusal = {
  code:
    | 'market_history_insufficient'
    | 'validation_failed'
    | 'portfolio_inconsistent'
    | 'currencies_mixed'
    | 'not_identifiable'
    | 'too_large'
    | 'backtest_ineligible';
  detail: string;
  members: Readonly<Record<string, unknown>>;
};

/** Refuses a member that the schema accepts but that contradicts the data or another member. */
export function unfit(pointer: string, code: string, message: string): SimulationRefusal {
  return {
    code: 'validation_failed',
    detail: `The member ${pointer} ${message}.`,
    members: { errors: [{ pointer, in: 'body', code, message }] },
  };
}

/** Refuses a history with too few months in which every symbol has a return. */
export function historyShort(observed: number, symbols: readonly string[]): SimulationRefusal {
  return {
    code: 'market_history_insufficient',
    detail:
      `Only ${observed} consecutive months have a return of every symbol; a simulation needs at least ${MONTHS_MIN}. ` +
      'Choose an earlier `from`, or leave out the symbols with the shortest history.',
    members: { observed, needed: MONTHS_MIN, symbols },
  };
}

/** Refuses a portfolio in several currencies. */
export function currenciesMixed(currencies: readonly string[]): SimulationRefusal {
  return {
    code: 'currencies_mixed',
    detail: `The portfolio holds ${currencies.join(', ')}. Amounts are never converted, so it must have one currency.`,
    members: { currencies },
  };
}

/** Refuses a portfolio whose positions cannot be derived from its events. */
export function inconsistent(detail: string): SimulationRefusal {
  return { code: 'portfolio_inconsistent', detail, members: {} };
}

/** Refuses a portfolio whose value is not above 0. */
export function valueless(): SimulationRefusal {
  return {
    code: 'not_identifiable',
    detail: 'The value of the positions and the cash of the portfolio is not above 0.',
    members: {},
  };
}

/** Refuses a backtest whose result differs from the sealed result, or that lost everything. */
export function backtestIneligible(reason: 'altered' | 'bankrupt'): SimulationRefusal {
  const why = { altered: 'differs from the one that was sealed', bankrupt: 'loses everything' }[reason];
  return { code: 'backtest_ineligible', detail: `The result of the backtest ${why}.`, members: { reason } };
}
