import type { ConstructionData } from '#lib/investment/construction/construction-data.ts';
import type { ConstructionRunInput } from '#lib/investment/construction/construction-run.schema.ts';
import { portfolio } from '../../../support/portfolio.ts';

const SESSIONS = 41;
const days = Array.from({ length: SESSIONS }, (_, at) =>
  new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
);
export const asOf = days.at(-1)!;

/** The input of a construction of a portfolio with 100 shares of A and of B. */
export const input: ConstructionRunInput = {
  portfolio_uid: 'prt_01K8ZD3V2R6M8Q4T0W5Y7A9C1E',
  portfolio: 'main',
  group: [],
  recorded_until: null,
  events_sha256: '0'.repeat(64),
  as_of: asOf,
  universe: { kind: 'holdings' },
  excluded: [],
  objective: { kind: 'minimum_variance' },
  returns: { kind: 'none' },
  feature: null,
  risk_free: 0,
  benchmark: null,
  risk: { estimator: 'sample', half_life: null, factor_run_uid: null, frequency: 'daily', window: 40 },
  constraints: { cash_min: 0, liquidity: { share_of_volume: 0.2, days: 1 } },
  costs: null,
  tax: null,
  frontier_points: 0,
  cash_added_minor: 0,
};

const series = (valueOf: (at: number) => number | string) =>
  days.map((day, at) => `${day} ${valueOf(at)}`).join(',');
export const event = (reference: string, symbol: string) => [
  'main',
  reference,
  'buy',
  '2020-01-02',
  '',
  symbol,
  '100',
  '10',
  '',
  'USD',
  '0',
  '',
  '',
  '',
  '2020-01-02T00:00:00Z',
];
/** The data of this portfolio. */
export const data = (change: Partial<ConstructionData> = {}): ConstructionData => ({
  group: {
    portfolios: [{ ...portfolio(), taxRegime: 'united_states' }],
    events: [
      [
        'main',
        'R-0',
        'deposit',
        '2020-01-02',
        '',
        '',
        '',
        '',
        '200000',
        'USD',
        '0',
        '',
        '',
        '',
        '2020-01-02T00:00:00Z',
      ],
      event('R-1', 'A'),
      event('R-2', 'B'),
    ]
      .map((each) => each.join('\t'))
      .join('\n'),
    splits: [],
    asOf,
  },
  benchmarkGroup: null,
  listed: null,
  symbols: 2,
  isTooLarge: false,
  instruments: [],
  exposures: [],
  closes: ['A', 'B'].map((symbol) => ({ symbol, on: asOf, price: '10' })),
  prices: [
    { symbol: 'A', observations: series((at) => 10 + (at % 3) / 10) },
    { symbol: 'B', observations: series((at) => 10 + (at % 5) / 2) },
  ],
  volumes: ['A', 'B'].map((symbol) => ({ symbol, observations: series((at) => (at % 2 ? 90 : 110)) })),
  feature: null,
  factorRun: undefined,
  ...change,
});
