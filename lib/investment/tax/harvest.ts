import { compareText } from '#lib/core/compare-text.ts';
import { addDays } from '#lib/core/date.ts';
import { readerOfPrices, valueOf } from '../portfolios/lot-values.ts';
import type { Lot } from '../portfolios/lot.ts';
import { harvestClass, type ClassHarvest } from './harvest-class.ts';
import { taxOf, type LosingLot } from './harvest-sale.ts';
import { termOf, type Term } from './holding-period.ts';
import { unitedStates } from './regime.ts';
import { comparePurchases, type WashPurchase } from './wash-purchases.ts';
import type {
  HarvestAssumption,
  HarvestInput,
  HarvestOutcome,
  HarvestProposal,
  HarvestRefusal,
  HarvestWhy,
  HeldBack,
  LaterHarvest,
} from './harvest-proposal.ts';

/** Maximum number of lots in one proposal. */
export const HARVEST_LOTS_MAX = 100_000;

/**
 * Proposes sales of lots at a loss, with the tax that these sales save this year. The function places no
 * orders.
 *
 * The proposal sells every lot of the portfolio that satisfies three conditions: its loss is at least the
 * minimum; its own tax saving minus its cost is at least the minimum; and no purchase of the wash group
 * within the window replaces its shares. `policy` determines the treatment of replaced shares. Under `avoid`,
 * the purchases are treated as replacements of the held-back shares. A literal reading of 26 CFR 1.1091-1(c)
 * matches them with the shares that are sold first; the proposal states the assumption as
 * `held_back_shares_are_replaced`.
 *
 * The proceeds of each lot are rounded half to even. The basis of a part of a lot and the cost of a sale are
 * rounded down. The tax is linear in the gains after netting.
 *
 * Refuses lots in several currencies, a currency or regime that the rules do not support, a tax-exempt
 * portfolio, more than 100,000 lots, and a portfolio in which no lot has a price from the last 7 days.
 *
 * Source: 26 U.S.C. 1091, 1211(b), 1212(b), 1222, 1223(3); 26 CFR 1.1091-1, 1.1091-2.
 */
export function proposeHarvest(input: HarvestInput): HarvestOutcome {
  const lots = [...input.lots].filter(({ portfolio }) => portfolio === input.terms.portfolio);
  const refusal = refusalOf(input, lots);
  if (refusal) return { ok: false, refusal };
  const priceOf = readerOfPrices(input.prices, input.asOf);
  const why: [Lot, HarvestWhy][] = [];
  const losing: LosingLot[] = [];
  for (const lot of lots.toSorted(compareLots)) {
    const { fraction: price, otherCurrency } = priceOf(lot.symbol, lot.currency);
    if (otherCurrency !== null) why.push([lot, 'price_currency']);
    else if (price === null) why.push([lot, 'no_price']);
    else if (valueOf(lot, lot.quantity, price) >= lot.basisMinor) why.push([lot, 'gain']);
    else losing.push({ ...lot, price, term: termOf(lot.holdingSince, input.asOf) });
  }
  const classOf = classesOf(input.identical);
  const purchases = Map.groupBy(purchasesInWindow(input), ({ symbol }) => classOf(symbol));
  const harvests = [...Map.groupBy(losing, ({ symbol }) => classOf(symbol))].map(([key, candidates]) =>
    harvestClass(input, candidates, purchases.get(key) ?? []),
  );
  return { ok: true, proposal: proposalOf(input, why, harvests) };
}

function refusalOf(
  { terms, prices, asOf, regime = unitedStates }: HarvestInput,
  lots: readonly Lot[],
): HarvestRefusal | undefined {
  if (lots.length > HARVEST_LOTS_MAX)
    return { code: 'too_large', of: 'lots', observed: lots.length, most: HARVEST_LOTS_MAX };
  const isKnown = regime.washDays !== null && regime.hasTerms && regime.pooling === 'lots';
  if (!isKnown || (regime.currency !== null && terms.baseCurrency !== regime.currency))
    return { code: 'tax_regime_unsupported', currency: terms.baseCurrency };
  if (terms.accountKind === 'tax_exempt') return { code: 'account_tax_exempt' };
  const currencies = [...new Set(lots.map(({ currency }) => currency))].toSorted(compareText);
  if (currencies.some((each) => each !== terms.baseCurrency)) return { code: 'currencies_mixed', currencies };
  const priceOf = readerOfPrices(prices, asOf);
  const symbols = [...new Set(lots.map(({ symbol }) => symbol))].toSorted(compareText);
  const missing = symbols.filter((symbol) => {
    const { fraction, otherCurrency } = priceOf(symbol, terms.baseCurrency);
    return fraction === null && otherCurrency === null;
  });
  return symbols.length > 0 && missing.length === symbols.length
    ? { code: 'market_history_insufficient', observed: 0, needed: symbols.length, symbols: missing }
    : undefined;
}

