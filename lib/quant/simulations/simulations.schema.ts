import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Line, Nullable } from '#lib/core/schema.ts';
import { pinnedPortfolio } from '#lib/investment/portfolios/pinned-portfolio.schema.ts';
import { PortfolioName } from '#lib/investment/risk/risk-request.schema.ts';
import { Assets } from './asset.schema.ts';
import { Inflation } from './inflation.schema.ts';
import {
  ASSETS_MAX,
  FLOWS_MAX,
  GLIDE_MAX,
  GOALS_MAX,
  HORIZON,
  INITIAL_DEFAULT_MINOR,
  PATHS,
} from './simulation-limits.ts';
import { RequestedSource, ResolvedSource } from './simulation-source.schema.ts';

const Month = (description: string) =>
  Type.Integer({ minimum: 1, maximum: HORIZON.max, description, examples: [1] });
const Weights = Type.Array(
  Type.Number({ minimum: 0, maximum: 1, description: 'Weight of an asset.', examples: [0.6] }),
  {
    minItems: 1,
    maxItems: ASSETS_MAX,
    description: 'Weights in the order of the assets. They sum to 1.',
    examples: [[0.6, 0.4]],
  },
);
const GlidePoint = Closed(
  {
    month: Month('Month at whose start the weights become the target; the first month is 1.'),
    weights: Weights,
  },
  { title: 'GlidePoint', description: 'Target weights at the start of a month.' },
);
const Rebalance = Type.Enum(['never', 'monthly', 'yearly', 'band'], {
  default: 'monthly',
  description:
    'When weights are set to their targets: never after the start, every month, every twelfth month, or when a weight leaves its band.',
});
const Band = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description: 'Largest difference between a weight and its target. Used by `band` only. Default: 0.05.',
  examples: [0.05],
});
const AMOUNT_MAX = 1_000_000_000_000_000;
const Amount = (description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: AMOUNT_MAX, description, examples: [50_000] });
const span = {
  from: Month('First month of the flow.'),
  to: Month('Last month of the flow.'),
};
const Indexed = Type.Boolean({
  default: false,
  description: 'Whether the amount is in prices of the start, and grows with inflation.',
});
const flowMembers = {
  ...span,
  amount_minor: Amount(
    'Amount at the start of each month, in minor units: above 0 is paid in, below 0 is withdrawn.',
    -AMOUNT_MAX,
  ),
};
const goalMembers = {
  name: Line(80, 'Name of the goal, unique in the request.', 'Retirement'),
  at: Month('Month at whose end the wealth is compared.'),
  amount_minor: Amount('Wealth to reach, in minor units.', 1),
};
const Real = Type.Boolean({
  default: false,
  description: 'Whether the amount is in prices of the start, and grows with inflation.',
});
const Solve = Type.Number({
  minimum: 0.5,
  maximum: 0.999,
  description: 'Share of the paths that must pay every withdrawal.',
  examples: [0.95],
});
const Horizon = Type.Integer({
  minimum: HORIZON.min,
  maximum: HORIZON.max,
  description: 'Number of months.',
  examples: [120],
});
const Paths = Type.Integer({
  minimum: PATHS.min,
  maximum: PATHS.max,
  default: PATHS.default,
  description: 'Number of paths. Paths times months times assets must be at most 12,000,000,000.',
  examples: [10_000],
});
const Seed = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Random seed. The same seed, request and data give a bit-identical result.',
  examples: [42],
});
const Fees = Type.Number({
  minimum: 0,
  maximum: 1_000,
  default: 0,
  description: 'Annual fee in basis points of the wealth. A twelfth is taken at the end of each month.',
  examples: [50],
});
const Initial = Amount('Wealth before the first month, in minor units.', 1);
const Antithetic = Type.Boolean({
  default: false,
  description:
    'Whether paths are drawn in antithetic pairs, whose normal draws have opposite signs. This reduces the standard error of means. Only for parametric sources and an even number of paths.',
});

