import { daysBetween } from '#lib/core/date.ts';
import type { Fraction } from '#lib/core/decimal.ts';
import { valueOf } from '../portfolios/lot-values.ts';
import type { Lot } from '../portfolios/lot.ts';
import type { Match } from './harvest-matching.ts';
import type { HarvestInput, HarvestSale } from './harvest-proposal.ts';
import type { Term } from './holding-period.ts';
import { netGains, taxMinor, type GainsByTerm, type Netting } from './netting.ts';
import { unitedStates } from './regime.ts';

/** An open lot whose value is below its basis. */
export type LosingLot = Lot & { price: Fraction; term: Term };

/**
 * Returns the sale of some shares of a lot. The basis of a part of the lot is rounded down. The sale of the
 * whole lot has the whole basis.
 */
export function saleOf(
  { asOf, costBps }: HarvestInput,
  lot: LosingLot,
  quantity: bigint,
  washed: readonly Match<LosingLot>[],
): HarvestSale {
  const proceedsMinor = valueOf(lot, quantity, lot.price);
  const basisMinor = basisOf(lot, quantity);
  const parts = disallowances(lot, quantity, washed);
  return {
    lot: lot.lot,
    slice: lot.slice,
    symbol: lot.symbol,
    quantity,
    proceedsMinor,
    basisMinor,
    gainMinor: proceedsMinor - basisMinor,
    term: lot.term,
    washedQuantity: washed.reduce((sum, each) => sum + each.quantity, 0n),
    disallowedMinor: parts.reduce((sum, { disallowed }) => sum + disallowed, 0n),
    costMinor: (proceedsMinor * BigInt(costBps)) / 10_000n,
    daysToLong: lot.term === 'long' ? null : daysBetween(asOf, lot.longFrom),
  };
}

/**
 * Divides the loss of a sale among the matched replacement shares. Each part is rounded down. If all sold
 * shares are matched, the last part gets the rest.
 */
export function disallowances(lot: LosingLot, quantity: bigint, washed: readonly Match<LosingLot>[]) {
  let left = basisOf(lot, quantity) - valueOf(lot, quantity, lot.price);
  let shares = quantity;
  return washed.map((match) => {
    const disallowed = left > 0n ? (left * match.quantity) / shares : 0n;
    left -= disallowed;
    shares -= match.quantity;
    return { ...match, disallowed };
  });
}

function basisOf({ basisMinor, quantity: held }: Lot, quantity: bigint): bigint {
  return quantity === held ? basisMinor : (basisMinor * quantity) / held;
}

/** Whether the sale satisfies every minimum of the request. */
export function isWorth(input: HarvestInput, sale: HarvestSale): boolean {
  const loss = -sale.gainMinor;
  if (loss <= 0n || loss < input.minimumLossMinor) return false;
  if (loss * 10_000n < sale.basisMinor * BigInt(input.minimumLossBps)) return false;
  if (input.minimumNetMinor === null) return true;
  const { realised } = input;
  const recognised = sale.gainMinor + sale.disallowedMinor;
  const after: GainsByTerm = {
    shortMinor: realised.shortMinor + (sale.term === 'short' ? recognised : 0n),
    longMinor: realised.longMinor + (sale.term === 'long' ? recognised : 0n),
  };
  const saving = taxOf(input, realised).tax - taxOf(input, after).tax;
  return saving - sale.costMinor >= input.minimumNetMinor;
}

/** Returns the tax of a year with these gains, and the netting from which the tax is computed. */
export function taxOf(input: HarvestInput, gains: GainsByTerm): { net: Netting; tax: bigint } {
  const { ordinaryLimitMinor = (input.regime ?? unitedStates).ordinaryLimitMinor } = input;
  const net = netGains(gains, input.carriedIn, ordinaryLimitMinor);
  return { net, tax: taxMinor(net, input.rates) };
}
