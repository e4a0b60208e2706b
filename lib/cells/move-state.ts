/** Where a workspace is that does not simply belong to this cell. */
export type MoveState = { state: 'moving' | 'moved'; to: string };

export type BeginVerdict =
  | { ok: true; isResumed: boolean }
  | { ok: false; code: 'already_moved' | 'moving_elsewhere' };

/**
 * Decides whether a move to a cell may begin. A move that was interrupted may be begun again, to the same cell, and then
 * goes on.
 */
export function decideBegin(now: MoveState | undefined, to: string): BeginVerdict {
  if (now === undefined) return { ok: true, isResumed: false };
  if (now.state === 'moved') return { ok: false, code: 'already_moved' };
  return now.to === to ? { ok: true, isResumed: true } : { ok: false, code: 'moving_elsewhere' };
}
