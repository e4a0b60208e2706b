import Type, { type Static } from 'typebox';
import { Closed, Day, Decimal, Minor, Nullable, Sha256 } from '#lib/core/schema.ts';
import { PortfolioTermsSchema } from '../portfolios/portfolio-terms.schema.ts';
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
      short_minor: Type.Integer({ minimum, maximum: MINOR_MAX, description: 'Short-term, in minor units.' }),
      long_minor: Type.Integer({ minimum, maximum: MINOR_MAX, description: 'Long-term, in minor units.' }),
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
    description: 'A purchase of the taxpayer that no portfolio of the workspace holds.',
  },
);

const Rates = Closed(
  {
    short_bps: Bps('Tax rate of short-term gains, in basis points.'),
    long_bps: Bps('Tax rate of long-term gains, in basis points.'),
    ordinary_bps: Type.Optional(Bps('Tax rate of ordinary income. Default: `short_bps`.')),
  },
  { description: 'Tax rates. They are linear: no brackets and no state taxes.' },
);

const terms = {
  as_of: Type.Optional(Day('The day of the sales. Default: today (UTC).')),
  rates: Rates,
  ordinary_limit_minor: Minor('The net loss that reduces ordinary income in a year.'),
  carried_in: Gains('Losses carried from earlier years, 0 or above.', 0),
  policy: Type.Enum(['avoid', 'allow', 'skip'], {
    description:
      '`avoid` holds back shares that a purchase in the window would replace, `allow` sells them and reports the ' +
      'disallowed loss, `skip` leaves out every lot of which a share would be replaced.',
  }),
  minimum_loss_minor: Minor('The smallest loss of a lot that is sold.'),
  minimum_loss_bps: Bps('The smallest loss of a lot that is sold, in basis points of its basis.'),
  minimum_net_minor: Type.Integer({
    minimum: -MINOR_MAX,
    maximum: MINOR_MAX,
    description: 'The smallest benefit of a lot that is sold: tax saved this year minus its cost.',
    examples: [1],
  }),
  cost_bps: Bps('Cost of a sale in basis points of its proceeds.', 500),
  identical: Type.Array(Type.Array(Symbol, { minItems: 2, maxItems: 20 }), {
    maxItems: 200,
    description: 'Sets of substantially identical securities. A symbol is in one set at most.',
    examples: [[['GOOG', 'GOOGL']]],
  }),
  outside_purchases: Type.Array(Purchase, {
    maxItems: 1_000,
    description: 'Purchases that were made outside of the workspace.',
  }),
  planned_purchases: Type.Array(Purchase, { maxItems: 1_000, description: 'Purchases that are planned.' }),
  horizon: Type.Enum(['now', 'year_end'], {
    description: '`year_end` adds the shares whose window closes before the end of the year.',
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
      'Gains of the calendar year so far, below 0 for losses. Default: derived from all portfolios of the tax entity.',
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
    ...terms,
    as_of: Day('The day of the sales.'),
    portfolio: { ...portfolio, description: 'The key of the portfolio.' },
    rates: Closed(
      { ...Rates.properties, ordinary_bps: Bps('Tax rate of ordinary income.') },
      { description: 'Tax rates.' },
    ),
    realised: Nullable(
      Gains('Gains of the calendar year so far, as the request states them.', -MINOR_MAX),
      'Stated gains of the calendar year; null if they are derived from the portfolios.',
    ),
    portfolios: Type.Array(PortfolioTermsSchema, {
      maxItems: 200,
      description: 'The portfolios of the tax entity and of the wash group, with their terms at submission.',
    }),
    events_until: Nullable(
      Type.String({ description: 'An instant.', examples: ['2026-11-23T15:04:05.123000Z'] }),
      'The time of recording of the last event that the run may read; null without events.',
    ),
    factor_run_uid: Nullable(
      Type.String({ description: 'A theme factor run.', examples: ['tfr_01K8ZD3V2R6M8Q4T0W5Y7A9C1E'] }),
      'The sealed theme factor run that ranks replacements; null if there is none.',
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
    price: Decimal('The close that values the lot.', '38.02'),
    price_on: Day('The day of the close.'),
    proceeds_minor: Minor('Expected proceeds.'),
    basis_minor: Minor('Tax basis of the shares.'),
    gain_minor: Signed('Proceeds minus basis: a loss is below 0.'),
    term: Type.Enum(['short', 'long'], { description: 'The holding period at `as_of`.' }),
    washed_quantity: Quantity('Shares whose loss a wash sale disallows.'),
    disallowed_minor: Minor('The disallowed part of the loss.'),
    cost_minor: Minor('The expected cost of the sale.'),
    days_to_long: Nullable(
      Type.Integer({ minimum: 1, description: 'Days.' }),
      'Days until the lot is long-term; null if it already is.',
    ),
  },
  {
    title: 'HarvestSale',
    description: 'A lot, or a part of one, to sell at a loss. Amounts are minor units.',
  },
);

const Candidate = Closed(
  {
    symbol: Symbol,
    tracking_error: Type.Number({
      minimum: 0,
      description: 'Standard deviation of the monthly return difference to the sold symbol, as a fraction.',
      examples: [0.031],
    }),
    correlation: Nullable(
      Type.Number({ description: 'Correlation of monthly returns.' }),
      'Correlation of monthly returns with the sold symbol; null under 3 common months.',
    ),
    months: Type.Integer({ minimum: 0, description: 'Number of common months.' }),
    shared_themes: Type.Array(Type.String(), { description: 'Themes that both symbols are exposed to.' }),
  },
  {
    title: 'ReplacementCandidate',
    description: 'A security with a similar exposure, which is not identical.',
  },
);

/** The sealed proposal. */
export const TaxHarvestResult = Closed(
  {
    sales: Type.Array(Sale, { description: 'By symbol, date of purchase and lot.' }),
    held_back: Type.Array(
      Closed({
        lot: Lot,
        quantity: Quantity('Shares that are not sold, because a purchase in the window would replace them.'),
        by: Type.Array(Type.String(), { description: 'References of the purchases.' }),
      }),
      { description: 'Shares that the policy holds back.' },
    ),
    not_sold: Type.Array(
      Closed({
        lot: Lot,
        reason: Type.Enum(['gain', 'below_minimum', 'washed', 'no_price'], { description: 'The reason.' }),
      }),
      { description: 'Lots that are not sold whole, each with its reason.' },
    ),
    replacement_adjustments: Type.Array(
      Closed({
        portfolio: Nullable(Type.String(), 'The portfolio of the purchase; null outside of the workspace.'),
        lot: Nullable(Type.String(), 'The lot of the purchase; null if it has none.'),
        quantity: Quantity('Shares that replace sold ones.'),
        basis_added_minor: Minor('Disallowed loss that is added to their basis.'),
        days_tacked: Type.Integer({ minimum: 0, description: 'Days added to their holding period.' }),
      }),
      { description: 'The changes of wash sales to the replacing lots.' },
    ),
    lost_minor: Minor('Disallowed loss that no basis receives.'),
    realised: Gains('Gains of the year before the proposal.', -MINOR_MAX),
    recognised: Gains('Gains that the proposal adds, after wash sales.', -MINOR_MAX),
    carried_out: Gains('Losses carried to later years, 0 or above.', 0),
    tax_before_minor: Signed(
      'Tax on the gains of the year without the proposal. Below 0: ordinary income falls.',
    ),
    tax_after_minor: Signed('Tax on the gains of the year with the proposal.'),
    saving_minor: Signed('`tax_before_minor` minus `tax_after_minor`.'),
    cost_minor: Minor('Expected cost of all sales.'),
    net_minor: Signed('Saving minus cost.'),
    deferred_minor: Signed(
      'Tax at the long-term rate that comes due later if the proceeds are invested again: the basis falls by the loss.',
    ),
    deferral_only: Type.Boolean({ description: 'Whether the saving does not exceed the deferred tax.' }),
    repurchase_not_before: Type.Array(
      Closed({ symbol: Symbol, on: Day('The first day on which a purchase replaces no sold share.') }),
      { description: 'By symbol.' },
    ),
    wash_windows: Type.Array(
      Closed({
        symbol: Symbol,
        identical: Type.Array(Type.String(), { description: 'The symbol and those identical to it.' }),
        opens_on: Day('The first day of the window.'),
        closes_on: Day('The last day of the window.'),
        purchases: Type.Array(Type.String(), { description: 'Purchases in the window, by reference.' }),
      }),
      { description: 'The windows of 61 days that the sales open, or that hold shares back.' },
    ),
    later_this_year: Type.Array(
      Closed({
        lot: Lot,
        symbol: Symbol,
        quantity: Quantity('Shares.'),
        not_before: Day('The first day on which the shares can be sold without a wash sale.'),
      }),
      { description: 'Shares held back whose window closes this year. Empty with the horizon `now`.' },
    ),
    replacements: Type.Array(
      Closed({
        symbol: Symbol,
        candidates: Type.Array(Candidate, { description: 'By tracking error.' }),
      }),
      { description: 'Candidates for each sold symbol of the factor run, by similarity.' },
    ),
    tracking_error: Nullable(
      Type.Number({ minimum: 0, description: 'Standard deviation of monthly returns, as a fraction.' }),
      'Monthly tracking error of the portfolio after the sales against before, with the first candidate in place of ' +
        'each sold symbol, or cash without one; null without a factor run.',
    ),
    assumptions: Type.Array(Type.Enum([...harvestAssumptions]), {
      description: 'Assumptions on which sources differ, or which the figures depend on.',
    }),
  },
  { title: 'TaxHarvestResult', description: 'A proposal. It is never an order. Amounts are minor units.' },
);
export type TaxHarvestResult = Static<typeof TaxHarvestResult>;

export const TaxHarvestData = Closed(
  { events_sha256: Sha256, market_sha256: Sha256 },
  { description: 'Hashes of the events and of the closes that the run read.' },
);

/** A file for `assay batch import`. */
export const HarvestOrders = Nullable(
  Closed({
    batch_reference: Type.String({
      description: 'The reference of the batch.',
      examples: ['harvest-income-2020-09-30'],
    }),
    portfolio_uid: Type.String({ description: 'The key of the portfolio.', examples: ['income'] }),
    orders: Type.Array(
      Closed({
        instrument: Closed({ symbol: Symbol }, { description: 'The security.' }),
        side: Type.Literal('sell', { description: 'Always `sell`.' }),
        quantity: Quantity('Shares to sell.'),
        order_type: Type.Literal('market', { description: 'Always `market`.' }),
        reference_price: Decimal('The close that values the shares.', '38.02'),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
        account_reference: Type.String({ description: 'The key of the portfolio.', examples: ['income'] }),
        time_in_force: Type.Literal('day', { description: 'Always `day`.' }),
        settlement_date: Day('The second weekday after `as_of`.'),
      }),
      { maxItems: 2_000, description: 'One order for each symbol.' },
    ),
  }),
  'The proposed orders, as a file for `assay batch import`; null if nothing is sold. The run itself places no orders.',
);
