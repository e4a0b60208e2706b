import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { bySymbol, Symbol } from './construction-members.schema.ts';

const MINOR_MAX = Number.MAX_SAFE_INTEGER;
const amount = (description: string) =>
  Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description, examples: [12_500_00] });
const number = (description: string) => Type.Number({ description, examples: [0.12] });
const decimal = (description: string) =>
  Type.String({ pattern: '^-?\\d{1,30}(\\.\\d{1,8})?$', description, examples: ['12.5'] });

const SoldLot = Closed(
  {
    lot: Type.String({ maxLength: 200, description: 'The lot.' }),
    slice: Type.Integer({
      minimum: 0,
      description: 'Part of the lot with a basis of its own after a wash sale; 0 for the lot itself.',
    }),
    quantity: decimal('Quantity that is sold, in shares.'),
    proceeds_minor: amount('Proceeds of this part, before costs, in minor units.'),
    basis_minor: amount('Basis of this part, in minor units.'),
    gain_minor: amount('Proceeds less basis, in minor units.'),
  },
  { title: 'SoldLot', description: 'A lot, or a part of one, that a sale closes.' },
);

const Trade = Closed(
  {
    symbol: Symbol,
    side: Type.Enum(['buy', 'sell'], { description: 'Side of the trade.' }),
    quantity: decimal(
      'Quantity in shares, a multiple of the lot size except where a whole position is sold.',
    ),
    price: decimal('Price per share in major units.'),
    amount_minor: amount('Quantity times price in minor units, rounded half to even.'),
    cost_minor: amount('Estimated cost in minor units, rounded up.'),
    tax_minor: amount('Estimated tax in minor units; below 0 for a loss.'),
    lots: Type.Array(SoldLot, { maxItems: 3000, description: 'The lots that a sale closes.' }),
  },
  { title: 'ConstructionTrade', description: 'A trade on the way to the weights. No order is placed.' },
);

const Contribution = Closed(
  {
    symbol: Symbol,
    marginal: number('Change of the annual volatility for a change of the weight.'),
    component: number('Weight times marginal; the components add to the volatility.'),
    share: number('Component divided by the volatility.'),
  },
  { title: 'RiskContribution', description: 'Contribution of a symbol to the volatility.' },
);

const Binding = Closed(
  {
    pointer: Type.String({
      maxLength: 300,
      description: 'JSON pointer to the member of the request that binds.',
    }),
    symbol: Nullable(Symbol, 'The symbol, for a limit on the weight of one symbol; otherwise null.'),
    shadow_price: number('Change of the minimised objective for one unit of the limit.'),
  },
  { title: 'BindingLimit', description: 'A limit that the weights meet with equality.' },
);

const FrontierPoint = Closed(
  {
    expected_return: number('Expected annual return, a fraction.'),
    volatility: number('Annual volatility, a fraction.'),
    weights: bySymbol(Type.Number(), 'Weights that are not 0.'),
  },
  { title: 'FrontierPoint', description: 'The smallest volatility for an expected return.' },
);

const InputRow = Closed(
  {
    symbol: Symbol,
    mean: number('Mean of the past returns, annual.'),
    expected_return: Nullable(number('Expected annual return of the objective; null without returns.')),
    volatility: number('Annual volatility of the covariance matrix.'),
    coverage: number('Share of the periods of the window with a return of the symbol.'),
    price: Nullable(decimal('Price per share in major units; null for a symbol of the benchmark alone.')),
  },
  { title: 'ConstructionInputRow', description: 'The estimates and the price of a symbol.' },
);

export const ConstructionResult = Closed(
  {
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'Currency of all amounts.',
      examples: ['USD'],
    }),
    value_minor: amount('Value of the portfolio with the added cash, in minor units.'),
    weights: bySymbol(Type.Number(), 'Optimal weights that are not 0, before rounding to lots.'),
    before: bySymbol(Type.Number(), 'Weights before the trades that are not 0.'),
    trades: Type.Array(Trade, { maxItems: 2000, description: 'The trades, by symbol.' }),
    cash_left_minor: amount('Cash after the trades and their costs, before taxes, in minor units.'),
    cost_minor: amount('Sum of the estimated costs, in minor units.'),
    tax_minor: amount('Sum of the estimated taxes, in minor units.'),
    realised_gain_minor: amount('Sum of the realised gains less losses, in minor units.'),
    expected_return: Nullable(number('Expected annual return of the weights; null without returns.')),
    volatility: number('Annual volatility of the weights.'),
    sharpe: Nullable(number('Excess return divided by the volatility; null without returns or volatility.')),
    tracking_error: Nullable(number('Annual volatility less the benchmark; null without a benchmark.')),
    turnover: number('Purchases plus sales as a share of the value, before rounding to lots.'),
    objective_value: Nullable(
      number(
        'Value of the objective at the weights, without costs and taxes; null for an objective without one.',
      ),
    ),
    objective_bound: Nullable(
      number(
        'With `heuristic`: the value without `positions_max`, which no choice of positions improves on.',
      ),
    ),
    heuristic: Type.Array(Type.Enum(['positions_max', 'loss_lots', 'realised_gain', 'impact']), {
      maxItems: 4,
      uniqueItems: true,
      description:
        'Parts of the result that are not proven optimal: the choice of positions, the direction of trades in lots with losses, the limit on realised gains, an impact that has not settled.',
    }),
    adjusted: Type.Boolean({
      description:
        'Whether the weights of a rule were moved to the nearest weights, by tracking error, that meet the limits.',
    }),
    risk_contributions: Type.Array(Contribution, {
      maxItems: 2000,
      description: 'Contributions to the volatility, by symbol.',
    }),
    binding: Type.Array(Binding, { maxItems: 5000, description: 'The limits that bind.' }),
    kkt_residual: Nullable(
      number('Largest violation of the conditions of optimality; null where weights follow from a rule.'),
    ),
    frontier: Type.Array(FrontierPoint, {
      maxItems: 50,
      description: 'Efficient frontier, from the smallest volatility to the largest return.',
    }),
    inputs: Type.Array(InputRow, { maxItems: 2000, description: 'The symbols, in order.' }),
    observations: Type.Integer({ minimum: 0, description: 'Periods in which every symbol has a return.' }),
    shrinkage: Nullable(number('Weight of the target of Ledoit and Wolf; null with another estimator.')),
    covariance_sha256: Sha256Of(
      'SHA-256 of the RFC 8785 form of `{symbols, covariance}`, the annual covariance matrix by rows.',
    ),
  },
  {
    title: 'ConstructionResult',
    description: 'Weights, and the trades that lead to them. No order is placed.',
  },
);

export type ConstructionResult = Static<typeof ConstructionResult>;
