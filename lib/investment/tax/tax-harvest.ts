import { withinRange } from '../portfolios/amount-range.ts';
import { formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import { describeFault } from '../portfolios/lot-fault-text.ts';
import { lotName } from '../portfolios/lot.ts';
import { pricesBySymbol } from '../portfolios/lot-values.ts';
import type { Lots } from '../portfolios/lots.ts';
import { lotsOfGroup, parseGroup, type PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { recognisedGains } from '../portfolios/recognised-gains.ts';
import type { FactorRun } from '../theme-factors/factor-run.query.ts';
import { harvestOrders } from './harvest-orders.ts';
import type { HarvestProposal, HarvestRefusal } from './harvest-proposal.ts';
import { harvestReplacements } from './harvest-replacements.ts';
import { proposeHarvest } from './harvest.ts';
import type { GainsByTerm } from './netting.ts';
import { regimes, unitedStates } from './regime.ts';
import type { TaxHarvestInput, TaxHarvestResult } from './tax-harvest.schema.ts';
import { washPurchases, type WashPurchase } from './wash-purchases.ts';

/** The data of a tax harvest, as known at its as-of date. */
export type TaxHarvestData = {
  group: PortfolioGroup;
  closes: LastClose[];
  /** The run by which replacements are ranked; undefined if no replacements are requested. */
  factorRun: FactorRun | undefined;
  /** Simple monthly returns of the symbols of the factor run, by symbol, over the months of the run. */
  returns: Record<string, (number | null)[]>;
};

export type TaxHarvestOutcome =
  | {
      ok: true;
      input_data: { events_sha256: string; market_sha256: string };
      result: TaxHarvestResult;
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
  const prices = pricesBySymbol(data.closes);
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
  const similar = harvestReplacements(input, proposal, {
    factorRun: data.factorRun,
    returns: data.returns,
    values: valuesOf(portfolio, derived, prices),
  });
  const orders = harvestOrders(proposal.sales, {
    portfolio,
    asOf,
    currency: terms.baseCurrency,
    prices,
  });
  return {
    ok: true,
    input_data: {
      events_sha256: sha256(data.group.events),
      market_sha256: canonicalHash([data.closes, data.group.splits]),
    },
    result: { ...presentProposal(proposal, prices, realised), ...similar },
    orders,
  };
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
  prices: ReadonlyMap<string, { price: string }>,
): Map<string, number> {
  const values = new Map<string, number>();
  for (const lot of lots) {
    const price = prices.get(lot.symbol)?.price;
    if (lot.portfolio !== portfolio || price === undefined) continue;
    const value = (Number(lot.quantity) / 1e8) * Number(price);
    values.set(lot.symbol, (values.get(lot.symbol) ?? 0) + value);
  }
  return values;
}

type Priced = ReadonlyMap<string, { price: string; on: string }>;

function presentProposal(
  proposal: HarvestProposal,
  prices: Priced,
  realised: GainsByTerm,
): Omit<TaxHarvestResult, 'replacements' | 'tracking_error'> {
  return {
    sales: proposal.sales.map((sale) => ({
      lot: lotName(sale),
      symbol: sale.symbol,
      quantity: formatDecimal(sale.quantity),
      price: prices.get(sale.symbol)!.price,
      price_on: prices.get(sale.symbol)!.on,
      proceeds_minor: wireMinor(sale.proceedsMinor),
      basis_minor: wireMinor(sale.basisMinor),
      gain_minor: wireMinor(sale.gainMinor),
      term: sale.term,
      washed_quantity: formatDecimal(sale.washedQuantity),
      disallowed_minor: wireMinor(sale.disallowedMinor),
      cost_minor: wireMinor(sale.costMinor),
      days_to_long: sale.daysToLong,
    })),
    held_back: [...proposal.heldBack].map(([lot, { quantity, by }]) => ({
      lot,
      quantity: formatDecimal(quantity),
      by,
    })),
    not_sold: [...proposal.why].map(([lot, reason]) => ({ lot: lot.replace(' ', '#'), reason })),
    replacement_adjustments: proposal.replacementAdjustments.map((each) => ({
      portfolio: each.portfolio,
      lot: each.lot,
      quantity: formatDecimal(each.quantity),
      basis_added_minor: wireMinor(each.basisAddedMinor),
      days_tacked: each.daysTacked,
    })),
    lost_minor: wireMinor(proposal.lostForEverMinor),
    realised: gainsOnWire(realised),
    recognised: gainsOnWire({
      shortMinor: proposal.recognisedShortMinor,
      longMinor: proposal.recognisedLongMinor,
    }),
    carried_out: gainsOnWire({
      shortMinor: proposal.carriedShortMinor,
      longMinor: proposal.carriedLongMinor,
    }),
    tax_before_minor: wireMinor(proposal.taxBeforeMinor),
    tax_after_minor: wireMinor(proposal.taxAfterMinor),
    saving_minor: wireMinor(proposal.savingNowMinor),
    cost_minor: wireMinor(proposal.costMinor),
    net_minor: wireMinor(proposal.netNowMinor),
    deferred_minor: wireMinor(proposal.deferredMinor),
    deferral_only: proposal.isDeferralOnly,
    repurchase_not_before: [...proposal.repurchaseNotBefore].map(([symbol, on]) => ({ symbol, on })),
    wash_windows: proposal.washWindows.map((each) => ({
      symbol: each.symbol,
      identical: [...each.identical],
      opens_on: each.opensOn,
      closes_on: each.closesOn,
      purchases: each.purchases,
    })),
    later_this_year: proposal.laterThisYear.map((each) => ({
      lot: lotName(each),
      symbol: each.symbol,
      quantity: formatDecimal(each.quantity),
      not_before: each.notBefore,
    })),
    assumptions: proposal.assumptions,
  };
}

function gainsOf({ short_minor, long_minor }: { short_minor: number; long_minor: number }): GainsByTerm {
  return { shortMinor: BigInt(short_minor), longMinor: BigInt(long_minor) };
}

function gainsOnWire({ shortMinor, longMinor }: GainsByTerm) {
  return { short_minor: wireMinor(shortMinor), long_minor: wireMinor(longMinor) };
}
