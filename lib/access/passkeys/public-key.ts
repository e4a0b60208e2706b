import { createPublicKey } from 'node:crypto';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

/** The signature algorithms of passkeys that are accepted: Ed25519, ECDSA on P-256 with SHA-256, RSA with SHA-256. */
export const algorithms = [cose.COSEALG.EdDSA, cose.COSEALG.ES256, cose.COSEALG.RS256];

/**
 * Converts a COSE key to a DER-encoded SubjectPublicKeyInfo in base64url. Throws if the key has another type than those
 * of `algorithms`.
 */
export function publicKeyOf(coseKey: Uint8Array<ArrayBuffer>): string {
  const jwk = jwkOf(decodeCredentialPublicKey(coseKey));
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return key.export({ format: 'der', type: 'spki' }).toString('base64url');
}

function jwkOf(key: cose.COSEPublicKey): Record<string, string> {
  if (cose.isCOSEPublicKeyEC2(key))
    return { kty: 'EC', crv: 'P-256', x: text(key.get(cose.COSEKEYS.x)), y: text(key.get(cose.COSEKEYS.y)) };
  if (cose.isCOSEPublicKeyOKP(key)) return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(cose.COSEKEYS.x)) };
  if (cose.isCOSEPublicKeyRSA(key))
    return { kty: 'RSA', n: text(key.get(cose.COSEKEYS.n)), e: text(key.get(cose.COSEKEYS.e)) };
  throw new Error('the type of the public key is not supported');
}

function text(bytes: Uint8Array | undefined): string {
  if (!bytes) throw new Error('the public key is not complete');
  return Buffer.from(bytes).toString('base64url');
}
