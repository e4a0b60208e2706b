import type { AgreementType } from '../netting/netting-set.ts';

/**
 * Glossary. All amounts are minor units of one currency, from our side. **Mark to market**: what the netting set is worth
 * to us. **Balance**: collateral that we hold (above 0) or have posted (below 0). **Open margin**: what was called and is
 * still under way, with the sign of the balance. **Independent amount**: above 0 posted by the counterparty, below 0 by
 * us. **Receive**: collateral comes to us; **pay**: it goes from us.
 */
export type MarginTerms = {
  agreementType: string;
  /** Null: not stated, which is not 0. */
  thresholdMinor: bigint | null;
  minimumTransferMinor: bigint;
  independentAmountMinor: bigint;
};

export type MarginPosition = {
  markToMarketMinor: bigint;
  collateralBalanceMinor: bigint;
  openMarginMinor: bigint;
  /** What legs are multiples of; 1 is no rounding. */
  roundingMinor: bigint;
};

export type MarginStatement = {
  /** What should be held (above 0) or posted (below 0). */
  creditSupportAmountMinor: bigint;
  /** Credit support less balance and open margin: what is missing on our side (above 0) or on theirs. */
  shortfallMinor: bigint;
  /** The sum of both legs; above 0 we receive. */
  marginCallMinor: bigint;
  direction: MarginDirection;
  /** Collateral that goes back to who posted it. */
  returnLegMinor: bigint;
  /** Collateral that is posted anew. */
  deliveryLegMinor: bigint;
  /** The balance once the call and what is under way have settled. */
  balanceAfterMinor: bigint;
  /** What we would lose, at 0 or above: with the balance of now, and with that after the call. */
  exposureBeforeMinor: bigint;
  exposureAfterMinor: bigint;
  /** What the counterparty would lose after the call, at 0 or below. */
  negativeExposureAfterMinor: bigint;
  /** Replacement cost of a margined netting set for SA-CCR. */
  replacementCostMarginedMinor: bigint;
};

export const marginDirections = ['receive', 'pay', 'none'] as const;
export type MarginDirection = (typeof marginDirections)[number];

export type MarginRefusal = {
  code: 'margin_not_determined' | 'threshold_not_stated' | 'amount_range';
  /** Written for the caller. */
  detail: string;
};

export type MarginOutcome = { ok: true; statement: MarginStatement } | { ok: false; refusal: MarginRefusal };

/** Who posts collateral. An agreement whose kind does not say so is refused, never read as bilateral. */
const posters: Readonly<Record<AgreementType, 'both' | 'counterparty' | 'us' | undefined>> = {
  bilateral: 'both',
  one_way_in_favour: 'counterparty',
  call_only: 'counterparty',
  one_way_against: 'us',
  post_only: 'us',
  tri_party: undefined,
  cleared: undefined,
  uncollateralised: undefined,
  other: undefined,
};

/**
 * The margin statement of a netting set: credit support amount, shortfall, call in two legs, and what is at risk before
 * and after it. Exact in integers of any size.
 *
 * With exposure E = mark to market + independent amount and threshold T, the same both ways, the credit support amount is
 * max(E - T, 0) where E >= 0 and min(E + T, 0) below; a side that does not post under the agreement has 0. The whole
 * shortfall is called when its size is at least the minimum transfer amount, equality included. What undoes the balance
 * (with open margin) is the return leg, the rest the delivery leg: a call that crosses zero has both. Deliveries are
 * rounded away from 0 and returns towards 0, to multiples of `roundingMinor`; the minimum is asked before rounding.
 *
 * Refusals: an agreement type that does not say who posts, a threshold that is not stated, and amounts that cannot be
 * (threshold or minimum below 0, rounding below 1).
 * Source: credit support amount and minimum transfer as in the ISDA Credit Support Annex and as computed by Open Source
 * Risk Engine, `collatexposurehelper.cpp`; replacement cost max(V - C, TH + MTA - NICA, 0) of margined netting sets,
 * with C the balance after the call: Basel Committee, "The standardised approach for measuring counterparty credit risk
 * exposures" (BCBS 279).
 *
 * Example: threshold 100, minimum 50, mark to market 600, balance -400 gives a credit support amount of 500 and a call of
 * 900, of which 400 is returned to us and 500 delivered.
 */
