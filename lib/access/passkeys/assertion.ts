import { createPublicKey, verify } from 'node:crypto';
import { sha256 } from '#lib/core/seal.ts';
import { challengeOf, type Statement } from './statement.ts';

/** The signature of a passkey over a statement, with everything that is needed to verify it again. Bytes are base64url. */
export type PasskeyProof = {
  kind: 'passkey';
  passkey_uid: string;
  /** The public key as a DER-encoded SubjectPublicKeyInfo. */
  public_key: string;
  /** The host name of the console, to which browsers bind the passkey. */
  rp_id: string;
  statement: Statement;
  authenticator_data: string;
  client_data: string;
  signature: string;
};

/** The first 37 bytes of authenticator data are the hash of the relying party's id, the flags and the counter. */
const FIXED_BYTES = 37;
const HASH_BYTES = 32;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

/**
 * Returns why the signature of a passkey does not prove its statement, or undefined if it does. The challenge must be
 * the hash of the statement, and the authenticator must have verified the person. The source is Web Authentication
 * Level 3, section 7.2.
 */
export function assertionFault(proof: PasskeyProof): string | undefined {
  try {
    return faultOf(proof);
  } catch {
    return 'the proof is malformed';
  }
}

function faultOf(proof: PasskeyProof): string | undefined {
  const data = Buffer.from(proof.authenticator_data, 'base64url');
  const client = Buffer.from(proof.client_data, 'base64url');
  if (data.length < FIXED_BYTES) return 'the authenticator data is too short';
  if (sha256(proof.rp_id) !== data.subarray(0, HASH_BYTES).toString('hex'))
    return 'the passkey belongs to another site';
  const flags = data[HASH_BYTES]!;
  if (!(flags & USER_PRESENT) || !(flags & USER_VERIFIED))
    return 'the authenticator did not verify the person';
  const { type, challenge } = JSON.parse(client.toString()) as { type?: unknown; challenge?: unknown };
  if (type !== 'webauthn.get') return 'the signature has another purpose';
  if (challenge !== challengeOf(proof.statement)) return 'the signature is for another statement';
  const signed = Buffer.concat([data, Buffer.from(sha256(client), 'hex')]);
  return isSigned(signed, proof) ? undefined : 'the signature is not valid';
}

/** Whether the passkey signed the bytes. Edwards keys hash on their own; ECDSA and RSA keys use SHA-256. */
function isSigned(signed: Buffer, { public_key, signature }: PasskeyProof): boolean {
  const key = createPublicKey({ key: Buffer.from(public_key, 'base64url'), format: 'der', type: 'spki' });
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, signed, key, Buffer.from(signature, 'base64url'));
}
