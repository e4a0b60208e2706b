import type { Environment } from '#lib/database/base.ts';
import { canonicalHash } from '#lib/core/seal.ts';

/** The statement that a person signs with a decision. Its hash is the challenge of the passkey. */
export type Statement = {
  /** The decision, such as `delegations.approve`. */
  op: string;
  /** The uid of the record that the decision concerns. */
  subject: string;
  /** The hash of the terms that the page showed; null if the record has no terms. */
  terms_hash: string | null;
  person: string;
  workspace: string;
  environment: Environment;
  /** The SHA-256 of the secret of the session. */
  session: string;
  /** A random text, so that each challenge is new. */
  nonce: string;
};

/** Returns the challenge for a statement: the SHA-256 of its RFC 8785 form, in base64url. */
export function challengeOf(statement: Statement): string {
  return Buffer.from(canonicalHash(statement), 'hex').toString('base64url');
}
