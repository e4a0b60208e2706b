import { readFileSync } from 'node:fs';
import { type FactorModel, factorModelOf } from '#lib/investment/risk/factor-model.ts';
import { RISK_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import type { RealisedPath } from '#lib/investment/risk/realised-path.ts';
import type { RiskInput, RiskPosition } from '#lib/investment/risk/risk-input.ts';
import { riskOptions, type RiskQuery } from '#lib/investment/risk/risk-request.schema.ts';
import type { ThemeFactorsResult } from '#lib/investment/theme-factors/theme-factors.result.ts';
import { taxonomyHash } from '#lib/data/taxonomy.ts';
import { parseGoldenFile } from '../../../golden/golden-file.ts';
import { sp25Prices, sp25Returns } from '../../../golden/sp25-market.ts';

const golden = new URL('../../../golden/portfolio_sp25.json', import.meta.url).pathname;
const market = sp25Returns(sp25Prices(parseGoldenFile(readFileSync(golden, 'utf8')), golden));
const START = 100;

/** The query that includes all optional parts of the result. */
export const everything: RiskQuery = { include: 'components,backtest,liquidity,factors' };

/** Returns the prices of one stock, which start at 100 and follow the returns of the golden file. */
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
    otherCurrency: null,
    prices: pricesOf(symbol),
    volumes: new Float64Array(21).fill(1_000),
  };
}

/** Returns the input for an equally weighted portfolio of 25 stocks, with prices from 2016 to 2019. */
export function riskCase(query: RiskQuery = {}, given: Partial<RiskInput> = {}): RiskInput {
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
    options: found.options,
    limits: RISK_LIMITS,
    ...given,
  };
}

/** Returns the path of a funded portfolio in one currency whose positions all have prices. */
export function pathOf(values: Float64Array, flows: Float64Array): RealisedPath {
  const none = new Float64Array(values.length);
  return {
    values,
    gross: values,
    flows,
    weightedFlows: flows,
    unpriced: none,
    filled: none,
    lastUnpriced: new Map(),
    currencies: ['USD'],
    symbols: 1,
    isFunded: true,
  };
}

/** Returns a factor model of two stocks and one theme over four months, of which the last is invalid. */
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
