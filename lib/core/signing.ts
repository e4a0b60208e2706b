import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { canonicalHash } from './seal.ts';

/** The public half of an Ed25519 key (RFC 8037). `keyid` is derived from the key itself. */
export type PublicKey = { keyid: string; x: string };

export type KeyPair = PublicKey & { privateKey: string };

/** Creates an Ed25519 key pair. The private half is PKCS #8 in base64. */
export function createKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' }) as { x: string };
  return {
    keyid: thumbprint(x),
    x,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** Returns the RFC 7638 thumbprint in hex. It is computed from the public half alone. */
export function thumbprint(x: string): string {
  return canonicalHash({ crv: 'Ed25519', kty: 'OKP', x });
}

/** Signs bytes. Returns the signature in base64. The same key and bytes always give the same signature. */
export function signBytes(privateKey: string, bytes: Uint8Array): string {
  return sign(null, bytes, keyOf(privateKey)).toString('base64');
}

/** Returns the 32 bytes of the public half of a private key, in base64. */
export function publicHalf(privateKey: string): string {
  const { x } = createPublicKey(keyOf(privateKey)).export({ format: 'jwk' }) as { x: string };
  return Buffer.from(x, 'base64url').toString('base64');
}

function keyOf(privateKey: string) {
  return createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
}
