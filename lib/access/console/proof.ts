import type { Environment } from '#lib/database/base.ts';

/** The proof of a person for a decision in the console: a one-time code, or only the open session. */
export type DecisionProof = { kind: 'code' | 'session' };

/**
 * Returns the proof that a decision needs: a one-time code in production, and in the sandbox from every person who has
 * one-time codes. In the sandbox, a person without codes needs only the open session.
 */
export function requiredProof({
  environment,
  isEnrolled,
}: {
  environment: Environment;
  isEnrolled: boolean;
}): DecisionProof['kind'] {
  return environment === 'production' || isEnrolled ? 'code' : 'session';
}
