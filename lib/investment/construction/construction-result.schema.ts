import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { ORDERS_MAX } from '../portfolios/order-file.ts';
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
      description:
        'Number of the part of the lot that has a separate tax basis after a wash sale; 0 for the lot itself.',
    }),
    quantity: decimal('Sold quantity, in shares.'),
    proceeds_minor: amount('Proceeds of the sold quantity, before costs, in minor units.'),
    basis_minor: amount('Tax basis of the sold quantity, in minor units.'),
    gain_minor: amount('Proceeds minus tax basis, in minor units.'),
  },
  { title: 'SoldLot', description: 'A lot, or a part of a lot, that a sale closes.' },
);

const Trade = Closed(
  {
    symbol: Symbol,
    side: Type.Enum(['buy', 'sell'], { description: 'Side of the trade.' }),
    quantity: decimal('Quantity in shares: a multiple of `lot_size`, unless the whole position is sold.'),
    price: decimal('Price per share in major units.'),
    amount_minor: amount('Quantity times price in minor units, rounded half to even.'),
    cost_minor: amount('Estimated cost in minor units, rounded up.'),
    tax_minor: amount('Estimated tax in minor units; below 0 for a loss.'),
    lots: Type.Array(SoldLot, { maxItems: 3000, description: 'The lots that a sale closes.' }),
  },
  {
    title: 'ConstructionTrade',
    description: 'A trade that moves the portfolio towards the target weights. No order is placed.',
  },
);

const Contribution = Closed(
  {
    symbol: Symbol,
    marginal: number('Derivative of the annual volatility with respect to the weight.'),
    component: number('Weight times `marginal`. The components of all symbols sum to the volatility.'),
    share: number('Component divided by the volatility.'),
  },
  { title: 'RiskContribution', description: 'Contribution of a symbol to the volatility.' },
);

const Binding = Closed(
  {
    pointer: Type.String({
      maxLength: 300,
      description: 'JSON pointer to the limit in the request.',
    }),
    symbol: Nullable(Symbol, 'The symbol, for a limit on the weight of one symbol; otherwise null.'),
    shadow_price: number(
      'Change in the minimised objective per unit of the limit. An objective that is maximised is negated first.',
    ),
  },
  {
    title: 'BindingLimit',
    description: 'A limit that the weights reach exactly, so that it affects the objective.',
  },
);

export const FrontierPoint = Closed(
  {
    expected_return: number('Expected annual return, a fraction.'),
    volatility: number('Annual volatility, a fraction.'),
    weights: bySymbol(Type.Number(), 'Weights by symbol. Weights of 0 are omitted.'),
  },
  {
    title: 'FrontierPoint',
    description: 'A point of the efficient frontier: the smallest volatility for an expected return.',
  },
);

export const InputRow = Closed(
  {
    symbol: Symbol,
    mean: number('Mean of the past returns, annual.'),
    expected_return: Nullable(
      number('Expected annual return that the objective uses; null if the request has no expected returns.'),
    ),
    volatility: number('Annual volatility from the covariance matrix, a fraction.'),
    coverage: number('Share of the periods in the window for which the symbol has a return.'),
    price: Nullable(
      decimal('Price per share in major units; null for a symbol that is only in the benchmark.'),
    ),
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
    before: bySymbol(Type.Number(), 'Weights of the portfolio before the trades. Weights of 0 are left out.'),
    trades: Type.Array(Trade, { maxItems: ORDERS_MAX, description: 'The trades, by symbol.' }),
    cash_left_minor: amount('Cash after the trades and their costs, before taxes, in minor units.'),
    cost_minor: amount('Sum of the estimated costs, in minor units.'),
    tax_minor: amount('Sum of the estimated taxes, in minor units.'),
    realised_gain_minor: amount('Realised gains minus realised losses, in minor units.'),
    expected_return: Nullable(
      number('Expected annual return of the target weights; null if the request has no expected returns.'),
    ),
    volatility: number('Annual volatility of the target weights, a fraction.'),
    sharpe: Nullable(
      number(
        'Excess return divided by the volatility; null without expected returns, or if the volatility is 0.',
      ),
    ),
    tracking_error: Nullable(
      number(
        'Annual volatility of the return difference from the benchmark, a fraction; null without a benchmark.',
      ),
    ),
    turnover: number('Purchases plus sales as a share of the portfolio value, before rounding to lots.'),
    objective_value: Nullable(
      number(
        'Value of the objective at the target weights, without costs and taxes; null for an objective that is a rule, such as `equal`.',
      ),
    ),
    objective_bound: Nullable(
      number(
        'Value of the objective without the limit `positions_max`. No choice of positions has a better value. Null if this limit does not bind.',
      ),
    ),
    heuristic: Type.Array(Type.Enum(['positions_max', 'loss_lots', 'realised_gain', 'impact']), {
      maxItems: 4,
      uniqueItems: true,
      description:
        'Parts of the result that are not proven optimal. `positions_max`: the choice of positions. `loss_lots`: the direction of trades in symbols with lots at a loss. `realised_gain`: the limit on realised gains. `impact`: the market impact did not converge.',
    }),
    adjusted: Type.Boolean({
      description:
        'Whether the weights of a rule, such as `equal`, violated the limits. If so, the target weights are those within the limits that have the smallest tracking error against the weights of the rule.',
    }),
    risk_contributions: Type.Array(Contribution, {
      maxItems: 2000,
      description: 'Contributions to the volatility, by symbol.',
    }),
    binding: Type.Array(Binding, {
      maxItems: 5000,
      description: 'The binding limits: those that the weights reach exactly.',
    }),
    kkt_residual: Nullable(
      number('Largest violation of the optimality (KKT) conditions; null if the weights follow from a rule.'),
    ),
    frontier: Type.Array(FrontierPoint, {
      maxItems: 50,
      description: 'Efficient frontier, from the smallest volatility to the largest return.',
    }),
    inputs: Type.Array(InputRow, {
      maxItems: 2000,
      description: 'Estimates and price of each symbol, in the order of the covariance matrix.',
    }),
    observations: Type.Integer({
      minimum: 0,
      description: 'Number of periods in which every symbol has a return.',
    }),
    shrinkage: Nullable(
      number(
        'Ledoit-Wolf shrinkage: the weight of the shrinkage target, from 0 to 1; null with another estimator.',
      ),
    ),
    covariance_sha256: Sha256Of(
      'SHA-256 of the RFC 8785 form of `{symbols, covariance}`, the annual covariance matrix by rows. The attachment `covariance` is this matrix.',
    ),
  },
  {
    title: 'ConstructionResult',
    description: 'Target weights, and the trades to reach them. No order is placed.',
  },
);

export type ConstructionResult = Static<typeof ConstructionResult>;
