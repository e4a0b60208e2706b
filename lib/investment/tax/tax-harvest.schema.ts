import Type, { type Static } from 'typebox';
import { Closed, Day, Decimal, Minor, Nullable, Sha256 } from '#lib/core/schema.ts';
import { OrderFileSchema } from '../portfolios/order-file.schema.ts';
import { pinnedPortfolio } from '../portfolios/pinned-portfolio.schema.ts';
import { accountKinds } from '../portfolios/portfolio-event.ts';
import { harvestAssumptions } from './harvest-proposal.ts';

const MINOR_MAX = Number.MAX_SAFE_INTEGER;

const Signed = (description: string) =>
  Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, description });
const Bps = (description: string, maximum = 10_000) =>
  Type.Integer({ minimum: 0, maximum, description, examples: [Math.min(2_000, maximum / 50)] });
const Symbol = Type.String({ minLength: 1, maxLength: 32, description: 'A symbol.', examples: ['XOM'] });

const Gains = (description: string, minimum: number) =>
  Closed(
    {
      short_minor: Type.Integer({
        minimum,
        maximum: MINOR_MAX,
        description: 'Short-term amount, in minor units.',
      }),
      long_minor: Type.Integer({
        minimum,
        maximum: MINOR_MAX,
        description: 'Long-term amount, in minor units.',
      }),
    },
    { description },
  );

const Purchase = Closed(
  {
    symbol: Symbol,
    on: Day('The trade date.'),
    quantity: Decimal('Shares above 0, with up to 8 decimals.', '100'),
    account_kind: Type.Enum([...accountKinds], { description: 'Whether the account is taxed.' }),
  },
  {
    title: 'OtherPurchase',
    description: 'A purchase by the taxpayer that no portfolio of the workspace contains.',
  },
);

const Rates = Closed(
  {
    short_bps: Bps('Tax rate of short-term gains, in basis points.'),
    long_bps: Bps('Tax rate of long-term gains, in basis points.'),
    ordinary_bps: Type.Optional(Bps('Tax rate of ordinary income. Default: `short_bps`.')),
  },
  { description: 'Tax rates. Tax brackets and state taxes are not modelled.' },
);

const terms = {
  as_of: Type.Optional(Day('The day of the sales. Default: today (UTC).')),
  rates: Rates,
  ordinary_limit_minor: Minor('The maximum net loss that reduces ordinary income in a year, in minor units.'),
  carried_in: Gains('Losses carried from earlier years, 0 or above.', 0),
  policy: Type.Enum(['avoid', 'allow', 'skip'], {
    description:
      'Treatment of shares that a purchase in the wash sale window replaces. `avoid`: these shares are not sold. `allow`: these shares are sold, and the result reports the disallowed loss. `skip`: lots with any such share are not sold.',
  }),
  minimum_loss_minor: Minor('The minimum loss of a lot to be sold, in minor units.'),
  minimum_loss_bps: Bps('The minimum loss of a lot to be sold, in basis points of its tax basis.'),
  minimum_net_minor: Type.Integer({
    minimum: -MINOR_MAX,
    maximum: MINOR_MAX,
    description:
      'The minimum benefit of the sale of a lot, in minor units: the tax saved this year minus the cost of the sale.',
    examples: [1],
  }),
  cost_bps: Bps('Cost of a sale in basis points of its proceeds.', 500),
  identical: Type.Array(Type.Array(Symbol, { minItems: 2, maxItems: 20 }), {
    maxItems: 200,
    description: 'Sets of substantially identical securities. A symbol may be in at most one set.',
    examples: [[['GOOG', 'GOOGL']]],
  }),
  outside_purchases: Type.Array(Purchase, {
    maxItems: 1_000,
    description: 'Past purchases outside the workspace. No date may be after today (UTC).',
  }),
  planned_purchases: Type.Array(Purchase, { maxItems: 1_000, description: 'Planned purchases.' }),
  horizon: Type.Enum(['now', 'year_end'], {
    description:
      'The horizon. `year_end` adds `later_this_year` to the result: the shares that can be sold later in the year without a wash sale.',
  }),
  replacements: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'The maximum number of replacement candidates for each sold symbol.',
    examples: [3],
  }),
};

const optional = {
  ordinary_limit_minor: Type.Optional({ ...terms.ordinary_limit_minor, default: 300_000 }),
  realised: Type.Optional(
    Gains(
      'Realised gains of the calendar year so far, below 0 for losses. Default: derived from all portfolios of the taxpayer.',
      -MINOR_MAX,
    ),
  ),
  carried_in: Type.Optional(terms.carried_in),
  policy: Type.Optional({ ...terms.policy, default: 'avoid' as const }),
  minimum_loss_minor: Type.Optional({ ...terms.minimum_loss_minor, default: 0 }),
  minimum_loss_bps: Type.Optional({ ...terms.minimum_loss_bps, default: 0 }),
  minimum_net_minor: Type.Optional({ ...terms.minimum_net_minor, default: 1 }),
  cost_bps: Type.Optional({ ...terms.cost_bps, default: 10 }),
  identical: Type.Optional(terms.identical),
  outside_purchases: Type.Optional(terms.outside_purchases),
  planned_purchases: Type.Optional(terms.planned_purchases),
  horizon: Type.Optional({ ...terms.horizon, default: 'now' as const }),
  replacements: Type.Optional({ ...terms.replacements, default: 3 }),
};

