/**
 * The proof with which a person confirmed a vote in the console: a one-time code, or only the open session. A session
 * alone is accepted in the sandbox, from a person without one-time codes.
 */
export type VoteProof = { kind: 'code' | 'session' };
