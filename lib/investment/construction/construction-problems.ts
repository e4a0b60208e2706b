/** The problems of runs that compute weights from the events of a portfolio and the returns of a market. */
export const constructionProblems = [
  'portfolio_inconsistent',
  'constraints_infeasible',
  'no_excess_return',
  'returns_required',
  'not_identifiable',
  'currencies_mixed',
  'too_large',
  'validation_failed',
  'factor_run_ineligible',
  'market_history_insufficient',
] as const;
