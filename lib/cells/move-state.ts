/** Where a workspace is that does not simply belong to this cell. */
export type MoveState = { state: 'moving' | 'moved'; to: string };

/** Where a move begins: at the start, after an interruption, or after the old cell has recorded that it is complete. */
export type Stage = 'new' | 'interrupted' | 'completed';

export type BeginVerdict =
  | { ok: true; stage: Stage }
  | { ok: false; code: 'already_moved' | 'moving_elsewhere' };

/** Decides whether a move to a cell may begin. A move may be begun again, to the same cell, and then goes on. */
export function decideBegin(now: MoveState | undefined, to: string): BeginVerdict {
  if (now === undefined) return { ok: true, stage: 'new' };
  if (now.state === 'moved')
    return now.to === to ? { ok: true, stage: 'completed' } : { ok: false, code: 'already_moved' };
  return now.to === to ? { ok: true, stage: 'interrupted' } : { ok: false, code: 'moving_elsewhere' };
}

/**
 * Decides whether the arrival of a workspace is recorded in its new cell: once for each move, and not after the workspace
 * has been moved on from there.
 */
export function decideArrival({
  isRecorded,
  isAway,
}: {
  isRecorded: boolean;
  isAway: boolean;
}): { ok: true; isNew: boolean } | { ok: false; code: 'already_moved' } {
  return isAway ? { ok: false, code: 'already_moved' } : { ok: true, isNew: !isRecorded };
}
