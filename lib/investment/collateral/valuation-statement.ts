import { daysBetween } from '#lib/core/date.ts';
import { fitsTheWire, toMinor, wireMinor } from '#lib/core/money.ts';
import { expectedExposure } from '../theme-factors/normal-exposure.ts';
import { survivalProbabilities } from './survival-curve.ts';
import {
  valuationAdjustments,
  type AdjustmentTerms,
  type ExposureProfile,
  type ValuationAdjustments,
} from './valuation-adjustments.ts';
import type {
  ValuationAdjustmentsInput,
  ValuationAdjustmentsResult,
} from './valuation-adjustments.schema.ts';

export type ValuationOutcome =
  | { ok: true; result: ValuationAdjustmentsResult }
  | { ok: false; refusal: { code: 'survival_rises' | 'amount_range'; detail: string } };

const DAYS_A_YEAR = 365;

type Curve = ValuationAdjustmentsInput['counterparty_curve'];
type Figures = ValuationAdjustmentsResult['unilateral'];

/**
 * Computes the valuation adjustments of a request in minor units. The lists and dates of the request must already be
 * checked. Years are days over 365 (Act/365 fixed). Exposures are taken as given or derived from a normal value, and
 * multiplied by the discount factors. Amounts are rounded half to even. BCVA and FVA are differences of rounded
 * amounts.
 *
 * Refuses a curve with a rising survival probability, which results from spreads that fall too fast. Refuses amounts
 * that a JSON integer cannot hold.
 */
export function valuationStatement(input: ValuationAdjustmentsInput): ValuationOutcome {
  const { profile, valuation_date, counterparty_curve, own_curve } = input;
  const timesYears = profile.dates.map((date) => daysBetween(valuation_date, date) / DAYS_A_YEAR);
  const exposures = discountedExposures(profile, timesYears);
  const counterpartySurvival = survivalOf(counterparty_curve, valuation_date, timesYears);
  const ownSurvival = survivalOf(own_curve, valuation_date, timesYears);
  for (const [name, survival] of Object.entries({
    counterparty_curve: counterpartySurvival,
    own_curve: ownSurvival,
  })) {
    const rise = survival.findIndex((share, index) => index > 0 && share > survival[index - 1]!);
    if (rise < 0) continue;
    const detail = `The curve ${name} gives ${profile.dates[rise]} a higher survival probability than the previous date. Survival probabilities must not rise over time.`;
    return { ok: false, refusal: { code: 'survival_rises', detail } };
  }
  const terms = {
    counterpartySurvival,
    ownSurvival,
    counterpartyLossGivenDefault: counterparty_curve.loss_given_default,
    ownLossGivenDefault: own_curve.loss_given_default,
    borrowSpread: input.borrow_spread,
    lendSpread: input.lend_spread,
  };
  const figures = (defaults: AdjustmentTerms['defaults']) =>
    inMinor(valuationAdjustments(exposures, { ...terms, defaults }));
  const unilateral = figures('unilateral');
  const firstToDefault = figures('first_to_default');
  if (!unilateral || !firstToDefault) {
    const detail = 'An adjustment is larger than a JSON integer can hold.';
    return { ok: false, refusal: { code: 'amount_range', detail } };
  }
  const dates = profile.dates.map((date, index) => ({
    date,
    years: timesYears[index]!,
    positive_discounted: exposures.positiveDiscounted[index]!,
    negative_discounted: exposures.negativeDiscounted[index]!,
    counterparty_survival: counterpartySurvival[index]!,
    own_survival: ownSurvival[index]!,
  }));
  return { ok: true, result: { unilateral, first_to_default: firstToDefault, dates } };
}

function discountedExposures(
  profile: ValuationAdjustmentsInput['profile'],
  timesYears: number[],
): ExposureProfile {
  const { mean, stdev, expected_positive_exposure, expected_negative_exposure, discount_factors } = profile;
  // Either both expected exposures are given, or both `mean` and `stdev`. Other requests were refused earlier.
  const exposures = (given: number[] | undefined, sign: 1 | -1) =>
    given ?? mean!.map((each, index) => expectedExposure({ mean: sign * each, stdev: stdev![index]! }));
  const discounted = (amounts: number[]) => amounts.map((amount, index) => amount * discount_factors[index]!);
  return {
    timesYears,
    positiveDiscounted: discounted(exposures(expected_positive_exposure, 1)),
    negativeDiscounted: discounted(exposures(expected_negative_exposure, -1)),
  };
}

function survivalOf(curve: Curve, valuationDate: string, times: number[]): Float64Array {
  const timesYears = curve.dates.map((date) => daysBetween(valuationDate, date) / DAYS_A_YEAR);
  return survivalProbabilities(
    curve.kind === 'hazard'
      ? { kind: 'hazard', timesYears, hazards: curve.rates }
      : { kind: 'spread', timesYears, spreads: curve.rates, lossGivenDefault: curve.loss_given_default },
    times,
  );
}

function inMinor(unrounded: ValuationAdjustments): Figures | undefined {
  const [cva, dva, fca, fba] = [unrounded.cva, unrounded.dva, unrounded.fca, unrounded.fba].map(toMinor);
  if (!cva?.ok || !dva?.ok || !fca?.ok || !fba?.ok) return undefined;
  const bcva = cva.minor - dva.minor;
  const fva = fca.minor - fba.minor;
  if (![bcva, fva].every(fitsTheWire)) return undefined;
  return {
    cva_minor: wireMinor(cva.minor),
    dva_minor: wireMinor(dva.minor),
    bcva_minor: wireMinor(bcva),
    fca_minor: wireMinor(fca.minor),
    fba_minor: wireMinor(fba.minor),
    fva_minor: wireMinor(fva),
    unrounded,
  };
}
