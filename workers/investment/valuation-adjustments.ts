import type { RecordedAgreement } from '#lib/investment/applied-terms.ts';
import type { valuationAdjustmentsRun } from '#lib/investment/valuation-adjustments.run.ts';
import type { Loader } from '../runner.ts';
import { recordedAgreement } from './recorded-agreement.ts';

/** Reads the terms of the netting set. */
export const loadValuationAdjustments: Loader<typeof valuationAdjustmentsRun, RecordedAgreement> = (
  em,
  { input },
) => recordedAgreement(em, input);
