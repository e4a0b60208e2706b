import { compareText } from '#lib/core/compare-text.ts';
import type { Term } from '../tax/holding-period.ts';
import type { ValuedLot } from './lot-values.ts';

/** The sum of the lots of one currency and term. */
export type LotTotal = {
  currency: string;
  term: Term;
  lots: number;
  costMinor: bigint;
  basisMinor: bigint;
  washAddedMinor: bigint;
  /** The value and the gain of the lots with a current price. */
  valueMinor: bigint;
  gainMinor: bigint;
  /** The number of lots without a current price. The next member is their basis. */
  unpricedLots: number;
  unpricedBasisMinor: bigint;
};

/** Adds lots by currency and term, in code-unit order. Amounts in different currencies are never added. */
export function lotTotals(lots: readonly ValuedLot[]): LotTotal[] {
  const totals = new Map<string, LotTotal>();
  for (const lot of lots) {
    const { currency, term } = lot;
    const key = `${currency} ${term}`;
    const total = totals.get(key) ?? { currency, term, ...nothing };
    totals.set(key, total);
    total.lots += 1;
    total.costMinor += lot.costMinor;
    total.basisMinor += lot.basisMinor;
    total.washAddedMinor += lot.washAddedMinor;
    if (lot.valueMinor === null) {
      total.unpricedLots += 1;
      total.unpricedBasisMinor += lot.basisMinor;
    } else {
      total.valueMinor += lot.valueMinor;
      total.gainMinor += lot.valueMinor - lot.basisMinor;
    }
  }
  return [...totals].toSorted(([a], [b]) => compareText(a, b)).map(([, total]) => total);
}

const nothing = {
  lots: 0,
  costMinor: 0n,
  basisMinor: 0n,
  washAddedMinor: 0n,
  valueMinor: 0n,
  gainMinor: 0n,
  unpricedLots: 0,
  unpricedBasisMinor: 0n,
};
