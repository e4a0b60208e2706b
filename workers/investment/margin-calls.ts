import type { RecordedAgreement } from '#lib/investment/applied-terms.ts';
import type { marginCallsJob } from '#lib/investment/margin-calls.job.ts';
import type { Loader } from '../runner.ts';
import { recordedAgreement } from './recorded-agreement.ts';

/** Reads the terms of the netting set. */
export const loadMarginCalls: Loader<typeof marginCallsJob, RecordedAgreement> = (em, { input }) =>
  recordedAgreement(em, input);
