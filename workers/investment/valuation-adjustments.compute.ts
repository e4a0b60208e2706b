import { agreementWarnings, appliedTerms, type RecordedAgreement } from '#lib/investment/applied-terms.ts';
import type { valuationAdjustmentsRun } from '#lib/investment/valuation-adjustments.run.ts';
import { valuationStatement } from '#lib/investment/valuation-statement.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof valuationAdjustmentsRun, RecordedAgreement> = (input, agreement) => {
  const outcome = valuationStatement(input);
  if (!outcome.ok) return outcome;
  return {
    ok: true,
    output: {
      netting_set: appliedTerms(agreement),
      warnings: agreementWarnings(input.conflicts_open),
      result: outcome.result,
    },
    attachments: {},
  };
};
