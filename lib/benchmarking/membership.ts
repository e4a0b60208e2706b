export type JoinVerdict = { ok: true } | { ok: false; code: 'already_joined' };
export type LeaveVerdict = { ok: true } | { ok: false; code: 'not_joined' };

/** Whether a workspace may join: only if it does not take part yet. */
export function decideJoin(isMember: boolean): JoinVerdict {
  return isMember ? { ok: false, code: 'already_joined' } : { ok: true };
}

/** Whether a workspace may leave: only if it takes part. */
export function decideLeave(isMember: boolean): LeaveVerdict {
  return isMember ? { ok: true } : { ok: false, code: 'not_joined' };
}

/**
 * Whether a workspace contributes to a month: it took part when the month began, and still does when the cells are
 * computed. A workspace that leaves therefore contributes to no further cell.
 */
export function contributesTo(
  { joinedAt, leftAt }: { joinedAt: Date; leftAt?: Date | null | undefined },
  { from }: { from: Date },
): boolean {
  return leftAt == null && joinedAt <= from;
}
