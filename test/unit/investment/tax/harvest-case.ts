import type { LastClose } from '#lib/investment/portfolios/close.query.ts';
import type { GroupTerms } from '#lib/investment/portfolios/portfolio-terms.ts';
import type { TaxHarvestInput } from '#lib/investment/tax/tax-harvest.schema.ts';
import type { TaxHarvestData } from '#lib/investment/tax/tax-harvest.ts';
import type { FactorRun } from '#lib/investment/theme-factors/factor-run.query.ts';
import { type ThemeExposure, taxonomyHash } from '#lib/data/taxonomy.ts';

export const asOf = '2024-06-28';

const terms: GroupTerms = {
  portfolio: 'main',
  baseCurrency: 'USD',
  accountKind: 'taxable',
  lotRelief: 'fifo',
  taxRegime: 'united_states',
  taxEntity: 'owner',
  washGroup: 'owner',
};

const symbols = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];
const exposures: ThemeExposure[] = [
  { theme: 'cloud', symbol: 'AAA', micro: 900_000 },
  { theme: 'cloud', symbol: 'CCC', micro: 800_000 },
  { theme: 'cloud', symbol: 'DDD', micro: 100_000 },
];

/** Returns `months` invented returns of a symbol or factor, the same for the same number. */
export function returnsOf(number: number, months = 36): number[] {
  return Array.from({ length: months }, (_, t) => (((t * 37 + number * 101) % 41) - 20) / 400);
}

/** A sealed factor run of the symbols AAA to EEE with the factors market and cloud. */
export const factorRun = {
  run: { uid: 'tfr_01K8ZD3V2R6M8Q4T0W5Y7A9C1E', result_hash: 'a'.repeat(64) },
  result: {
    request: { as_of_date: '2024-05-31' },
    taxonomy: { version: '1', published_at: '2015-01-01', sha256: taxonomyHash(exposures) },
    symbols,
    months: returnsOf(1).map((intercept) => ({ intercept })),
    factors: [{ theme: 'cloud', returns: returnsOf(2) }],
    specific_risk: symbols.map((symbol, at) => ({ symbol, shrunk_volatility: 0.02 + at / 100 })),
  },
  exposures,
} as unknown as FactorRun;

/** Two losing lots and a lot at a gain, of which a purchase in another account replaces some shares. */
const events = [
  'main\tR-1\tbuy\t2024-01-10\t\tAAA\t100\t60\t\tUSD\t495\t\t\t\t2024-01-10T12:00:00.000Z',
  'main\tR-2\tbuy\t2023-03-10\t\tBBB\t50\t80\t\tUSD\t0\t\t\t\t2023-03-10T12:00:00.000Z',
  'main\tR-3\tbuy\t2023-03-10\t\tEEE\t10\t10\t\tUSD\t0\t\t\t\t2023-03-10T12:00:00.000Z',
  'ira\tR-4\tbuy\t2024-06-18\t\tAAA\t30\t50\t\tUSD\t0\t\t\t\t2024-06-18T12:00:00.000Z',
].join('\n');

export const closes: LastClose[] = [
  { symbol: 'AAA', on: asOf, price: '45' },
  { symbol: 'BBB', on: asOf, price: '70.25' },
  { symbol: 'EEE', on: asOf, price: '12' },
];

/** Returns the data of a harvest, without the members that version 1 of the model does not have. */
export function harvestData() {
  return {
    group: {
      portfolios: [terms, { ...terms, portfolio: 'ira', accountKind: 'tax_exempt' as const }],
      events,
      splits: [],
      asOf,
    },
    closes,
    factorRun,
    returns: Object.fromEntries(symbols.map((symbol, at) => [symbol, returnsOf(at + 3)])),
  } satisfies Partial<TaxHarvestData>;
}

/** Returns the input of a harvest. `replacements` has the form of the version of the model. */
export function harvestInput(given: Partial<TaxHarvestInput>): TaxHarvestInput {
  return {
    portfolio_uid: 'prt_01K8ZD3V2R6M8Q4T0W5Y7A9C1E',
    portfolio: 'main',
    group: [],
    recorded_until: null,
    events_sha256: 'b'.repeat(64),
    as_of: asOf,
    rates: { short_bps: 3700, long_bps: 2000, ordinary_bps: 3700 },
    ordinary_limit_minor: 300_000,
    realised: null,
    carried_in: { short_minor: 0, long_minor: 0 },
    policy: 'allow',
    minimum_loss_minor: 0,
    minimum_loss_bps: 0,
    minimum_net_minor: 1,
    cost_bps: 10,
    identical: [['AAA', 'DDD']],
    outside_purchases: [],
    planned_purchases: [],
    horizon: 'now',
    replacements: { from: 'factor_run', most: 3 },
    factor_run_uid: factorRun.run.uid,
    ...given,
  };
}
