import type { PasskeyProof } from '#lib/access/passkeys/assertion.ts';

/**
 * The proof with which a person confirmed a vote in the console: the signature of a passkey over the terms, a one-time
 * code, or only the open session. A session alone is accepted in the sandbox, from a person with neither a passkey nor
 * codes.
 */
export type VoteProof = { kind: 'code' | 'session' } | PasskeyProof;
