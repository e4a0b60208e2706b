import type { LiveStanding } from './live-verdict.ts';
import type { RoundScore } from './score-round.ts';
import { ROUND_LIMITS } from './live-plan.schema.ts';

/**
 * States of a live round: `planned` before its opening, `open` until its close, `scoring` while its sealed forecasts
 * wait for values, `resolved` with its losses, and `void` without losses.
 */
export const roundStates = ['planned', 'open', 'scoring', 'resolved', 'void'] as const;
export type RoundState = (typeof roundStates)[number];

/** Reasons why a round is void. */
export const voidReasons = ['not_sealed', 'sealing_failed', 'not_observed'] as const;
export type VoidReason = (typeof voidReasons)[number];

/** The facts on which the next step of a round depends. */
export type RoundFacts = {
  state: RoundState;
  opensAt: Date;
  closesAt: Date;
  /** Whether the application of the tournament may still submit runs. */
  mayRun: boolean;
  /** The state of the run that seals the forecasts; null before the close. */
  run: 'open' | 'sealed' | 'failed' | null;
  /** The losses over the values known so far; null before the forecasts are sealed. */
  score: RoundScore | null;
  /** Whether the round has waited for values as long as it may. */
  isExpired: boolean;
};

/** The next step of a round. */
export type RoundVerdict =
  | { ok: true; next: 'open' | 'seal' | 'resolve' | 'wait' }
  | { ok: true; next: 'void'; reason: VoidReason };

/**
 * Decides the next step of a round at a time. A round is opened, sealed after its close, and resolved once all values
 * are known, or, after the longest wait, with the series whose values are known. If its forecasts cannot be submitted
 * within `sealHours` of the close, the round becomes void.
 */
export function decideRound(facts: RoundFacts, now: Date): RoundVerdict {
  const { state, opensAt, closesAt, mayRun, run, score, isExpired } = facts;
  if (state === 'planned') return { ok: true, next: opensAt <= now ? 'open' : 'wait' };
  if (state === 'open') {
    if (now < closesAt) return { ok: true, next: 'wait' };
    const isLate = now.getTime() - closesAt.getTime() > ROUND_LIMITS.sealHours * 3_600_000;
    if (isLate) return { ok: true, next: 'void', reason: 'not_sealed' };
    return { ok: true, next: mayRun ? 'seal' : 'wait' };
  }
  if (state !== 'scoring' || run === 'open') return { ok: true, next: 'wait' };
  if (run !== 'sealed') return { ok: true, next: 'void', reason: 'sealing_failed' };
  if (score && score.series === score.of) return { ok: true, next: 'resolve' };
  if (!isExpired) return { ok: true, next: 'wait' };
  if (!score || score.series === 0) return { ok: true, next: 'void', reason: 'not_observed' };
  return { ok: true, next: 'resolve' };
}

/** State of the live rounds of a tournament. */
export const liveStates = ['open', 'scoring', 'resolved', 'void'] as const;
export type LiveState = (typeof liveStates)[number];

/**
 * Returns the state of the live rounds together: `open` while a round is planned or open, `scoring` while a round waits
 * for values, then `resolved`, or `void` if no round has losses or fewer than two entries are left.
 */
export function liveState(states: readonly RoundState[], standing: LiveStanding | null): LiveState {
  if (states.some((state) => state === 'planned' || state === 'open')) return 'open';
  if (states.includes('scoring')) return 'scoring';
  return standing === null || standing.verdict === 'void' ? 'void' : 'resolved';
}
