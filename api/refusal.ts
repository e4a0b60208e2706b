import { Problem, type Fault, type ProblemCode } from '#lib/core/problem.ts';
import { invalid } from './derive/router.ts';

export const unknownCounterparty: Fault = {
  pointer: '/counterparty_id',
  in: 'body',
  code: 'unknown_counterparty',
  message: 'must be a counterparty of the workspace that is not archived',
};

/** One kind of fault alone names the problem; several together are a request that is not valid. */
export function refusalOf(faults: readonly Fault[]): Problem {
  const [first, ...others] = new Set(faults.map(({ code }) => code));
  if (others.length) return invalid(faults);
  return new Problem(first as ProblemCode, `${faults[0]!.pointer} ${faults[0]!.message}.`, {
    errors: faults,
  });
}
