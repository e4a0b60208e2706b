import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { canonicalHash } from './seal.ts';

/** The public half of an Ed25519 key (RFC 8037), under the name that its content gives it. */
export type PublicKey = { keyid: string; x: string };

export type KeyPair = PublicKey & { privateKey: string };

/** A new Ed25519 key. The private half is PKCS #8 in base64. */
export function createKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' }) as { x: string };
  return {
    keyid: thumbprint(x),
    x,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** The thumbprint of RFC 7638 in hex: whoever has the public half can tell the name of the key. */
export function thumbprint(x: string): string {
  return canonicalHash({ crv: 'Ed25519', kty: 'OKP', x });
}

/** The signature of the bytes, in base64. The same key gives the same bytes the same signature. */
export function signBytes(privateKey: string, bytes: Uint8Array): string {
  return sign(null, bytes, keyOf(privateKey)).toString('base64');
}

/** The 32 bytes of the public half of a private key, in base64. */
export function publicHalf(privateKey: string): string {
  const { x } = createPublicKey(keyOf(privateKey)).export({ format: 'jwk' }) as { x: string };
  return Buffer.from(x, 'base64url').toString('base64');
}

function keyOf(privateKey: string) {
  return createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
}
