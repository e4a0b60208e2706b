import { formatDecimal } from '#lib/core/decimal.ts';
import { wireMinor } from '#lib/core/money.ts';
import { lotName } from '../portfolios/lot.ts';
import type { HarvestProposal } from './harvest-proposal.ts';
import type { GainsByTerm } from './netting.ts';
import type { TaxHarvestResult } from './tax-harvest-result.schema.ts';

export type Proposed = {
  proposal: HarvestProposal;
  /** The price of each sold symbol, as decimal text. */
  prices: ReadonlyMap<string, { price: string; on: string }>;
  realised: GainsByTerm;
};

/** Returns the result without its replacements, as version 2 of the model seals it. */
export function harvestResult(
  proposed: Proposed,
): Omit<TaxHarvestResult, 'replacements' | 'tracking_error' | 'tracking_error_from'> {
  const { proposal } = proposed;
  return {
    ...proposalMembers(proposed),
    why: Object.fromEntries([...proposal.why].map(([lot, reason]) => [lot.replace(' ', '#'), reason])),
    lost_for_ever_minor: wireMinor(proposal.lostForEverMinor),
    recognised_short_minor: wireMinor(proposal.recognisedShortMinor),
    recognised_long_minor: wireMinor(proposal.recognisedLongMinor),
    saving_now_minor: wireMinor(proposal.savingNowMinor),
    carried_short_minor: wireMinor(proposal.carriedShortMinor),
    carried_long_minor: wireMinor(proposal.carriedLongMinor),
    net_now_minor: wireMinor(proposal.netNowMinor),
    repurchase_not_before: Object.fromEntries(proposal.repurchaseNotBefore),
  };
}

/** Returns the members that are the same in all versions of the result. */
export function proposalMembers({ proposal, prices, realised }: Proposed) {
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
    replacement_adjustments: proposal.replacementAdjustments.map((each) => ({
      portfolio: each.portfolio,
      lot: each.lot,
      quantity: formatDecimal(each.quantity),
      basis_added_minor: wireMinor(each.basisAddedMinor),
      days_tacked: each.daysTacked,
    })),
    realised: gainsOnWire(realised),
    tax_before_minor: wireMinor(proposal.taxBeforeMinor),
    tax_after_minor: wireMinor(proposal.taxAfterMinor),
    cost_minor: wireMinor(proposal.costMinor),
    deferred_minor: wireMinor(proposal.deferredMinor),
    deferral_only: proposal.isDeferralOnly,
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

export function gainsOnWire({ shortMinor, longMinor }: GainsByTerm) {
  return { short_minor: wireMinor(shortMinor), long_minor: wireMinor(longMinor) };
}
