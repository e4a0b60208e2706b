import { ewmaVolatility } from '#lib/numerics/ewma-volatility.ts';
import { deepestDrawdown, drawdownSeries } from '#lib/numerics/risk/drawdown-series.ts';
import { fitsTheWire } from '#lib/core/money.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { prepareRisk } from './prepared-risk.ts';
import type { RiskInput } from './risk-input.ts';
import { DECAY, FREQUENCIES } from './risk-limits.ts';
import type { RiskSummaryRow } from './risk-result.schema.ts';
import { tailRisk } from './tail-risk.ts';

/**
 * Returns the row of a portfolio in the list of GET /investment/risk. A refused portfolio also has a row: its
 * figures are null, and `why` is the code of the refusal.
 */
export function riskSummary(input: RiskInput): RiskSummaryRow {
  const found = prepareRisk({ ...input, options: { ...input.options, include: [] } });
  const about = { portfolio: input.portfolio, as_of: input.asOf };
  if (!found.ok) return { ...about, ...withoutFigures, why: found.refusal.code };
  const { returns, valueMinor, coverage, currency } = found.prepared;
  const { periodsPerYear } = FREQUENCIES[input.options.frequency];
  return {
    ...about,
    currency,
    value_minor: fitsTheWire(valueMinor) ? Number(valueMinor) : null,
    volatility: annualVolatility(returns, periodsPerYear),
    ewma_volatility: ewmaVolatility(returns, DECAY) * Math.sqrt(periodsPerYear),
    tail: tailRisk(returns, input.options.levels, valueMinor).map(({ level, var: valueAtRisk, es }) => ({
      level,
      var_historical_type7: valueAtRisk.historical_type7,
      es_rockafellar_uryasev: es.rockafellar_uryasev,
    })),
    maximum_drawdown: deepestDrawdown(drawdownSeries(returns)),
    observations: returns.length,
    value_share_without_history: coverage.shareWithout,
    why: null,
  };
}

/** The figures of a portfolio that is refused. */
export const withoutFigures = {
  currency: null,
  value_minor: null,
  volatility: null,
  ewma_volatility: null,
  tail: [],
  maximum_drawdown: null,
  observations: null,
  value_share_without_history: null,
};