export function marginStatement(terms: MarginTerms, position: MarginPosition): MarginOutcome {
  const refusal = refusalOf(terms, position);
  if (refusal) return { ok: false, refusal };
  const { minimumTransferMinor, independentAmountMinor } = terms;
  const { markToMarketMinor, collateralBalanceMinor, openMarginMinor, roundingMinor } = position;
  const threshold = terms.thresholdMinor!; // it was just seen to be stated
  const held = collateralBalanceMinor + openMarginMinor;
  const creditSupport = creditSupportAmount(
    terms.agreementType,
    markToMarketMinor + independentAmountMinor,
    threshold,
  );
  const shortfall = creditSupport - held;
  const called = absolute(shortfall) >= minimumTransferMinor ? shortfall : 0n;
  const legs = legsOf(called, held, roundingMinor);
  const call = legs.returned + legs.delivered;
  const after = held + call;
  return {
    ok: true,
    statement: {
      creditSupportAmountMinor: creditSupport,
      shortfallMinor: shortfall,
      marginCallMinor: call,
      direction: call > 0n ? 'receive' : call < 0n ? 'pay' : 'none',
      returnLegMinor: legs.returned,
      deliveryLegMinor: legs.delivered,
      balanceAfterMinor: after,
      exposureBeforeMinor: larger(markToMarketMinor - collateralBalanceMinor, 0n),
      exposureAfterMinor: larger(markToMarketMinor - after, 0n),
      negativeExposureAfterMinor: smaller(markToMarketMinor - after, 0n),
      replacementCostMarginedMinor: larger(
        larger(markToMarketMinor - after, threshold + minimumTransferMinor - independentAmountMinor),
        0n,
      ),
    },
  };
}

function refusalOf(terms: MarginTerms, position: MarginPosition): MarginRefusal | undefined {
  const { agreementType, thresholdMinor, minimumTransferMinor } = terms;
  if (posterOf(agreementType) === undefined) {
    const detail = `An agreement of the type ${agreementType} does not say who posts collateral.`;
    return { code: 'margin_not_determined', detail };
  }
  if (thresholdMinor === null) {
    return {
      code: 'threshold_not_stated',
      detail: 'The agreement states no threshold, and none is taken for it.',
    };
  }
  const outOfRange = (detail: string): MarginRefusal => ({ code: 'amount_range', detail });
  if (thresholdMinor < 0n) return outOfRange('The threshold is below 0.');
  if (minimumTransferMinor < 0n) return outOfRange('The minimum transfer amount is below 0.');
  if (position.roundingMinor < 1n) return outOfRange('The rounding is below one minor unit.');
  return undefined;
}

function posterOf(agreementType: string): 'both' | 'counterparty' | 'us' | undefined {
  return Object.hasOwn(posters, agreementType) ? posters[agreementType as AgreementType] : undefined;
}

function creditSupportAmount(agreementType: string, exposure: bigint, threshold: bigint): bigint {
  const poster = posterOf(agreementType);
  if (exposure >= 0n) return poster === 'us' ? 0n : larger(exposure - threshold, 0n);
  return poster === 'counterparty' ? 0n : smaller(exposure + threshold, 0n);
}

/** The part of a call that undoes what is held or posted, and the rest. */
function legsOf(called: bigint, held: bigint, unit: bigint): { returned: bigint; delivered: bigint } {
  const undoes = called > 0n !== held > 0n;
  const returned = undoes ? smaller(absolute(called), absolute(held)) : 0n;
  const delivered = absolute(called) - returned;
  const sign = called < 0n ? -1n : 1n;
  return {
    returned: sign * (returned / unit) * unit,
    delivered: sign * ((delivered + unit - 1n) / unit) * unit,
  };
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
