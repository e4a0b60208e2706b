import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';

/**
 * Converts the private key of the client, in PEM, for signatures with RS256, ES256 or Ed25519. Throws a one-sentence
 * error if the key is not of one of these kinds.
 */
export async function clientKeyOf(pem: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(pem);
  return key.toCryptoKey(algorithmOf(key), false, ['sign']);
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048)
    return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1')
    return { name: 'ECDSA', namedCurve: 'P-256' };
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  throw new Error('the private key of the OIDC client must be RSA with at least 2048 bits, P-256 or Ed25519');
}
