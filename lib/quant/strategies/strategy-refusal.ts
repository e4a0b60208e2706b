/** A refusal of a strategy with its data. `members` are documented members of the problem. */
export type StrategyRefusal = {
  code:
    | 'universe_empty'
    | 'look_ahead'
    | 'market_history_insufficient'
    | 'currencies_mixed'
    | 'backtest_too_large';
  detail: string;
  members: Readonly<Record<string, unknown>>;
};

/** A property of the data or the strategy that weakens the result. */
export type StrategyWarning = { code: string; detail: string; symbols: string[] };

/** The largest number of symbols that a refusal or a warning names. */
export const SYMBOLS_NAMED = 20;
