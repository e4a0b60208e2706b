import { withinRange } from '../portfolios/amount-range.ts';
import { parseDecimal } from '#lib/core/decimal.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import { describeFault } from '../portfolios/lot-fault-text.ts';
import type { Lot } from '../portfolios/lot.ts';
import { pricesBySymbol, readerOfPrices } from '../portfolios/lot-values.ts';
import type { Lots } from '../portfolios/lots.ts';
import { lotsOfGroup, parseGroup, type PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { recognisedGains } from '../portfolios/recognised-gains.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import { harvestOrders } from './harvest-orders.ts';
import { HARVEST_MODEL, type HarvestModel } from './harvest-models.ts';
import type { HarvestRefusal } from './harvest-proposal.ts';
import { harvestReplacements1 } from './harvest-replacements-1.ts';
import { harvestReplacements } from './harvest-replacements.ts';
import { harvestResult1 } from './harvest-result-1.ts';
import { harvestResult, type Proposed } from './harvest-result.ts';
import { proposeHarvest } from './harvest.ts';
import type { GainsByTerm } from './netting.ts';
import { regimes, unitedStates } from './regime.ts';
import type { TaxHarvestResult1 } from './tax-harvest-result-1.schema.ts';
import type { TaxHarvestResult } from './tax-harvest-result.schema.ts';
import type { TaxHarvestInput } from './tax-harvest.schema.ts';
import { washPurchases, type WashPurchase } from './wash-purchases.ts';

/** Number of months of returns from which the similarity of securities is measured. */
export const SIMILARITY_MONTHS = 36;
/** Maximum number of securities from which replacements are chosen. */
export const CANDIDATES_MAX = 2_000;

/** The data of a tax harvest, as known at its as-of date. */
export type TaxHarvestData = {
  /** The model of the run. */
  model: HarvestModel;
  group: PortfolioGroup;
  closes: LastClose[];
  /** The run by which replacements are ranked; undefined if no replacements are requested. */
  factorRun: FactorRun | undefined;
  /**
   * Simple monthly returns by symbol: over the 36 months before the as-of date or, for version 1 of the model, over the
   * months of the factor run.
   */
  returns: Record<string, (number | null)[]>;
  /** The sector by symbol, for replacements of the same sector; otherwise empty. */
  sectors: Readonly<Record<string, string>>;
  /** Whether there are more candidates for replacements than a run may read. If true, none were read. */
  hasTooManyCandidates: boolean;
};

export type TaxHarvestOutcome =
  | {
      ok: true;
      input_data: { events_sha256: string; market_sha256: string };
      result: TaxHarvestResult | TaxHarvestResult1;
      orders: ReturnType<typeof harvestOrders>;
    }
  | { ok: false; refusal: HarvestRefusal | { code: 'portfolio_inconsistent'; detail: string } };

/**
 * Derives the lots of a portfolio, and proposes lots to sell at a loss. See `proposeHarvest` for the rules.
 */
export function taxHarvest(input: TaxHarvestInput, data: TaxHarvestData): TaxHarvestOutcome {
  const outcome = withinRange(() => harvestOf(input, data));
  if (!('state' in outcome)) return outcome;
  return { ok: false, refusal: { code: 'portfolio_inconsistent', detail: outcome.detail } };
}

function harvestOf(input: TaxHarvestInput, data: TaxHarvestData): TaxHarvestOutcome {
  const { portfolio, as_of: asOf } = input;
  const derived = lotsOfGroup(parseGroup(data.group));
  const fault = derived.faults[0];
  if (fault) {
    const detail = `The lots of ${fault.portfolio} cannot be derived. ${describeFault(fault)}.`;
    return { ok: false, refusal: { code: 'portfolio_inconsistent', detail } };
  }
  const terms = data.group.portfolios.find((each) => each.portfolio === portfolio)!;
  if (data.hasTooManyCandidates)
    return { ok: false, refusal: { code: 'too_large', of: 'candidates', most: CANDIDATES_MAX } };
  const prices = pricesBySymbol(data.closes, terms);
  const realised = realisedOf(input, derived, data.group);
  const outcome = proposeHarvest({
    asOf,
    terms,
    lots: derived.lots,
    prices,
    purchases: washPurchases({
      lots: derived.lots,
      portfolios: data.group.portfolios,
      washGroup: terms.washGroup,
      asOf,
      days: unitedStates.washDays!,
      others: [
        ...otherPurchases(input.outside_purchases, 'outside'),
        ...otherPurchases(input.planned_purchases, 'planned'),
      ],
    }),
    rates: {
      shortBps: input.rates.short_bps,
      longBps: input.rates.long_bps,
      ordinaryBps: input.rates.ordinary_bps,
    },
    realised,
    carriedIn: gainsOf(input.carried_in),
    policy: input.policy,
    minimumLossMinor: BigInt(input.minimum_loss_minor),
    minimumLossBps: input.minimum_loss_bps,
    minimumNetMinor: BigInt(input.minimum_net_minor),
    costBps: input.cost_bps,
    identical: input.identical,
    horizon: input.horizon,
    ordinaryLimitMinor: BigInt(input.ordinary_limit_minor),
    regime: regimes[terms.taxRegime],
  });
  if (!outcome.ok) return outcome;
  const { proposal } = outcome;
  const orders = harvestOrders(proposal.sales, {
    portfolio,
    asOf,
    currency: terms.baseCurrency,
    prices,
  });
  const proposed = { proposal, prices, realised };
  const market = [data.closes, data.group.splits];
  const isFirst = data.model !== HARVEST_MODEL;
  return {
    ok: true,
    input_data: {
      events_sha256: sha256(data.group.events),
      market_sha256: canonicalHash(isFirst ? market : [...market, data.returns, data.sectors]),
    },
    result: isFirst
      ? resultOf1(input, data, { proposed, derived })
      : resultOf(input, data, { proposed, derived }),
    orders,
  };
}

type Found = { proposed: Proposed; derived: Lots };

function resultOf(
  input: TaxHarvestInput,
  { closes, factorRun, returns, sectors, group }: TaxHarvestData,
  { proposed, derived }: Found,
): TaxHarvestResult {
  const { replacements } = input;
  if (typeof replacements === 'number') throw new Error('the input is one of version 1 of the model');
  const terms = group.portfolios.find((each) => each.portfolio === input.portfolio)!;
  const priceOf = readerOfPrices(pricesBySymbol(closes, terms), input.as_of);
  const values = valuesOf(input.portfolio, derived, ({ symbol, currency }) => {
    const { price, fraction } = priceOf(symbol, currency);
    return fraction === null ? undefined : price!.price;
  });
  const similar = harvestReplacements({ ...replacements, identical: input.identical }, proposed.proposal, {
    factorRun,
    returns,
    sectors,
    values,
  });
  return { ...harvestResult(proposed), ...similar };
}

function resultOf1(
  { identical, replacements: most, portfolio }: TaxHarvestInput,
  { factorRun, returns }: TaxHarvestData,
  { proposed, derived }: Found,
): TaxHarvestResult1 {
  if (typeof most !== 'number') throw new Error('the input is not one of version 1 of the model');
  const values = valuesOf(portfolio, derived, ({ symbol }) => proposed.prices.get(symbol)?.price);
  const similar = harvestReplacements1({ identical, most }, proposed.proposal, {
    factorRun,
    returns,
    values,
  });
  return { ...harvestResult1(proposed), ...similar };
}

function realisedOf(
  input: TaxHarvestInput,
  { disposals }: Lots,
  { portfolios }: PortfolioGroup,
): GainsByTerm {
  if (input.realised) return gainsOf(input.realised);
  const terms = portfolios.find((each) => each.portfolio === input.portfolio)!;
  const from = `${input.as_of.slice(0, 4)}-01-01`;
  return recognisedGains({
    disposals,
    portfolios,
    taxEntity: terms.taxEntity,
    from,
    to: input.as_of,
    currency: terms.baseCurrency,
  });
}

function otherPurchases(
  purchases: TaxHarvestInput['outside_purchases'],
  kind: 'outside' | 'planned',
): WashPurchase[] {
  return purchases.map(({ symbol, on, quantity, account_kind }, at) => ({
    portfolio: null,
    lot: null,
    reference: `${kind}_purchases/${at}`,
    symbol,
    on,
    quantity: parseDecimal(quantity)!,
    accountKind: account_kind,
  }));
}

/** Returns the value of a portfolio's shares of each symbol with a price, in major units. */
function valuesOf(
  portfolio: string,
  { lots }: Lots,
  priceOf: (lot: Lot) => string | undefined,
): Map<string, number> {
  const values = new Map<string, number>();
  for (const lot of lots) {
    if (lot.portfolio !== portfolio) continue;
    const price = priceOf(lot);
    if (price === undefined) continue;
    const value = (Number(lot.quantity) / 1e8) * Number(price);
    values.set(lot.symbol, (values.get(lot.symbol) ?? 0) + value);
  }
  return values;
}

function gainsOf({ short_minor, long_minor }: { short_minor: number; long_minor: number }): GainsByTerm {
  return { shortMinor: BigInt(short_minor), longMinor: BigInt(long_minor) };
}
