import type { ValuationAdjustmentsRequestBody } from './valuation-adjustments.schema.ts';

export type ValuationFault = {
  pointer: string;
  code: 'exposure_form' | 'length' | 'not_ascending' | 'not_the_valuation_date' | 'not_after_valuation';
  message: string;
};

/** Returns the faults that the schema cannot express: lists of different lengths, and dates out of order. */
export function valuationFaults(body: ValuationAdjustmentsRequestBody): ValuationFault[] {
  return [
    ...profileFaults(body),
    ...(['counterparty_curve', 'own_curve'] as const).flatMap((name) => curveFaults(body, name)),
  ];
}

function profileFaults({ profile, valuation_date }: ValuationAdjustmentsRequestBody): ValuationFault[] {
  const { dates, expected_positive_exposure, expected_negative_exposure, mean, stdev, discount_factors } =
    profile;
  const exposures = { expected_positive_exposure, expected_negative_exposure };
  const value = { mean, stdev };
  const isForm = (lists: object, others: object) =>
    Object.values(lists).every((list) => list !== undefined) &&
    Object.values(others).every((list) => list === undefined);
  const faults: ValuationFault[] = [];
  if (!isForm(exposures, value) && !isForm(value, exposures)) {
    const message = 'must have either both expected exposures, or both mean and stdev';
    faults.push({ pointer: '/profile', code: 'exposure_form', message });
  }
  if (dates[0] !== valuation_date) {
    const message = `must be the valuation date, ${valuation_date}`;
    faults.push({ pointer: '/profile/dates/0', code: 'not_the_valuation_date', message });
  }
  faults.push(...ascending('/profile/dates', dates));
  for (const [name, list] of Object.entries({ ...exposures, ...value, discount_factors })) {
    if (list) faults.push(...lengthOf(`/profile/${name}`, list, dates));
  }
  return faults;
}

function curveFaults(
  body: ValuationAdjustmentsRequestBody,
  name: 'counterparty_curve' | 'own_curve',
): ValuationFault[] {
  const { dates, rates } = body[name];
  const faults = [...ascending(`/${name}/dates`, dates), ...lengthOf(`/${name}/rates`, rates, dates)];
  if (dates[0]! <= body.valuation_date) {
    const message = `must be after the valuation date, ${body.valuation_date}`;
    faults.unshift({ pointer: `/${name}/dates/0`, code: 'not_after_valuation', message });
  }
  return faults;
}

function ascending(pointer: string, dates: readonly string[]): ValuationFault[] {
  const at = dates.findIndex((date, index) => index > 0 && date <= dates[index - 1]!);
  if (at < 0) return [];
  return [{ pointer: `${pointer}/${at}`, code: 'not_ascending', message: 'must be after the previous date' }];
}

function lengthOf(pointer: string, list: readonly number[], dates: readonly string[]): ValuationFault[] {
  if (list.length === dates.length) return [];
  const message = `must have ${dates.length} values, one per date`;
  return [{ pointer, code: 'length', message }];
}
