import type { Environment } from '#lib/database/base.ts';
import type { PasskeyProof } from '../passkeys/assertion.ts';

/** The proof of a person for a decision in the console: a passkey, a one-time code, or only the open session. */
export type DecisionProof = { kind: 'code' | 'session' } | PasskeyProof;

/** The proofs that a decision accepts. If only the session is accepted, no further proof is needed. */
export type AcceptedProofs = { passkey: boolean; code: boolean; session: boolean };

/** The facts that determine how a person confirms a decision. */
export type ProofFacts = {
  environment: Environment;
  hasCodes: boolean;
  /** Whether the person has a passkey that can sign in the environment. */
  hasPasskey: boolean;
  /** The proof that the workspace accepts in production. */
  required: 'any' | 'passkey';
};

/**
 * Returns the proofs that a decision accepts. In production, and from everybody who has a passkey or one-time codes, a
 * decision needs one of them. In the sandbox, a person with neither needs only the open session.
 */
export function acceptedProofs({ environment, hasCodes, hasPasskey, required }: ProofFacts): AcceptedProofs {
  const isProduction = environment === 'production';
  if (isProduction && required === 'passkey') return { passkey: true, code: false, session: false };
  return {
    passkey: hasPasskey,
    code: hasCodes || (isProduction && !hasPasskey),
    session: !isProduction && !hasCodes && !hasPasskey,
  };
}
