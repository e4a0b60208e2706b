/** A person is locked after this number of wrong codes within `WINDOW_MS`. */
export const WRONG_CODES_MAX = 5;
export const LOCK_MINUTES = 15;

const WINDOW_MS = LOCK_MINUTES * 60_000;

/**
 * The times of a person's wrong codes and the end of the person's lock, both in milliseconds since 1970.
 * During the lock, every code is refused.
 */
export type CodeAttempts = { wrongAtMs: readonly number[]; lockedUntilMs: number };

export function isLocked({ lockedUntilMs }: CodeAttempts, nowMs: number): boolean {
  return lockedUntilMs > nowMs;
}

/**
 * Returns the attempts after one more wrong code. The fifth wrong code within 15 minutes locks the person for
 * 15 minutes.
 */
export function countWrongCode({ wrongAtMs, lockedUntilMs }: CodeAttempts, nowMs: number): CodeAttempts {
  const recent = [...wrongAtMs.filter((at) => at > nowMs - WINDOW_MS), nowMs];
  if (recent.length < WRONG_CODES_MAX) return { wrongAtMs: recent, lockedUntilMs };
  return { wrongAtMs: [], lockedUntilMs: nowMs + WINDOW_MS };
}

/**
 * The time step of the presented code. `step` is undefined if the code is wrong, is for another time, or was
 * used before.
 */
export type ShownCode = { step: number | undefined };

export type CodeVerdict =
  | { ok: true; step: number }
  | { ok: false; code: 'code_locked'; untilMs: number }
  /** The verdict on a code. `counted` contains the attempts after a wrong code. A missing code is not counted. */
  | { ok: false; code: 'code_invalid'; counted: CodeAttempts | undefined };

/**
 * Decides whether a one-time code proves the identity of its person. Every code is refused while the person
 * is locked.
 */
export function decideCode(attempts: CodeAttempts, shown: ShownCode | undefined, nowMs: number): CodeVerdict {
  if (isLocked(attempts, nowMs)) return { ok: false, code: 'code_locked', untilMs: attempts.lockedUntilMs };
  if (shown?.step !== undefined) return { ok: true, step: shown.step };
  return { ok: false, code: 'code_invalid', counted: shown && countWrongCode(attempts, nowMs) };
}
