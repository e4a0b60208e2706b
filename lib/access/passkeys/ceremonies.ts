import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from './passkey.entity.ts';
import { CHALLENGE_MINUTES } from './passkey.ts';
import { algorithms, publicKeyOf } from './public-key.ts';

/** The console as WebAuthn sees it: its host name, to which passkeys are bound, and the origin of its pages. */
export type RelyingParty = { id: string; origin: string };

type Credential = Pick<Passkey, 'credentialId' | 'transports'>;

const timeout = CHALLENGE_MINUTES * 60_000;

/** Returns the options with which a browser creates a passkey for a person. The passkey must verify the person. */
export function registrationOptions(
  { id }: RelyingParty,
  person: { uid: string; name: string },
  challenge: string,
  existing: readonly Credential[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: 'Assay',
    rpID: id,
    userID: new Uint8Array(Buffer.from(person.uid)),
    userName: person.name,
    userDisplayName: person.name,
    challenge: bytesOf(challenge),
    timeout,
    attestationType: 'none',
    excludeCredentials: existing.map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** Returns the options with which a browser signs a challenge: with any passkey, or with one of those given. */
export function signingOptions(
  { id }: RelyingParty,
  challenge: string,
  allowed: readonly Credential[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: id,
    challenge: bytesOf(challenge),
    timeout,
    userVerification: 'required',
    allowCredentials: allowed.map(described),
  });
}

type Registered = Pick<Passkey, 'credentialId' | 'coseKey' | 'publicKey' | 'counter' | 'transports'>;

/** Returns the new passkey that a browser registered for a challenge. Throws if the answer is not valid. */
export async function registeredPasskey(
  { id, origin }: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<Registered> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  });
  if (!verified) throw new Error('the registration was not verified');
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    coseKey: Buffer.from(credential.publicKey).toString('base64url'),
    publicKey: publicKeyOf(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
  };
}

/** Returns the new signature counter of a passkey that signed a challenge. Throws if the signature is not valid. */
export async function signedCounter(
  { id, origin }: RelyingParty,
  response: AuthenticationResponseJSON,
  challenge: string,
  passkey: Pick<Passkey, 'credentialId' | 'coseKey' | 'counter'>,
): Promise<number> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.coseKey), counter: passkey.counter },
    requireUserVerification: true,
  });
  if (!verified) throw new Error('the signature was not verified');
  return authenticationInfo.newCounter;
}

function described({ credentialId, transports }: Credential) {
  return { id: credentialId, transports };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}
