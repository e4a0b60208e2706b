import type { RecordedAgreement } from '#lib/investment/applied-terms.ts';
import type { valuationAdjustmentsJob } from '#lib/investment/valuation-adjustments.job.ts';
import type { Loader } from '../runner.ts';
import { recordedAgreement } from './recorded-agreement.ts';

/** Reads the terms of the netting set. */
export const loadValuationAdjustments: Loader<typeof valuationAdjustmentsJob, RecordedAgreement> = (
  em,
  { input },
) => recordedAgreement(em, input);