export const TaxHarvestRequestBody = Closed(
  { as_of: terms.as_of, rates: terms.rates, ...optional },
  { title: 'TaxHarvestRequest', description: 'The rates and limits of a tax harvest.' },
);
export type TaxHarvestRequestBody = Static<typeof TaxHarvestRequestBody>;

const portfolio = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The uid or the key of the portfolio.',
  examples: ['income'],
});

/** Path and body of a request. */
export const TaxHarvestRequest = Closed({ portfolio, ...TaxHarvestRequestBody.properties });
export type TaxHarvestRequest = Static<typeof TaxHarvestRequest>;

export const TaxHarvestInput = Closed(
  {
    ...pinnedPortfolio,
    ...terms,
    as_of: Day('The day of the sales.'),
    rates: Closed(
      { ...Rates.properties, ordinary_bps: Bps('Tax rate of ordinary income.') },
      { description: 'Tax rates.' },
    ),
    realised: Nullable(
      Gains('Realised gains of the calendar year that the caller supplied.', -MINOR_MAX),
      'Realised gains of the calendar year that the caller supplied; null if they are derived from the portfolios.',
    ),
    factor_run_uid: Nullable(
      Type.String({ description: 'A theme factor run.', examples: ['tfr_01K8ZD3V2R6M8Q4T0W5Y7A9C1E'] }),
      'The sealed theme factor run that replacements are ranked with; null if there is none.',
    ),
  },
  {
    title: 'TaxHarvestInput',
    description: 'The request with every default filled in, and the data that it may read.',
  },
);
export type TaxHarvestInput = Static<typeof TaxHarvestInput>;

const Lot = Type.String({ description: 'The lot.', examples: ['income-004'] });
const Quantity = (description: string) => Decimal(description, '40');

const Sale = Closed(
  {
    lot: Lot,
    symbol: Symbol,
    quantity: Quantity('Shares to sell.'),
    price: Decimal('The close at which the lot is valued.', '38.02'),
    price_on: Day('The day of the close.'),
    proceeds_minor: Minor('Expected proceeds.'),
    basis_minor: Minor('Tax basis of the shares.'),
    gain_minor: Signed('Proceeds minus tax basis. A loss is below 0.'),
    term: Type.Enum(['short', 'long'], { description: 'The holding period at `as_of`.' }),
    washed_quantity: Quantity('Shares whose loss is disallowed by the wash sale rules.'),
    disallowed_minor: Minor('The disallowed part of the loss.'),
    cost_minor: Minor('The expected cost of the sale.'),
    days_to_long: Nullable(
      Type.Integer({ minimum: 1, description: 'Days.' }),
      'Days until the lot is long-term; null if the lot is already long-term.',
    ),
  },
  {
    title: 'HarvestSale',
    description: 'A lot, or a part of a lot, to sell at a loss. Amounts are in minor units.',
  },
);

const Candidate = Closed(
  {
    symbol: Symbol,
    tracking_error: Type.Number({
      minimum: 0,
      description: 'Standard deviation of the monthly return difference from the sold symbol, a fraction.',
      examples: [0.031],
    }),
    correlation: Nullable(
      Type.Number({ description: 'Correlation of monthly returns.' }),
      'Correlation of monthly returns with the sold symbol; null with fewer than 3 common months.',
    ),
    months: Type.Integer({
      minimum: 0,
      description: 'Number of months in which both symbols have a return.',
    }),
    shared_themes: Type.Array(Type.String(), { description: 'Themes that both symbols are exposed to.' }),
  },
  {
    title: 'ReplacementCandidate',
    description: 'A security that has a similar exposure but is not substantially identical.',
  },
);

