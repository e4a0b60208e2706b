/** Wrong codes that are borne within the window; the last of them locks. */
export const WRONG_CODES_MAX = 5;
export const LOCK_MINUTES = 15;

const WINDOW_MS = LOCK_MINUTES * 60_000;

/** When the wrong codes of a person were shown, and until when no code of theirs counts: milliseconds since 1970. */
export type CodeAttempts = { wrongAtMs: readonly number[]; lockedUntilMs: number };

export function isLocked({ lockedUntilMs }: CodeAttempts, nowMs: number): boolean {
  return lockedUntilMs > nowMs;
}

/** The attempts after one more wrong code: the fifth within 15 minutes locks for 15 minutes. */
export function countWrongCode({ wrongAtMs, lockedUntilMs }: CodeAttempts, nowMs: number): CodeAttempts {
  const recent = [...wrongAtMs.filter((at) => at > nowMs - WINDOW_MS), nowMs];
  if (recent.length < WRONG_CODES_MAX) return { wrongAtMs: recent, lockedUntilMs };
  return { wrongAtMs: [], lockedUntilMs: nowMs + WINDOW_MS };
}

/** The step of a code that was shown; undefined for a code that is wrong, of another time, or was used before. */
export type ShownCode = { step: number | undefined };

export type CodeVerdict =
  | { ok: true; step: number }
  | { ok: false; code: 'code_locked'; untilMs: number }
  /** `counted` are the attempts if a wrong code was shown; without a code nothing is counted. */
  | { ok: false; code: 'code_invalid'; counted: CodeAttempts | undefined };

/** Whether a code proves its person. No code does while the person is locked. */
export function decideCode(attempts: CodeAttempts, shown: ShownCode | undefined, nowMs: number): CodeVerdict {
  if (isLocked(attempts, nowMs)) return { ok: false, code: 'code_locked', untilMs: attempts.lockedUntilMs };
  if (shown?.step !== undefined) return { ok: true, step: shown.step };
  return { ok: false, code: 'code_invalid', counted: shown && countWrongCode(attempts, nowMs) };
}
