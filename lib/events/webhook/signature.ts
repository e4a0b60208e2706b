import { createHmac, randomBytes } from 'node:crypto';
import { createKeyPair, publicHalf, signBytes } from '#lib/core/signing.ts';

/** What a Standard Webhooks secret begins with; base64 of 24 to 64 bytes follows. */
const SECRET = 'whsec_';
const SECRET_BYTES = 32;
/** What the private and the public half of an Ed25519 key begin with. */
const PRIVATE = 'whsk_';
const PUBLIC = 'whpk_';

/** What the messages of a webhook are signed with, as it is kept: a secret that the receiver has, and a key that it has not. */
export function newSigner(): string {
  const secret = SECRET + randomBytes(SECRET_BYTES).toString('base64');
  return `${secret} ${PRIVATE}${createKeyPair().privateKey}`;
}

/** What the receiver of messages is told: the secret, and the public half of the key where there is one. */
export function shownOf(signer: string): { secret: string; publicKey: string | null } {
  const [secret, key] = signer.split(' ');
  const publicKey = key === undefined ? null : PUBLIC + publicHalf(key.slice(PRIVATE.length));
  return { secret: secret!, publicKey };
}

/**
 * The headers of a message by Standard Webhooks 1.0: of `<id>.<seconds>.<body>` an HMAC-SHA256 (`v1`) and an Ed25519
 * signature (`v1a`), for each signer that counts now. One from before keys has the first alone.
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
