/** The measures by which a search compares trials. All are better if they are larger. */
export const searchMetrics = [
  'sharpe',
  'sortino',
  'calmar',
  'annual_return',
  'information_ratio',
  'minus_max_drawdown',
  'minus_volatility',
] as const;
export type SearchMetric = (typeof searchMetrics)[number];
