import Type, { type Static } from 'typebox';
import { Closed, Minor } from '#lib/core/schema.ts';
import { Costs, Tax } from './construction-costs.schema.ts';
import { Constraints } from './construction-constraints.schema.ts';
import { Objective, Returns } from './construction-objective.schema.ts';
import { Symbol, weightsBySymbol } from './construction-members.schema.ts';

/** The source of the symbols. */
export const Universe = Type.Union(
  [
    Closed(
      { kind: Type.Literal('holdings', { description: 'The symbols that the portfolio holds.' }) },
      { title: 'HoldingsUniverse', description: 'The symbols that the portfolio holds.' },
    ),
    Closed(
      {
        kind: Type.Literal('list', { description: 'The symbols named in `symbols`.' }),
        symbols: Type.Array(Symbol, {
          minItems: 1,
          maxItems: 1000,
          uniqueItems: true,
          description: 'Symbols that the portfolio may hold.',
        }),
      },
      { title: 'ListUniverse', description: 'The symbols of a list.' },
    ),
    Closed(
      {
        kind: Type.Enum(['sector', 'theme'], {
          description: 'Whether the symbols are those of a sector or of a theme.',
        }),
        name: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name of the sector, or of the theme in the taxonomy version of the as-of date.',
          examples: ['Health Care'],
        }),
      },
      { title: 'GroupUniverse', description: 'The symbols of a sector or of a theme.' },
    ),
  ],
  {
    description:
      'Symbols that the portfolio may hold, at most 1,000. Holdings in other symbols are sold. Default: the symbols that the portfolio holds.',
  },
);

/** The estimation of the risk. */
export const Risk = Closed(
  {
    estimator: Type.Optional(
      Type.Enum(['ledoit_wolf', 'sample', 'ewma', 'factor_run'], {
        default: 'ledoit_wolf',
        description: 'Estimator of the covariance matrix. `factor_run` reads a sealed theme factor run.',
      }),
    ),
    half_life: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 2520,
        description: 'Half-life in periods of the estimator `ewma`. Default: a quarter of the window.',
        examples: [63],
      }),
    ),
    factor_run_uid: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'The sealed theme factor run for the estimator `factor_run`. Default: the newest run with an as-of date on or before `as_of`.',
      }),
    ),
    frequency: Type.Optional(
      Type.Enum(['daily', 'monthly'], { default: 'daily', description: 'Length of a period.' }),
    ),
    window: Type.Optional(
      Type.Integer({
        minimum: 24,
        maximum: 2520,
        description: 'Number of past returns. Default: 252 daily or 60 monthly returns.',
        examples: [252],
      }),
    ),
  },
  {
    description:
      'Settings of the risk estimate. Only periods in which every symbol has a return are used. The result states the coverage.',
    examples: [{ estimator: 'ledoit_wolf', frequency: 'monthly', window: 60 }],
  },
);

/** The body of a request to construct a portfolio. */
export const ConstructionRequestBody = Closed(
  {
    as_of: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Date of the holdings, prices and returns, not after today. Default: today (UTC).',
        examples: ['2026-11-20'],
      }),
    ),
    universe: Type.Optional(Universe),
    excluded: Type.Optional(
      Type.Array(Symbol, {
        maxItems: 1000,
        uniqueItems: true,
        description: 'Symbols that the portfolio must not hold.',
      }),
    ),
    objective: Type.Optional(Objective),
    returns: Type.Optional(Returns),
    risk_free: Type.Optional(
      Type.Number({
        minimum: -0.5,
        maximum: 1,
        default: 0,
        description: 'Annual risk-free rate, a fraction.',
        examples: [0.02],
      }),
    ),
    benchmark: Type.Optional(
      weightsBySymbol(
        'Weights of the benchmark by symbol, divided by their sum. Default: the benchmark of the portfolio, if the objective, a limit or the returns need a benchmark. If that benchmark is another portfolio, the weights of that portfolio on `as_of`, including its cash, are used.',
      ),
    ),
    risk: Type.Optional(Risk),
    constraints: Type.Optional(Constraints),
    costs: Type.Optional(Costs),
    tax: Type.Optional(Tax),
    frontier_points: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 50,
        default: 0,
        description:
          'Number of points of the efficient frontier to return. A number above 0 needs expected returns.',
      }),
    ),
    cash_added_minor: Type.Optional({
      ...Minor('Cash that is added before the purchases, in minor units.'),
      default: 0,
    }),
  },
  {
    title: 'ConstructionRequest',
    description: 'Objective, estimates and limits of a portfolio. Omitted members take their defaults.',
  },
);

export type ConstructionRequestBody = Static<typeof ConstructionRequestBody>;
