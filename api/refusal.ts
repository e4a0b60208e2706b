import { Problem, type Fault, type ProblemCode } from '#lib/core/problem.ts';
import { invalid } from './derive/router.ts';

export const unknownCounterparty: Fault = {
  pointer: '/counterparty_id',
  in: 'body',
  code: 'unknown_counterparty',
  message: 'must be a counterparty of the workspace that is not archived',
};

/**
 * Returns the problem for a list of faults. If all faults have the same code, the problem has this code.
 * Otherwise the problem has the code of an invalid request.
 */
export function refusalOf(faults: readonly Fault[]): Problem {
  const [first, ...others] = new Set(faults.map(({ code }) => code));
  if (others.length) return invalid(faults);
  return new Problem(first as ProblemCode, `${faults[0]!.pointer} ${faults[0]!.message}.`, {
    errors: faults,
  });
}

/** Returns the problem for a submitted record that has faults, or whose party is not in the workspace. */
export function offerProblem(offer: {
  isPartyKnown: boolean;
  faults: readonly Omit<Fault, 'in'>[];
}): Problem {
  const faults: Fault[] = offer.faults.map((fault) => ({ ...fault, in: 'body' }));
  return refusalOf(offer.isPartyKnown ? faults : [unknownCounterparty, ...faults]);
}

type Contradiction = {
  detail: string;
  kind: string;
  differing: string[];
  conflict: string;
  kept: { uid: string; sourceHash: string };
};

/**
 * Returns the problem for evidence that contradicts a stored record. The evidence is stored as a conflict.
 */
export function conflictProblem(
  code: 'source_evidence_conflict' | 'observation_conflict',
  { detail, kind, differing, conflict, kept }: Contradiction,
): Problem {
  const existing = { uid: kept.uid, source_hash: kept.sourceHash };
  return new Problem(code, detail, { members: { kind, differing, conflict_uid: conflict, existing } });
}
