import type { Fault } from '#lib/core/problem.ts';

/** The problem codes that a reconciliation can end with. */
export const reconciliationProblems = [
  'forecasts_not_alike',
  'parts_do_not_add_up',
  'insufficient_history',
] as const;

export type RefusedReconciliation = {
  code: (typeof reconciliationProblems)[number];
  detail: string;
  members: Record<string, unknown>;
};

/** Returns a refusal that points to a member of the request. */
export function refused(
  code: RefusedReconciliation['code'],
  detail: string,
  pointer: string,
  members: Record<string, unknown> = {},
): { ok: false; refusal: RefusedReconciliation } {
  const fault: Fault = { pointer, in: 'body', code, message: detail };
  return { ok: false, refusal: { code, detail, members: { ...members, errors: [fault] } } };
}
