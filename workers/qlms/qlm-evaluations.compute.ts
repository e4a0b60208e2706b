import { evaluationResult } from '#lib/qlms/evaluation/evaluation-result.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './qlm-evaluations.ts';

export const compute: ComputationOf<typeof runner> = (input, judged) => ({
  ok: true,
  output: { result: evaluationResult(input, judged) },
  attachments: {},
});
