import { type FactorModel, factorModelOf } from '#lib/investment/risk/factor-model.ts';
import { RISK_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import type { RiskInput, RiskPosition } from '#lib/investment/risk/risk-input.ts';
import { type RiskOptions, riskOptions, type RiskQuery } from '#lib/investment/risk/risk-request.schema.ts';
import type { ThemeFactorsResult } from '#lib/investment/theme-factors/theme-factors.result.ts';
import { taxonomyHash } from '#lib/data/taxonomy.ts';
import { sp25Returns } from '../../../golden/sp25-returns.ts';

const market = sp25Returns(new URL('../../../golden/portfolio_sp25.json', import.meta.url).pathname);
const START = 100;

/** The query with all parts. */
export const everything: RiskQuery = { include: 'components,backtest,liquidity,factors' };

/** Prices of one stock of the golden file, from 100. */
export function pricesOf(symbol: string): Float64Array {
  const returns = market.returns.get(symbol)!;
  const prices = new Float64Array(returns.length + 1).fill(START);
  for (const [t, each] of returns.entries()) prices[t + 1] = prices[t]! * (1 + each);
  return prices;
}

export function position(symbol: string, valueMinor: bigint | null = 1_000_000n): RiskPosition {
  return {
    symbol,
    currency: 'USD',
    quantity: 100,
    valueMinor,
    prices: pricesOf(symbol),
    volumes: new Float64Array(21).fill(1_000),
  };
}

/** An equally weighted portfolio of 25 stocks, 2016 to 2019. */
export function riskCase(
  { basis = 'current_holdings', ...query }: RiskQuery & { basis?: RiskOptions['basis'] } = {},
  given: Partial<RiskInput> = {},
): RiskInput {
  const found = riskOptions(query);
  if (!found.ok) throw new Error('the query has faults');
  return {
    portfolio: 'prt_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    asOf: '2019-12-31',
    dates: ['2015-12-31', ...market.dates],
    positions: [...market.returns.keys()].map((symbol) => position(symbol)),
    cash: [],
    realised: null,
    benchmark: null,
    factorModel: null,
    options: { ...found.options, basis },
    limits: RISK_LIMITS,
    ...given,
  };
}

/** A factor model of two stocks and one theme over four months. */
export function smallModel(): { model: FactorModel; result: ThemeFactorsResult } {
  const exposures = [{ theme: 'cloud', symbol: 'AAPL', micro: 500_000 }];
  const result = {
    taxonomy: { version: '1', published_at: '2015-01-01', sha256: taxonomyHash(exposures) },
    symbols: ['AAPL', 'KO'],
    months: [0.01, -0.02, 0.03, null].map((intercept) => (intercept === null ? null : { intercept })),
    factors: [{ theme: 'cloud', returns: [0.02, 0.01, -0.01, null] }],
    specific_risk: [
      { symbol: 'AAPL', shrunk_volatility: 0.05 },
      { symbol: 'KO', shrunk_volatility: 0.03 },
    ],
  } as unknown as ThemeFactorsResult;
  const run = { uid: 'tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC', result_hash: 'a'.repeat(64) };
  return { model: factorModelOf(run, { result, exposures })!, result };
}