function proposalOf(
  input: HarvestInput,
  before: readonly [Lot, HarvestWhy][],
  harvests: readonly ClassHarvest[],
): HarvestProposal {
  const sales = harvests.flatMap((each) => each.sales).toSorted((a, b) => compareText(a.symbol, b.symbol));
  const recognised = (term: Term) =>
    sales
      .filter((each) => each.term === term)
      .reduce((sum, { gainMinor, disallowedMinor }) => sum + gainMinor + disallowedMinor, 0n);
  const [recognisedShortMinor, recognisedLongMinor] = [recognised('short'), recognised('long')];
  const { realised } = input;
  const now = taxOf(input, realised);
  const after = taxOf(input, {
    shortMinor: realised.shortMinor + recognisedShortMinor,
    longMinor: realised.longMinor + recognisedLongMinor,
  });
  const savingNowMinor = now.tax - after.tax;
  const costMinor = sales.reduce((sum, each) => sum + each.costMinor, 0n);
  const deferredMinor =
    (-(recognisedShortMinor + recognisedLongMinor) * BigInt(input.rates.longBps)) / 10_000n;
  const held = harvests.flatMap((each) => each.heldBack);
  const days = (input.regime ?? unitedStates).washDays!;
  return {
    sales,
    heldBack: heldByLot(held),
    why: new Map(
      [...before, ...harvests.flatMap((each) => each.why)]
        .map(([lot, why]): [string, HarvestWhy] => [nameOf(lot), why])
        .toSorted(([a], [b]) => compareText(a, b)),
    ),
    replacementAdjustments: harvests.flatMap((each) => each.adjustments),
    lostForEverMinor: harvests.reduce((sum, each) => sum + each.lostMinor, 0n),
    recognisedShortMinor,
    recognisedLongMinor,
    taxBeforeMinor: now.tax,
    taxAfterMinor: after.tax,
    savingNowMinor,
    carriedShortMinor: after.net.carryShortMinor,
    carriedLongMinor: after.net.carryLongMinor,
    costMinor,
    netNowMinor: savingNowMinor - costMinor,
    deferredMinor,
    isDeferralOnly: sales.length > 0 && savingNowMinor <= deferredMinor,
    repurchaseNotBefore: new Map(sales.map(({ symbol }) => [symbol, addDays(input.asOf, days + 1)])),
    washWindows: harvests.flatMap((each) => each.windows).toSorted((a, b) => compareText(a.symbol, b.symbol)),
    laterThisYear: input.horizon === 'now' ? [] : laterOf(held, { asOf: input.asOf, days }),
    assumptions: assumptionsOf(
      input,
      held.length > 0,
      harvests.some(({ lostMinor }) => lostMinor > 0n),
    ),
  };
}

function heldByLot(held: readonly [Lot, HeldBack, string][]): Map<string, HeldBack> {
  const byLot = new Map<string, HeldBack>();
  for (const [{ lot }, { quantity, by }] of held.toSorted(([a], [b]) => compareLots(a, b))) {
    const before = byLot.get(lot) ?? { quantity: 0n, by: [] };
    byLot.set(lot, { quantity: before.quantity + quantity, by: [...new Set([...before.by, ...by])] });
  }
  return byLot;
}

/** Returns the held-back shares whose replacing purchases all leave the window before the end of the year. */
function laterOf(
  held: readonly [Lot, HeldBack, string][],
  { asOf, days }: { asOf: string; days: number },
): LaterHarvest[] {
  return held
    .filter(([, , last]) => last !== '')
    .map(([{ lot, slice, symbol }, { quantity }, last]) => {
      return { lot, slice, symbol, quantity, notBefore: addDays(last, days + 1) };
    })
    .filter(({ notBefore }) => notBefore.slice(0, 4) === asOf.slice(0, 4))
    .toSorted(
      (a, b) => compareText(a.notBefore, b.notBefore) || compareText(a.lot, b.lot) || a.slice - b.slice,
    );
}

function assumptionsOf(input: HarvestInput, isHeld: boolean, isLost: boolean): HarvestAssumption[] {
  const stated: Record<HarvestAssumption, boolean> = {
    earlier_purchases_replace: input.earlierPurchasesReplace ?? true,
    held_back_shares_are_replaced: isHeld,
    linear_rates: true,
    no_foreign_exchange: true,
    same_lot_is_replacement: input.sameLotIsReplacement ?? false,
    tax_exempt_purchase_takes_loss: isLost,
  };
  return (Object.keys(stated) as HarvestAssumption[]).filter((each) => stated[each]);
}

function purchasesInWindow({ asOf, purchases, regime = unitedStates }: HarvestInput): WashPurchase[] {
  const days = regime.washDays!;
  const [first, last] = [addDays(asOf, -days), addDays(asOf, days)];
  return purchases.filter(({ on }) => on >= first && on <= last).toSorted(comparePurchases);
}

function classesOf(identical: readonly (readonly string[])[]): (symbol: string) => string {
  const classes = new Map(identical.flatMap((set) => set.map((symbol) => [symbol, set[0]!] as const)));
  return (symbol) => classes.get(symbol) ?? symbol;
}

function nameOf({ lot, slice }: Lot): string {
  return slice === 0 ? lot : `${lot} ${slice}`;
}

function compareLots(a: Lot, b: Lot): number {
  return (
    compareText(a.acquiredOn, b.acquiredOn) ||
    compareText(a.symbol, b.symbol) ||
    compareText(a.lot, b.lot) ||
    a.slice - b.slice
  );
}
