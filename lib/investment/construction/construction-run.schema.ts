import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Day, Minor, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { OrderFileSchema } from '../portfolios/order-file.schema.ts';
import { PinnedBenchmark, pinnedPortfolio } from '../portfolios/pinned-portfolio.schema.ts';
import { Constraints } from './construction-constraints.schema.ts';
import { Costs, Tax } from './construction-costs.schema.ts';
import { Symbol, weightsBySymbol } from './construction-members.schema.ts';
import { Objective, Returns } from './construction-objective.schema.ts';
import { ConstructionRequestBody, Risk, Universe } from './construction.schema.ts';

const portfolio = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The uid or the key of the portfolio.',
  examples: ['growth'],
});

/** Path and body of a request. */
export const ConstructionRequest = Closed({ portfolio, ...ConstructionRequestBody.properties });
export type ConstructionRequest = Static<typeof ConstructionRequest>;

const { estimator, half_life, frequency, window } = Risk.properties;

const SealedRisk = Closed(
  {
    estimator: Type.Enum(estimator.enum, { description: 'Estimator of the covariance matrix.' }),
    half_life: Nullable(
      Type.Number({ ...half_life, description: 'Half-life in periods.' }),
      'Half-life of the estimator `ewma` in periods; null with another estimator.',
    ),
    factor_run_uid: Nullable(
      Uid(prefixes.themeFactorRun, 'A theme factor run.'),
      'The sealed theme factor run for the estimator `factor_run`; null with another estimator.',
    ),
    frequency: Type.Enum(frequency.enum, { description: 'Length of a period.' }),
    window: Type.Integer({ ...window, description: 'Number of past returns.' }),
  },
  { description: 'Settings of the risk estimate.' },
);

const FeatureValues = Closed(
  {
    version_id: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    revision: Type.Integer({
      minimum: 0,
      description: 'Newest revision of the values that the run may read.',
    }),
  },
  { description: 'A feature version and the revision of its values.' },
);

const { risk_free, frontier_points } = ConstructionRequestBody.properties;

export const ConstructionRunInput = Closed(
  {
    ...pinnedPortfolio,
    as_of: Day('Date of the holdings, prices and returns.'),
    universe: { ...Universe, description: 'Symbols that the portfolio may hold.' },
    excluded: Type.Array(Symbol, { maxItems: 1000, description: 'Symbols that must not be held.' }),
    objective: { ...Objective, description: 'The objective of the optimisation.' },
    returns: { ...Returns, description: 'Source of the expected annual returns.' },
    feature: Nullable(
      FeatureValues,
      'The feature version that returns of the kind `feature` are read from; null for other kinds.',
    ),
    risk_free: Type.Number({ ...risk_free, description: 'Annual risk-free rate, a fraction.' }),
    benchmark: Nullable(
      weightsBySymbol('Weights of the benchmark.'),
      'Weights of the benchmark by symbol. Null without a benchmark, and if the benchmark is a portfolio.',
    ),
    benchmark_portfolio: Type.Optional(PinnedBenchmark),
    risk: SealedRisk,
    constraints: Constraints,
    costs: Nullable(Costs, 'Costs of the trades; null without costs.'),
    tax: Nullable(Tax, 'Taxes on the lots that are sold; null without taxes.'),
    frontier_points: Type.Integer({ ...frontier_points, description: 'Number of points of the frontier.' }),
    cash_added_minor: Minor('Cash that is added before the purchases, in minor units.'),
  },
  {
    title: 'ConstructionInput',
    description: 'The request with every default filled in, and the data that it may read.',
  },
);
export type ConstructionRunInput = Static<typeof ConstructionRunInput>;

export const ConstructionHashes = Closed(
  { events_sha256: Sha256, market_sha256: Sha256 },
  { description: 'Hashes of the events and of the market data that the run read.' },
);

/** A file for `assay batch import`. */
export const ConstructionOrders = OrderFileSchema({
  symbol: Symbol,
  side: Type.Enum(['buy', 'sell'], { description: 'Side of the order.' }),
  quantity: 'Shares, above 0.',
  batch: 'construct-growth-2020-09-30',
  portfolio: 'growth',
  orders: 'One order for each trade, by symbol.',
  none: 'without trades',
});
export type ConstructionOrders = Static<typeof ConstructionOrders>;
