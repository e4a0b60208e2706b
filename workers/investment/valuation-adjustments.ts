import type { RecordedAgreement } from '#lib/investment/netting/applied-terms.ts';
import { valuationAdjustmentsRun } from '#lib/investment/collateral/valuation-adjustments.run.ts';
import { runner } from '../process/runner.ts';
import { recordedAgreement } from './recorded-agreement.ts';

export default runner(valuationAdjustmentsRun, {
  /** Reads the terms of the netting set that the run was submitted for. */
  load: (em, { input }): Promise<RecordedAgreement> => recordedAgreement(em, input),
  compute: new URL('./valuation-adjustments.compute.ts', import.meta.url),
});
