import { agreementWarnings, appliedTerms } from '#lib/investment/netting/applied-terms.ts';
import { valuationStatement } from '#lib/investment/collateral/valuation-statement.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './valuation-adjustments.ts';

export const compute: ComputationOf<typeof runner> = (input, agreement) => {
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
