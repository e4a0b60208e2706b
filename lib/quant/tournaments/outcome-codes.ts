import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';

/** Reasons why an entry has no loss at an origin. */
export const failureReasons = ['not_applicable', 'not_finite', 'no_spread'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Reasons why a strategy has no loss: the refusals of its simulation, and returns without a Sharpe ratio. */
export const strategyFailureReasons = [
  'universe_empty',
  'look_ahead',
  'market_history_insufficient',
  'currencies_mixed',
  'backtest_too_large',
  'bankrupt',
  'constant_returns',
] as const satisfies readonly (StrategyRefusal['code'] | 'bankrupt' | 'constant_returns')[];
export type StrategyFailureReason = (typeof strategyFailureReasons)[number];

/** Kinds of observations that losses are compared on. */
export const observationKinds = ['origin', 'period', 'series'] as const;
export type ObservationKind = (typeof observationKinds)[number];
