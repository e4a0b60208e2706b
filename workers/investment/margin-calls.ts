import type { RecordedAgreement } from '#lib/investment/netting/applied-terms.ts';
import { marginCallsRun } from '#lib/investment/collateral/margin-calls.run.ts';
import { runner } from '../process/runner.ts';
import { recordedAgreement } from './recorded-agreement.ts';

export default runner(marginCallsRun, {
  /** Reads the terms of the netting set that the run was submitted for. */
  load: (em, { input }): Promise<RecordedAgreement> => recordedAgreement(em, input),
  compute: new URL('./margin-calls.compute.ts', import.meta.url),
});