/** The sealed proposal. */
export const TaxHarvestResult = Closed(
  {
    sales: Type.Array(Sale, {
      description: 'The proposed sales, ordered by symbol, date of purchase and lot.',
    }),
    held_back: Type.Array(
      Closed({
        lot: Lot,
        quantity: Quantity(
          'Shares that are not sold, because a purchase in the wash sale window would replace them.',
        ),
        by: Type.Array(Type.String(), {
          description: 'References of the purchases that would replace the shares.',
        }),
      }),
      { description: 'Shares that the policy holds back.' },
    ),
    not_sold: Type.Array(
      Closed({
        lot: Lot,
        reason: Type.Enum(['gain', 'below_minimum', 'washed', 'no_price'], { description: 'The reason.' }),
      }),
      { description: 'Lots that are not sold, or not sold completely, with the reason.' },
    ),
    replacement_adjustments: Type.Array(
      Closed({
        portfolio: Nullable(
          Type.String(),
          'The portfolio of the purchase; null for a purchase outside the workspace.',
        ),
        lot: Nullable(
          Type.String(),
          'The lot of the purchase; null if the purchase has no lot in the workspace.',
        ),
        quantity: Quantity('Purchased shares that replace sold shares.'),
        basis_added_minor: Minor(
          'Disallowed loss that is added to the tax basis of these shares, in minor units.',
        ),
        days_tacked: Type.Integer({
          minimum: 0,
          description: 'Days that are added to the holding period of these shares.',
        }),
      }),
      { description: 'Changes to the lots that replace sold shares in a wash sale.' },
    ),
    lost_minor: Minor('Disallowed loss that is added to no tax basis, so that it is lost permanently.'),
    realised: Gains(
      'Realised gains of the calendar year before the proposed sales, below 0 for losses.',
      -MINOR_MAX,
    ),
    recognised: Gains(
      'Gains that the proposed sales add, below 0 for losses. Disallowed losses are not counted.',
      -MINOR_MAX,
    ),
    carried_out: Gains('Losses carried to later years, 0 or above.', 0),
    tax_before_minor: Signed(
      'Tax on the gains of the year without the proposed sales. Below 0 if a net loss reduces the tax on ordinary income.',
    ),
    tax_after_minor: Signed('Tax on the gains of the year with the proposed sales.'),
    saving_minor: Signed('`tax_before_minor` minus `tax_after_minor`.'),
    cost_minor: Minor('Expected cost of all sales.'),
    net_minor: Signed('`saving_minor` minus `cost_minor`.'),
    deferred_minor: Signed(
      'Deferred tax, at the long-term rate. If the proceeds are invested again, the tax basis is lower by the loss, so a later sale has a larger gain.',
    ),
    deferral_only: Type.Boolean({ description: 'Whether the saving is at most the deferred tax.' }),
    repurchase_not_before: Type.Array(
      Closed({
        symbol: Symbol,
        on: Day('The first day on which the symbol can be bought without replacing sold shares.'),
      }),
      { description: 'The first possible day of a repurchase, by symbol.' },
    ),
    wash_windows: Type.Array(
      Closed({
        symbol: Symbol,
        identical: Type.Array(Type.String(), {
          description: 'The symbol, and the symbols of substantially identical securities.',
        }),
        opens_on: Day('The first day of the window.'),
        closes_on: Day('The last day of the window.'),
        purchases: Type.Array(Type.String(), {
          description: 'References of the purchases in the window that replace sold shares.',
        }),
      }),
      {
        description: 'The wash sale windows of 61 days around the sales, and the windows that prevent sales.',
      },
    ),
    later_this_year: Type.Array(
      Closed({
        lot: Lot,
        symbol: Symbol,
        quantity: Quantity('Number of shares.'),
        not_before: Day('The first day on which the shares can be sold without a wash sale.'),
      }),
      {
        description:
          'Shares that are held back now, and whose wash sale window ends this year. Empty with the horizon `now`.',
      },
    ),
    replacements: Type.Array(
      Closed({
        symbol: Symbol,
        candidates: Type.Array(Candidate, {
          description: 'The candidates, ordered by tracking error, smallest first.',
        }),
      }),
      { description: 'Replacement candidates for each sold symbol that is in the theme factor run.' },
    ),
    tracking_error: Nullable(
      Type.Number({ minimum: 0, description: 'Standard deviation of monthly returns, as a fraction.' }),
      'Monthly tracking error of the portfolio after the sales against the portfolio before the sales, a fraction. Each sold symbol is replaced by its first candidate, or by cash if there is none. Null without a theme factor run.',
    ),
    assumptions: Type.Array(Type.Enum([...harvestAssumptions]), {
      description:
        'Assumptions of the calculation: tax questions on which sources differ, and simplifications.',
    }),
  },
  {
    title: 'TaxHarvestResult',
    description: 'The proposed sales and their tax effects. No order is placed. Amounts are in minor units.',
  },
);
export type TaxHarvestResult = Static<typeof TaxHarvestResult>;

export const TaxHarvestData = Closed(
  { events_sha256: Sha256, market_sha256: Sha256 },
  { description: 'Hashes of the events and of the closes that the run read.' },
);

/** A file for `assay batch import`. */
export const HarvestOrders = OrderFileSchema({
  symbol: Symbol,
  side: Type.Literal('sell', { description: 'Always `sell`.' }),
  quantity: 'Shares to sell.',
  batch: 'harvest-income-2020-09-30',
  portfolio: 'income',
  orders: 'One order for each symbol.',
  none: 'if nothing is sold',
});
