import { exceptionKinds, type ExceptionKind } from './exception-kinds.ts';

export const exceptionStates = ['open', 'acknowledged', 'resolved', 'waived'] as const;
export type ExceptionState = (typeof exceptionStates)[number];

export const exceptionEvents = ['acknowledge', 'resolve', 'waive', 'clear'] as const;
export type ExceptionEvent = (typeof exceptionEvents)[number];

type Pair = readonly [ExceptionState, ExceptionState];

/**
 * All allowed transitions. Later evidence triggers `clear`; persons request the other events. The migrations
 * contain the same pairs.
 */
export const exceptionTransitions: Readonly<Record<ExceptionEvent, readonly Pair[]>> = {
  acknowledge: [['open', 'acknowledged']],
  resolve: [
    ['open', 'resolved'],
    ['acknowledged', 'resolved'],
  ],
  waive: [
    ['open', 'waived'],
    ['acknowledged', 'waived'],
  ],
  clear: [
    ['open', 'resolved'],
    ['acknowledged', 'resolved'],
  ],
};

export type ExceptionFacts = {
  state: ExceptionState;
  kind: ExceptionKind;
  /** The persons who recorded the evidence, or are responsible for an application that recorded it. */
  recorders: readonly string[];
  /**
   * The person who requested a waiver of the exception for its current values; null if no person has requested a
   * waiver.
   */
  firstWaiver: string | null;
};

export type ExceptionVerdict =
  | { ok: true; next: ExceptionState; waitsForSecond: boolean }
  | {
      ok: false;
      code:
        | 'transition_not_allowed'
        | 'decider_not_independent'
        | 'second_person_required'
        | 'custody_evidence_required';
    };

/**
 * Decides whether a person may change an exception. A waiver needs two persons. A resolution needs one person, but is
 * refused for exceptions that only custody evidence can end. Nobody who recorded the evidence may waive or resolve.
 */
export function decideException(
  { state, kind, recorders, firstWaiver }: ExceptionFacts,
  event: Exclude<ExceptionEvent, 'clear'>,
  person: string,
): ExceptionVerdict {
  const found = exceptionTransitions[event].find(([from]) => from === state);
  if (!found) return { ok: false, code: 'transition_not_allowed' };
  if (event === 'acknowledge') return { ok: true, next: found[1], waitsForSecond: false };
  if (recorders.includes(person)) return { ok: false, code: 'decider_not_independent' };
  if (event === 'resolve') {
    return exceptionKinds[kind].endsBy === 'custody'
      ? { ok: false, code: 'custody_evidence_required' }
      : { ok: true, next: found[1], waitsForSecond: false };
  }
  if (firstWaiver === null) return { ok: true, next: state, waitsForSecond: true };
  if (firstWaiver === person) return { ok: false, code: 'second_person_required' };
  return { ok: true, next: found[1], waitsForSecond: false };
}
