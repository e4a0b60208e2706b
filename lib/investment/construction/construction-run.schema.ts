import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Day, Decimal, Minor, Nullable, Sha256, Uid } from '#lib/core/schema.ts';
import { PortfolioTermsSchema } from '../portfolios/portfolio-terms.schema.ts';
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
      'The sealed run of the estimator `factor_run`; null with another estimator.',
    ),
    frequency: Type.Enum(frequency.enum, { description: 'Length of a period.' }),
    window: Type.Integer({ ...window, description: 'Number of past returns.' }),
  },
  { description: 'How the risk is estimated.' },
);

const FeatureValues = Closed(
  {
    version_id: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    revision: Type.Integer({ minimum: 0, description: 'Last revision of its values that counts.' }),
  },
  { description: 'Values of a feature.' },
);

const { risk_free, frontier_points } = ConstructionRequestBody.properties;

export const ConstructionRunInput = Closed(
  {
    portfolio: { ...portfolio, description: 'The key of the portfolio.' },
    portfolios: Type.Array(PortfolioTermsSchema, {
      maxItems: 200,
      description: 'The portfolios of the tax entity and of the wash group, with their terms at submission.',
    }),
    events_until: Nullable(
      Type.String({ description: 'An instant.', examples: ['2026-11-23T15:04:05.123000Z'] }),
      'The time of recording of the last event that the run may read; null without events.',
    ),
    as_of: Day('Date of the holdings, prices and returns.'),
    universe: { ...Universe, description: 'Symbols that the portfolio may hold.' },
    excluded: Type.Array(Symbol, { maxItems: 1000, description: 'Symbols that must not be held.' }),
    objective: { ...Objective, description: 'The objective of the weights.' },
    returns: { ...Returns, description: 'Expected annual returns.' },
    feature: Nullable(FeatureValues, 'The values of the returns of the kind `feature`; otherwise null.'),
    risk_free: Type.Number({ ...risk_free, description: 'Annual risk-free rate, a fraction.' }),
    benchmark: Nullable(
      weightsBySymbol('Weights of the benchmark.'),
      'Weights of the benchmark by symbol; null without a benchmark.',
    ),
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
export const ConstructionOrders = Nullable(
  Closed({
    batch_reference: Type.String({
      description: 'The reference of the batch.',
      examples: ['construct-growth-2020-09-30'],
    }),
    portfolio_uid: Type.String({ description: 'The key of the portfolio.', examples: ['growth'] }),
    orders: Type.Array(
      Closed({
        instrument: Closed({ symbol: Symbol }, { description: 'The instrument.' }),
        side: Type.Enum(['buy', 'sell'], { description: 'Side of the order.' }),
        quantity: Decimal('Shares, above 0.', '40'),
        order_type: Type.Literal('market', { description: 'Always `market`.' }),
        reference_price: Decimal('The close that values the shares.', '38.02'),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
        account_reference: Type.String({ description: 'The key of the portfolio.', examples: ['growth'] }),
        time_in_force: Type.Literal('day', { description: 'Always `day`.' }),
        settlement_date: Day('The second weekday after `as_of`.'),
      }),
      { maxItems: 2000, description: 'One order for each trade, by symbol.' },
    ),
  }),
  'The proposed orders, as a file for `assay batch import`; null without trades. The run itself places no orders.',
);
export type ConstructionOrders = Static<typeof ConstructionOrders>;
