import { expMinusOne } from '#lib/numerics/exponential-minus-one.ts';

/** The exposure profile at dates 0, 1, ... n. Date 0 is the valuation date. All lists have n + 1 elements. */
export type ExposureProfile = {
  /** Time of each date in years from the valuation date: 0, then ascending. */
  timesYears: ArrayLike<number>;
  /**
   * Expected positive exposure at each date, discounted to the valuation date, 0 or above. The next list is the
   * expected negative exposure, in the same form.
   */
  positiveDiscounted: ArrayLike<number>;
  negativeDiscounted: ArrayLike<number>;
};

export type AdjustmentTerms = {
  /** Probability that the counterparty survives to each date of the profile. */
  counterpartySurvival: ArrayLike<number>;
  ownSurvival: ArrayLike<number>;
  /** Share of the exposure that is lost in a default, 0 to 1. */
  counterpartyLossGivenDefault: number;
  ownLossGivenDefault: number;
  /**
   * Our spread over the discount curve for borrowing, continuously compounded, per year, as a fraction. `lendSpread`
   * has the same form.
   */
  borrowSpread: number;
  lendSpread: number;
  /** `unilateral`: only one party can default. `first_to_default`: the other party must have survived. */
  defaults: 'unilateral' | 'first_to_default';
};

/** The valuation adjustments, in the unit of the profile. `cva` and `fca` are costs, `dva` and `fba` are benefits. */
export type ValuationAdjustments = {
  cva: number;
  dva: number;
  /** Bilateral credit valuation adjustment: `cva - dva`. */
  bcva: number;
  fca: number;
  fba: number;
  /** Funding valuation adjustment: `fca - fba`. */
  fva: number;
};

/**
 * Computes the credit, debit and funding valuation adjustments of an exposure profile.
 *
 * CVA = LGD sum E+(t_i) (S(t_{i-1}) - S(t_i)), with the exposure at the end of each interval. DVA is the same sum with
 * E- and our own default. With `first_to_default`, each term is multiplied by the survival probability of the other
 * party to the start of the interval. FCA = sum E+(t_i) S(t_{i-1}) S_own(t_{i-1}) (exp(b dt) - 1) with the borrowing
 * spread b; FBA is the same sum with E- and the lending spread. Both funding sums require that both parties survive.
 * Sums run forward from the first interval. If our own spread determines both DVA and FBA, DVA and FBA count the same
 * benefit twice. This function therefore never adds DVA and FBA.
 *
 * Shapes: all lists have the length of the times, n + 1 for n intervals. Unit: the unit of the exposures. Throws a
 * `RangeError` on lists of different lengths, fewer than two dates, a first time other than 0, and times that do not
 * ascend.
 * Source: Gregory, "The xVA Challenge" (2015), the chapters on CVA, DVA and FVA. The discretisation follows Open Source
 * Risk Engine, whose published CVA of example 1 is reproduced to the cent.
 *
 * Example: two dates 0 and 1, exposures [0, 100] and [0, 0], survival [1, 0.98] and [1, 1], LGD 0.6 gives a CVA of 1.2.
 */
export function valuationAdjustments(profile: ExposureProfile, terms: AdjustmentTerms): ValuationAdjustments {
  checkShapes(profile, terms);
  const { timesYears, positiveDiscounted, negativeDiscounted } = profile;
  const { counterpartySurvival, ownSurvival } = terms;
  const isFirst = terms.defaults === 'first_to_default';
  let defaultLoss = 0;
  let ownDefaultLoss = 0;
  let fca = 0;
  let fba = 0;
  for (let i = 1; i < timesYears.length; i += 1) {
    const counterpartyLives = counterpartySurvival[i - 1]!;
    const ownLives = ownSurvival[i - 1]!;
    const counterpartyDefaults = counterpartyLives - counterpartySurvival[i]!;
    const ownDefaults = ownLives - ownSurvival[i]!;
    const positive = positiveDiscounted[i]!;
    const negative = negativeDiscounted[i]!;
    const years = timesYears[i]! - timesYears[i - 1]!;
    defaultLoss += positive * counterpartyDefaults * (isFirst ? ownLives : 1);
    ownDefaultLoss += negative * ownDefaults * (isFirst ? counterpartyLives : 1);
    fca += positive * counterpartyLives * ownLives * expMinusOne(terms.borrowSpread * years);
    fba += negative * counterpartyLives * ownLives * expMinusOne(terms.lendSpread * years);
  }
  const cva = terms.counterpartyLossGivenDefault * defaultLoss;
  const dva = terms.ownLossGivenDefault * ownDefaultLoss;
  return { cva, dva, bcva: cva - dva, fca, fba, fva: fca - fba };
}

function checkShapes(profile: ExposureProfile, terms: AdjustmentTerms): void {
  const { timesYears, positiveDiscounted, negativeDiscounted } = profile;
  const lists = [positiveDiscounted, negativeDiscounted, terms.counterpartySurvival, terms.ownSurvival];
  if (lists.some(({ length }) => length !== timesYears.length)) {
    throw new RangeError('exposures and survival must have one value for each time');
  }
  if (timesYears.length < 2) throw new RangeError('a profile must have at least two times');
  if (timesYears[0] !== 0) throw new RangeError('the first time of a profile must be 0');
  for (let i = 1; i < timesYears.length; i += 1) {
    if (!(timesYears[i]! > timesYears[i - 1]!)) throw new RangeError('the times of a profile must ascend');
  }
}
