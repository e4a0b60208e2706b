import { divideDown } from '#lib/core/decimal.ts';

/** Gains of a year by term, in minor units; losses are below 0. */
export type GainsByTerm = { shortMinor: bigint; longMinor: bigint };

export type Netting = {
  /** Gains after losses carried in, by term. */
  netShortMinor: bigint;
  netLongMinor: bigint;
  /** The gains that are taxed after a loss of one term was set against a gain of the other; 0 or above. */
  taxableShortMinor: bigint;
  taxableLongMinor: bigint;
  /** The net loss that reduces ordinary income this year, 0 or above. */
  deductionMinor: bigint;
  /** The losses carried to the next year, with their character, 0 or above. */
  carryShortMinor: bigint;
  carryLongMinor: bigint;
};

/**
 * Nets the gains of a year. Losses carried in, 0 or above, reduce the gains of their term. A net loss of one term is
 * set against a net gain of the other. Of what remains, `ordinaryLimitMinor` reduces ordinary income, the short-term
 * loss first; the rest is carried forward.
 *
 * Source: 26 U.S.C. 1222, 1211(b), 1212(b). Example: short-term -5,000.00 and long-term 2,000.00 deduct 3,000.00.
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
  // A gain and a loss leave the character of the larger one.
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

/** Tax rates in basis points. `ordinaryBps` values the deduction from ordinary income. */
export type TaxRates = { shortBps: number; longBps: number; ordinaryBps: number };

/**
 * Returns the tax on netted gains in minor units, rounded down. A net loss gives a tax below 0: the deduction times
 * the rate of ordinary income.
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
