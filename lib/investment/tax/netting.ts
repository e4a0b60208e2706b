import { divideDown } from '#lib/core/decimal.ts';

/** Gains of a year by term, in minor units; losses are below 0. */
export type GainsByTerm = { shortMinor: bigint; longMinor: bigint };

export type Netting = {
  /** Gains by term, after losses carried in from earlier years. */
  netShortMinor: bigint;
  netLongMinor: bigint;
  /**
   * The taxable gains by term, after a loss of one term has reduced the gain of the other term; at least 0.
   */
  taxableShortMinor: bigint;
  taxableLongMinor: bigint;
  /** The net loss that reduces ordinary income this year; at least 0. */
  deductionMinor: bigint;
  /** The losses carried to the next year, by term; at least 0. */
  carryShortMinor: bigint;
  carryLongMinor: bigint;
};

/**
 * Nets the gains of a year. Losses carried in, 0 or above, reduce the gains of their term. A net loss of one
 * term reduces a net gain of the other term. Up to `ordinaryLimitMinor` of the remaining loss reduces
 * ordinary income, short-term losses first. The rest is carried forward.
 *
 * Source: 26 U.S.C. 1222, 1211(b), 1212(b). Example: a short-term loss of 5,000.00 and a long-term gain of
 * 2,000.00 give a deduction of 3,000.00.
 */
export function netGains(
  { shortMinor, longMinor }: GainsByTerm,
  carriedIn: GainsByTerm,
  ordinaryLimitMinor: bigint,
): Netting {
  const netShortMinor = shortMinor - carriedIn.shortMinor;
  const netLongMinor = longMinor - carriedIn.longMinor;
  const isMixed = netShortMinor < 0n !== netLongMinor < 0n;
  const sum = netShortMinor + netLongMinor;
  // If one term has a loss and the other has a gain, only the term with the larger amount keeps a gain or a loss.
  const short = !isMixed ? netShortMinor : netShortMinor < 0n === sum < 0n ? sum : 0n;
  const long = !isMixed ? netLongMinor : sum - short;
  const [shortLoss, longLoss] = [lossOf(short), lossOf(long)];
  const deductionMinor = smaller(shortLoss + longLoss, ordinaryLimitMinor);
  const fromShort = smaller(shortLoss, deductionMinor);
  return {
    netShortMinor,
    netLongMinor,
    taxableShortMinor: short > 0n ? short : 0n,
    taxableLongMinor: long > 0n ? long : 0n,
    deductionMinor,
    carryShortMinor: shortLoss - fromShort,
    carryLongMinor: longLoss - (deductionMinor - fromShort),
  };
}

/** Tax rates in basis points. `ordinaryBps` is the rate of ordinary income, for the deduction. */
export type TaxRates = { shortBps: number; longBps: number; ordinaryBps: number };

/**
 * Returns the tax on netted gains in minor units, rounded down. For a net loss, the tax is minus the
 * deduction times the rate of ordinary income.
 */
export function taxMinor(
  { taxableShortMinor, taxableLongMinor, deductionMinor }: Netting,
  { shortBps, longBps, ordinaryBps }: TaxRates,
): bigint {
  return divideDown(
    taxableShortMinor * BigInt(shortBps) +
      taxableLongMinor * BigInt(longBps) -
      deductionMinor * BigInt(ordinaryBps),
    10_000n,
  );
}

function lossOf(amount: bigint): bigint {
  return amount < 0n ? -amount : 0n;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
