import { compareText } from '#lib/core/compare-text.ts';
import { addDays, daysBetween } from '#lib/core/date.ts';
import type { Lot } from '../portfolios/lot.ts';
import type { Match } from './harvest-matching.ts';
import type {
  HarvestInput,
  HarvestSale,
  HarvestWhy,
  HeldBack,
  ReplacementAdjustment,
  WashWindowHit,
} from './harvest-proposal.ts';
import { disallowances, isWorth, saleOf, type LosingLot } from './harvest-sale.ts';
import { selectSales, type Selection } from './harvest-selection.ts';
import { unitedStates } from './regime.ts';
import type { WashPurchase } from './wash-purchases.ts';

/** The part of a proposal for one class of identical securities. */
export type ClassHarvest = {
  sales: HarvestSale[];
  /** Lots that are not sold now, with the date of the last purchase that replaces any of their shares. */
  heldBack: [LosingLot, HeldBack, last: string][];
  adjustments: ReplacementAdjustment[];
  lostMinor: bigint;
  why: [Lot, HarvestWhy][];
  windows: WashWindowHit[];
};

/**
 * Chooses the sales of one class of identical securities. Lots must be in the order of sale, and purchases in
 * the order of purchase.
 */
export function harvestClass(
  input: HarvestInput,
  candidates: readonly LosingLot[],
  purchases: readonly WashPurchase[],
): ClassHarvest {
  const selection = selectSales(candidates, purchases, {
    policy: input.policy,
    sameLotIsReplacement: input.sameLotIsReplacement ?? false,
    earlierPurchasesReplace: input.earlierPurchasesReplace ?? true,
    isWorth: (lot, quantity, matches) => isWorth(input, saleOf(input, lot, quantity, matches)),
  });
  const matches = Map.groupBy(selection.matches, ({ candidate }) => candidate);
  const isAllowed = input.policy === 'allow';
  const harvest: ClassHarvest = {
    sales: [],
    heldBack: [],
    adjustments: [],
    lostMinor: 0n,
    why: [...selection.dropped].map((lot) => [lot, whyDropped(input, lot, selection, matches.get(lot))]),
    windows: windowsOf(input, selection, isAllowed),
  };
  for (const [lot, quantity] of selection.sold) {
    const washed = isAllowed ? (matches.get(lot) ?? []) : [];
    harvest.sales.push(saleOf(input, lot, quantity, washed));
    for (const { purchase, quantity: replaced, disallowed } of disallowances(lot, quantity, washed)) {
      if (purchase.accountKind === 'tax_exempt') harvest.lostMinor += disallowed;
      else
        harvest.adjustments.push({
          portfolio: purchase.portfolio,
          lot: purchase.lot,
          quantity: replaced,
          basisAddedMinor: disallowed,
          daysTacked: daysBetween(lot.holdingSince, input.asOf),
        });
    }
  }
  for (const [lot, quantity] of selection.heldBack) {
    const by = matches.get(lot) ?? [];
    const last = by.reduce((date, { purchase }) => (purchase.on > date ? purchase.on : date), '');
    const references = [...new Set(by.map(({ purchase }) => purchase.reference))];
    harvest.heldBack.push([lot, { quantity, by: references }, last]);
    harvest.why.push([lot, 'washed']);
  }
  return harvest;
}

/**
 * Returns the reason why a lot is not sold: `washed` if the lot would be worth selling without its replacement
 * purchases, or if purchases replace some of its shares; otherwise `below_minimum`.
 */
function whyDropped(
  input: HarvestInput,
  lot: LosingLot,
  { heldBack }: Selection<LosingLot>,
  matches: readonly Match<LosingLot>[] = [],
): HarvestWhy {
  const isFree = isWorth(input, saleOf(input, lot, lot.quantity, []));
  return isFree || heldBack.has(lot) || matches.length > 0 ? 'washed' : 'below_minimum';
}

function windowsOf(
  { asOf, identical, regime = unitedStates }: HarvestInput,
  { sold, matches, heldBack }: Selection<LosingLot>,
  isAllowed: boolean,
): WashWindowHit[] {
  const touched = new Set([...sold.keys(), ...heldBack.keys()].map(({ symbol }) => symbol));
  const days = regime.washDays!;
  return [...touched].toSorted(compareText).map((symbol) => {
    const hits = matches.filter(
      ({ candidate }) => candidate.symbol === symbol && (isAllowed ? sold : heldBack).has(candidate),
    );
    return {
      symbol,
      identical: identical.find((set) => set.includes(symbol)) ?? [symbol],
      opensOn: addDays(asOf, -days),
      closesOn: addDays(asOf, days),
      purchases: [...new Set(hits.map(({ purchase }) => purchase.reference))],
    };
  });
}
