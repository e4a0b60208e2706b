import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { bySymbol, Symbol, weightsBySymbol } from './construction-members.schema.ts';

const AnnualReturn = (description: string) =>
  Type.Number({ minimum: -1, maximum: 10, description, examples: [0.08] });

/** An objective without parameters. */
function Plain<K extends string>(kind: K, description: string) {
  return Closed({ kind: Type.Literal(kind, { description }) }, { description });
}

const Level = Type.Optional(
  Type.Number({
    minimum: 0.8,
    maximum: 0.99,
    description: 'Confidence level, a fraction. The worst 1 - level of the periods count. Default: 0.95.',
  }),
);

export const Objective = Type.Union(
  [
    Plain('minimum_variance', 'Smallest variance.'),
    Plain('maximum_sharpe', 'Largest ratio of the excess return to the volatility.'),
    Closed(
      {
        kind: Type.Literal('mean_variance', { description: 'Largest utility.' }),
        risk_aversion: Type.Number({
          minimum: 0.1,
          maximum: 1000,
          description: 'Weight g of the risk: the utility is the return less g / 2 times the variance.',
          examples: [5],
        }),
      },
      { description: 'Largest expected return less risk, costs and taxes.' },
    ),
    Closed(
      {
        kind: Type.Literal('target_return', {
          description: 'Smallest variance with a return of at least `target`.',
        }),
        target: AnnualReturn('Expected annual return, a fraction.'),
      },
      { description: 'Smallest variance with at least this expected return.' },
    ),
    Closed(
      {
        kind: Type.Literal('target_volatility', {
          description: 'Largest expected return with a volatility of at most `target`.',
        }),
        target: Type.Number({
          exclusiveMinimum: 0,
          maximum: 10,
          description: 'Annual volatility, a fraction.',
          examples: [0.1],
        }),
      },
      { description: 'Largest expected return with at most this volatility.' },
    ),
    Closed(
      {
        kind: Type.Literal('minimum_cvar', { description: 'Smallest expected loss in the worst periods.' }),
        level: Level,
      },
      { description: 'Smallest conditional value at risk of the past periods (Rockafellar and Uryasev).' },
    ),
    Closed(
      {
        kind: Type.Literal('minimum_cdar', { description: 'Smallest mean of the deepest drawdowns.' }),
        level: Level,
      },
      { description: 'Smallest conditional drawdown at risk of the uncompounded past returns.' },
    ),
    Plain('minimum_mad', 'Smallest mean absolute deviation of the past periods.'),
    Closed(
      {
        kind: Type.Literal('risk_budget', {
          description: 'Contributions to the variance in given proportions.',
        }),
        budget: Type.Optional(
          bySymbol(
            Type.Number({ minimum: 0, maximum: 1e6, description: 'Share of the risk.', examples: [1] }),
            'Shares of the risk by symbol; they are divided by their sum, and omitted symbols have 0. Default: equal.',
          ),
        ),
      },
      { description: 'Each symbol contributes its budget to the variance. Equal budgets are risk parity.' },
    ),
    Plain('hierarchical_risk_parity', 'Recursive bisection of single-linkage clusters.'),
    Plain(
      'maximum_diversification',
      'Largest ratio of the mean volatility to the volatility of the portfolio.',
    ),
    Plain('minimum_tracking_error', 'Smallest variance of the difference from the benchmark.'),
    Plain('inverse_volatility', 'Weights in proportion to the inverse volatility.'),
    Plain('equal', 'Equal weights.'),
  ],
  { description: 'The objective of the weights. Default: `minimum_variance`.' },
);

const View = Closed(
  {
    long: Type.Array(Symbol, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Symbols with an equal share of the portfolio of the view.',
    }),
    short: Type.Optional(
      Type.Array(Symbol, {
        maxItems: 100,
        uniqueItems: true,
        description: 'Symbols that the first ones are compared with, with equal shares. Default: none.',
      }),
    ),
    value: AnnualReturn('Expected annual return of `long`, less that of `short`.'),
    confidence: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: 'Confidence in the view; 1 is certain. Not together with `variance`. Default: 0.5.',
      }),
    ),
    variance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Variance of the error of the view, annual, instead of a confidence.',
      }),
    ),
  },
  { title: 'ReturnView', description: 'A view on the return of some symbols.' },
);

export const Returns = Type.Union(
  [
    Plain('none', 'No expected returns.'),
    Plain('historical', 'Mean of the past returns, times the periods of a year.'),
    Closed(
      {
        kind: Type.Literal('given', { description: 'Returns of the request.' }),
        values: bySymbol(
          AnnualReturn('Expected annual return, a fraction.'),
          'Expected annual returns. Every symbol of the universe needs one.',
        ),
      },
      { description: 'Expected returns that the request states.' },
    ),
    Closed(
      {
        kind: Type.Literal('feature', { description: 'Values of a feature.' }),
        key: Type.String({ minLength: 1, maxLength: 100, description: 'Key of the feature.' }),
        version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Version of the feature.' }),
        scale: Type.Number({
          minimum: -1e6,
          maximum: 1e6,
          description: 'Factor that turns a value of the feature into an annual return.',
          examples: [0.01],
        }),
      },
      { description: 'Expected returns in proportion to a feature as of the date.' },
    ),
    Closed(
      {
        kind: Type.Literal('black_litterman', { description: 'Views on top of an equilibrium.' }),
        tau: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 10,
            description: 'Uncertainty of the prior means as a share of the covariance. Default: 0.05.',
          }),
        ),
        risk_aversion: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 100,
            description: 'Risk aversion of the market, from which the prior follows. Default: 2.5.',
          }),
        ),
        market_weights: Type.Optional(
          weightsBySymbol(
            'Weights of the market, divided by their sum. Default: the benchmark, otherwise equal weights.',
          ),
        ),
        views: Type.Array(View, {
          maxItems: 100,
          description: 'The views. Without views the prior is used.',
        }),
      },
      { description: 'Posterior means of Black and Litterman.' },
    ),
  ],
  {
    description:
      'Expected annual returns. Objectives and limits that need returns refuse `none`. Default: `none`.',
  },
);

export type Objective = Static<typeof Objective>;
export type Returns = Static<typeof Returns>;
export type ReturnViewOnWire = Static<typeof View>;
