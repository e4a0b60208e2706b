import { absolute } from '#lib/core/money.ts';
import type { AgreementType } from '../netting/netting-set.ts';

/**
 * Glossary. All amounts are minor units of one currency, from our side.
 * - **Mark to market**: value of the netting set to us.
 * - **Balance**: collateral that we hold (above 0) or have posted (below 0).
 * - **Open margin**: collateral that was called and has not settled, with the sign of the balance.
 * - **Independent amount**: above 0 if posted by the counterparty, below 0 if posted by us.
 * - **Receive**: collateral comes to us. **Pay**: collateral leaves us.
 */
export type MarginTerms = {
  agreementType: string;
  /**
   * Exposure above which collateral is required. Null means that the terms do not state a threshold. Null is not the
   * same as 0.
   */
  thresholdMinor: bigint | null;
  minimumTransferMinor: bigint;
  independentAmountMinor: bigint;
};

export type MarginPosition = {
  markToMarketMinor: bigint;
  collateralBalanceMinor: bigint;
  openMarginMinor: bigint;
  /** Each leg is rounded to a multiple of this amount. 1 means no rounding. */
  roundingMinor: bigint;
};

export type MarginStatement = {
  /** The credit support amount: collateral that we should hold (above 0) or have posted (below 0). */
  creditSupportAmountMinor: bigint;
  /**
   * Credit support amount minus balance and open margin. If above 0, we hold too little collateral; if below 0, the
   * counterparty holds too little.
   */
  shortfallMinor: bigint;
  /** Sum of both legs. Above 0, we receive collateral; below 0, we pay. */
  marginCallMinor: bigint;
  direction: MarginDirection;
  /** The return leg of the call: collateral that goes back to the party that posted it. */
  returnLegMinor: bigint;
  /** The delivery leg of the call: newly posted collateral. */
  deliveryLegMinor: bigint;
  /** Balance once the call and the open margin have settled. */
  balanceAfterMinor: bigint;
  /**
   * Our loss if the counterparty defaults, 0 or above, with the current balance. The next member is the loss with the
   * balance after the call.
   */
  exposureBeforeMinor: bigint;
  exposureAfterMinor: bigint;
  /** The counterparty's loss if we default, with the balance after the call, as 0 or a negative amount. */
  negativeExposureAfterMinor: bigint;
  /** Replacement cost of a margined netting set for SA-CCR. */
  replacementCostMarginedMinor: bigint;
};

export const marginDirections = ['receive', 'pay', 'none'] as const;
export type MarginDirection = (typeof marginDirections)[number];

export type MarginRefusal = {
  code: 'margin_not_determined' | 'threshold_not_stated' | 'amount_range';
  /** Reason of the refusal, as text for the caller. */
  detail: string;
};

export type MarginOutcome = { ok: true; statement: MarginStatement } | { ok: false; refusal: MarginRefusal };

/**
 * The parties that post collateral under each agreement type. A type that does not state the posting parties is refused
 * and never treated as bilateral.
 */
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
 * Computes the margin statement of a netting set: the credit support amount, the shortfall, the call in two legs, and
 * the exposure before and after the call. The arithmetic is exact for integers of any size.
 *
 * Let E be the exposure (mark to market + independent amount) and T the threshold, the same for both parties. The
 * credit support amount is max(E - T, 0) if E >= 0, and min(E + T, 0) otherwise. The amount is 0 if the party that
 * would have to post does not post under the agreement. The whole shortfall is called if its size is at least the
 * minimum transfer amount. The return leg reverses the balance including the open margin. The delivery leg is the
 * remainder of the call. A call that crosses zero has both legs. Deliveries are rounded away from 0 and returns towards
 * 0, to multiples of `roundingMinor`. The minimum transfer amount is compared before rounding.
 *
 * Refuses an agreement type that does not state who posts, a threshold that is not stated, and amounts out of range
 * (threshold or minimum below 0, rounding below 1).
 * Source: credit support amount and minimum transfer as in the ISDA Credit Support Annex and as computed by Open Source
 * Risk Engine, `collatexposurehelper.cpp`; replacement cost max(V - C, TH + MTA - NICA, 0) of margined netting sets,
 * with C the balance after the call: Basel Committee, "The standardised approach for measuring counterparty credit risk
 * exposures" (BCBS 279).
 *
 * Example: threshold 100, minimum 50, mark to market 600, balance -400 gives a credit support amount of 500 and a call
 * of 900, of which 400 is returned to us and 500 delivered.
 */
export function marginStatement(terms: MarginTerms, position: MarginPosition): MarginOutcome {
  const refusal = refusalOf(terms, position);
  if (refusal) return { ok: false, refusal };
  const { minimumTransferMinor, independentAmountMinor } = terms;
  const { markToMarketMinor, collateralBalanceMinor, openMarginMinor, roundingMinor } = position;
  const threshold = terms.thresholdMinor!; // checked above: the threshold is stated
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
    const detail = `An agreement of type ${agreementType} does not determine which party posts collateral.`;
    return { code: 'margin_not_determined', detail };
  }
  if (thresholdMinor === null) {
    return {
      code: 'threshold_not_stated',
      detail: 'The agreement states no threshold, and no default is assumed. Record terms with a threshold.',
    };
  }
  const outOfRange = (detail: string): MarginRefusal => ({ code: 'amount_range', detail });
  if (thresholdMinor < 0n) return outOfRange('The threshold is below 0. It must be 0 or above.');
  if (minimumTransferMinor < 0n)
    return outOfRange('The minimum transfer amount is below 0. It must be 0 or above.');
  if (position.roundingMinor < 1n)
    return outOfRange('The rounding unit is below one minor unit. It must be 1 or above.');
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

/** Splits a call into two legs: the part that reverses the collateral held or posted, and the rest. */
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

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