export const SimulationRequest = Closed(
  {
    source: RequestedSource,
    initial_minor: Type.Optional({
      ...Initial,
      description: `Wealth before the first month, in minor units. Default: the value of the portfolio that the request names, otherwise ${INITIAL_DEFAULT_MINOR}.`,
    }),
    weights: Type.Optional({
      ...Weights,
      description: 'Weights in the order of the assets. They sum to 1. Default: equal weights.',
    }),
    glide: Type.Optional(
      Type.Array(GlidePoint, {
        minItems: 1,
        maxItems: GLIDE_MAX,
        description:
          'Target weights by month, ascending from month 1, instead of `weights`. Between two months, targets are interpolated linearly.',
      }),
    ),
    portfolio: Type.Optional({
      ...PortfolioName,
      description:
        'Uid or key of a portfolio whose positions give the weights, instead of `weights`. Each position is an asset of the source. Cash is divided among the assets in proportion to the positions.',
    }),
    as_of: Type.Optional({
      ...IsoDate,
      description:
        'Day of the positions of `portfolio`. Only values of the index of `inflation` known by the end of this day are used. Default: the last day of a history, otherwise today (UTC).',
    }),
    rebalance: Type.Optional(Rebalance),
    band: Type.Optional(Band),
    horizon: Horizon,
    paths: Type.Optional(Paths),
    flows: Type.Optional(
      Type.Array(
        Closed(
          { ...flowMembers, indexed: Type.Optional(Indexed) },
          { title: 'SimulationFlow', description: 'An amount that is paid in or withdrawn every month.' },
        ),
        { maxItems: FLOWS_MAX, description: 'Payments and withdrawals. Flows of the same month are added.' },
      ),
    ),
    inflation: Type.Optional(Inflation),
    fees_bps: Type.Optional(Fees),
    goals: Type.Optional(
      Type.Array(
        Closed(
          { ...goalMembers, real: Type.Optional(Real) },
          { title: 'SimulationGoal', description: 'A wealth to reach by the end of a month.' },
        ),
        { maxItems: GOALS_MAX, description: 'Goals.' },
      ),
    ),
    withdrawal: Type.Optional(
      Closed(
        {
          solve: Solve,
          from: Type.Optional({ ...span.from, default: 1 }),
          to: Type.Optional({ ...span.to, description: 'Last month of the flow. Default: the horizon.' }),
          indexed: Type.Optional({ ...Indexed, default: true }),
        },
        {
          title: 'WithdrawalToSolve',
          description:
            'Asks for the largest monthly withdrawal, in addition to the flows, that the share `solve` of the paths can pay.',
        },
      ),
    ),
    antithetic: Type.Optional(Antithetic),
    seed: Type.Optional({ ...Seed, description: 'Random seed. Default: a seed is drawn and returned.' }),
  },
  {
    title: 'SimulationRequest',
    description: 'A portfolio, its flows and goals, and the source of its returns.',
    examples: [
      {
        source: {
          kind: 'parametric',
          assets: ['shares', 'bonds'],
          means: [0.006, 0.002],
          covariance: [
            [0.0025, 0.0003],
            [0.0003, 0.0004],
          ],
        },
        initial_minor: 50_000_000,
        weights: [0.6, 0.4],
        rebalance: 'yearly',
        horizon: 120,
        paths: 10_000,
        flows: [{ from: 1, to: 120, amount_minor: -200_000, indexed: true }],
        inflation: 0.02,
        fees_bps: 50,
        goals: [{ name: 'Keep half', at: 120, amount_minor: 25_000_000, real: true }],
        withdrawal: { solve: 0.95 },
        seed: 42,
      },
    ],
  },
);
export type SimulationRequest = Static<typeof SimulationRequest>;

export const SimulationInput = Closed(
  {
    source: ResolvedSource,
    assets: Assets('Assets, in the order of the weights.'),
    initial_minor: Nullable(
      Initial,
      'Wealth before the first month, in minor units; null for the value of the portfolio.',
    ),
    glide: Type.Array(GlidePoint, {
      maxItems: GLIDE_MAX,
      description: 'Target weights by month. Empty if the positions of a portfolio give the weights.',
    }),
    portfolio: Type.Optional(
      Closed(pinnedPortfolio, {
        description: 'The portfolio whose positions give the weights. Absent if the request has the weights.',
      }),
    ),
    as_of: Type.Optional({
      ...IsoDate,
      description:
        'Day of the positions. Only values of the index known by the end of this day are used. Absent if the request needs neither positions nor an index.',
    }),
    rebalance: Rebalance,
    band: Nullable(Band, 'Width of the band; null unless `rebalance` is `band`.'),
    horizon: Horizon,
    paths: Paths,
    flows: Type.Array(Closed({ ...flowMembers, indexed: Indexed }, { description: 'A flow.' }), {
      maxItems: FLOWS_MAX,
      description: 'Payments and withdrawals.',
    }),
    inflation: Inflation,
    fees_bps: Fees,
    goals: Type.Array(Closed({ ...goalMembers, real: Real }, { description: 'A goal.' }), {
      maxItems: GOALS_MAX,
      description: 'Goals.',
    }),
    withdrawal: Nullable(
      Closed({ solve: Solve, ...span, indexed: Indexed }, { description: 'The withdrawal to solve for.' }),
      'The withdrawal to solve for; null if there is none.',
    ),
    antithetic: Antithetic,
    seed: Seed,
  },
  { title: 'SimulationInput', description: 'The request with every default filled in.' },
);
export type SimulationInput = Static<typeof SimulationInput>;
