import type { RecordedAgreement } from '#lib/investment/applied-terms.ts';
import type { marginCallsRun } from '#lib/investment/margin-calls.run.ts';
import type { Loader } from '../runner.ts';
import { recordedAgreement } from './recorded-agreement.ts';

/** Reads the terms of the netting set. */
export const loadMarginCalls: Loader<typeof marginCallsRun, RecordedAgreement> = (em, { input }) =>
  recordedAgreement(em, input);
