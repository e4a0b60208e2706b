import { createHmac, randomBytes } from 'node:crypto';
import { createKeyPair, publicHalf, signBytes } from '#lib/core/signing.ts';

/** The prefix of a Standard Webhooks secret. Base64 of 24 to 64 bytes follows. */
const SECRET = 'whsec_';
const SECRET_BYTES = 32;
/** The prefixes of the two encoded halves of an Ed25519 key pair: the private half and the public half. */
const PRIVATE = 'whsk_';
const PUBLIC = 'whpk_';

/**
 * Creates the signer of a webhook's messages, in its stored form: a secret that is shared with the receiver, and a
 * private key that is not shared.
 */
export function newSigner(): string {
  const secret = SECRET + randomBytes(SECRET_BYTES).toString('base64');
  return `${secret} ${PRIVATE}${createKeyPair().privateKey}`;
}

/** Returns the parts of a signer that the receiver gets: the secret and, if there is a key pair, its public half. */
export function shownOf(signer: string): { secret: string; publicKey: string | null } {
  const [secret, key] = signer.split(' ');
  const publicKey = key === undefined ? null : PUBLIC + publicHalf(key.slice(PRIVATE.length));
  return { secret: secret!, publicKey };
}

/**
 * Returns the headers of a message by Standard Webhooks 1.0. For each valid signer, the headers contain an HMAC-SHA256
 * (`v1`) and an Ed25519 signature (`v1a`) of `<id>.<seconds>.<body>`. An old signer without a key pair has only the
 * `v1` signature.
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  signers: readonly string[],
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const content = `${id}.${timestamp}.${body}`;
  const keys = signers.flatMap((signer) => signer.split(' '));
  const signatures = keys.map((key) =>
    key.startsWith(SECRET)
      ? `v1,${createHmac('sha256', bytesOf(key, SECRET)).update(content).digest('base64')}`
      : `v1a,${signBytes(key.slice(PRIVATE.length), Buffer.from(content))}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function bytesOf(key: string, prefix: string): Buffer {
  return Buffer.from(key.slice(prefix.length), 'base64');
}
