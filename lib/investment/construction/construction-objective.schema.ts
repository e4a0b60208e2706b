import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { bySymbol, Symbol, weightsBySymbol } from './construction-members.schema.ts';

const AnnualReturn = (description: string) =>
  Type.Number({ minimum: -1, maximum: 10, description, examples: [0.08] });

/** Builds the schema of an objective without parameters. */
function Plain<K extends string>(kind: K, description: string) {
  return Closed({ kind: Type.Literal(kind, { description }) }, { description });
}

const Level = Type.Optional(
  Type.Number({
    minimum: 0.8,
    maximum: 0.99,
    description:
      'Confidence level, a fraction. The worst 1 - level of the periods are averaged. Default: 0.95.',
  }),
);

export const Objective = Type.Union(
  [
    Plain('minimum_variance', 'Minimises the variance of the portfolio.'),
    Plain('maximum_sharpe', 'Maximises the Sharpe ratio: the excess return divided by the volatility.'),
    Closed(
      {
        kind: Type.Literal('mean_variance', { description: 'Maximises the utility.' }),
        risk_aversion: Type.Number({
          minimum: 0.1,
          maximum: 1000,
          description:
            'Weight g of the risk. The utility is the expected return minus g / 2 times the variance.',
          examples: [5],
        }),
      },
      { description: 'Maximises the expected return minus the weighted risk, costs and taxes.' },
    ),
    Closed(
      {
        kind: Type.Literal('target_return', {
          description: 'Minimises the variance, with an expected return of at least `target`.',
        }),
        target: AnnualReturn('Expected annual return, a fraction.'),
      },
      { description: 'Minimises the variance for a required expected return.' },
    ),
    Closed(
      {
        kind: Type.Literal('target_volatility', {
          description: 'Maximises the expected return, with a volatility of at most `target`.',
        }),
        target: Type.Number({
          exclusiveMinimum: 0,
          maximum: 10,
          description: 'Annual volatility, a fraction.',
          examples: [0.1],
        }),
      },
      { description: 'Maximises the expected return for a limited volatility.' },
    ),
    Closed(
      {
        kind: Type.Literal('minimum_cvar', { description: 'Minimises the mean loss of the worst periods.' }),
        level: Level,
      },
      {
        description: 'Minimises the conditional value at risk of the past returns (Rockafellar and Uryasev).',
      },
    ),
    Closed(
      {
        kind: Type.Literal('minimum_cdar', { description: 'Minimises the mean of the deepest drawdowns.' }),
        level: Level,
      },
      { description: 'Minimises the conditional drawdown at risk of the past returns, without compounding.' },
    ),
    Plain('minimum_mad', 'Minimises the mean absolute deviation of the past returns.'),
    Closed(
      {
        kind: Type.Literal('risk_budget', {
          description: 'Gives the symbols fixed shares of the variance.',
        }),
        budget: Type.Optional(
          bySymbol(
            Type.Number({ minimum: 0, maximum: 1e6, description: 'Share of the risk.', examples: [1] }),
            'Shares of the risk by symbol, divided by their sum. Omitted symbols have 0. Default: equal shares.',
          ),
        ),
      },
      {
        description:
          'The contribution of each symbol to the variance is proportional to its budget. Equal budgets give risk parity.',
      },
    ),
    Plain(
      'hierarchical_risk_parity',
      'Hierarchical risk parity: recursive bisection of single-linkage clusters.',
    ),
    Plain(
      'maximum_diversification',
      'Maximises the diversification ratio: the weighted mean volatility of the symbols divided by the volatility of the portfolio.',
    ),
    Plain('minimum_tracking_error', 'Minimises the variance of the return difference from the benchmark.'),
    Plain('inverse_volatility', 'Weights each symbol in proportion to the inverse of its volatility.'),
    Plain('equal', 'Gives every symbol the same weight.'),
  ],
  { description: 'The objective of the optimisation. Default: `minimum_variance`.' },
);

const View = Closed(
  {
    long: Type.Array(Symbol, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Symbols that the view is about, with equal weights.',
    }),
    short: Type.Optional(
      Type.Array(Symbol, {
        maxItems: 100,
        uniqueItems: true,
        description:
          'Symbols that `long` is compared with, with equal weights. Default: none, so that the view is absolute.',
      }),
    ),
    value: AnnualReturn(
      'Expected annual return of `long` minus the expected annual return of `short`, a fraction.',
    ),
    confidence: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description:
          'Confidence in the view, above 0; 1 is certain. Not allowed together with `variance`. Default: 0.5.',
      }),
    ),
    variance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Annual variance of the error of the view, as an alternative to `confidence`.',
      }),
    ),
  },
  { title: 'ReturnView', description: 'A view on the expected return of symbols.' },
);

export const Returns = Type.Union(
  [
    Plain('none', 'No expected returns.'),
    Plain('historical', 'Mean of the past returns times the number of periods per year.'),
    Closed(
      {
        kind: Type.Literal('given', { description: 'The returns in `values`.' }),
        values: bySymbol(
          AnnualReturn('Expected annual return, a fraction.'),
          'Expected annual returns by symbol. Every symbol of the universe must be listed.',
        ),
      },
      { description: 'Expected returns that the caller supplies.' },
    ),
    Closed(
      {
        kind: Type.Literal('feature', { description: 'Values of a feature, multiplied by `scale`.' }),
        key: Type.String({ minLength: 1, maxLength: 100, description: 'Key of the feature.' }),
        version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Version of the feature.' }),
        scale: Type.Number({
          minimum: -1e6,
          maximum: 1e6,
          description: 'Factor that turns a value of the feature into an annual return.',
          examples: [0.01],
        }),
      },
      {
        description:
          'Expected returns in proportion to the values of a feature that were known on the as-of date.',
      },
    ),
    Closed(
      {
        kind: Type.Literal('black_litterman', { description: 'Equilibrium returns combined with views.' }),
        tau: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 10,
            description: 'Uncertainty of the prior returns, as a multiple of the covariance. Default: 0.05.',
          }),
        ),
        risk_aversion: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 100,
            description: 'Risk aversion of the market. It determines the prior returns. Default: 2.5.',
          }),
        ),
        market_weights: Type.Optional(
          weightsBySymbol(
            'Weights of the market by symbol, divided by their sum. Default: the weights of the benchmark, or equal weights without a benchmark.',
          ),
        ),
        views: Type.Array(View, {
          maxItems: 100,
          description: 'The views. If the list is empty, the prior returns are used.',
        }),
      },
      { description: 'Posterior mean returns of the Black-Litterman model.' },
    ),
  ],
  {
    description:
      'Source of the expected annual returns. `none` is refused if the objective or a limit needs returns. Default: `none`.',
  },
);

export type Objective = Static<typeof Objective>;
export type Returns = Static<typeof Returns>;
export type ReturnViewOnWire = Static<typeof View>;
