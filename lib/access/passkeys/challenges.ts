import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Clock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import type { Ceremony } from '../console/govern-in-session.ts';
import type { ConsoleSession } from '../console/session.query.ts';
import { registrationOptions, signingOptions, type RelyingParty } from './ceremonies.ts';
import { issueChallenge } from './challenge.write.ts';
import { passkeysOf } from './passkey.query.ts';

type Means = { orm: Orm; clock: Clock };

/** Issues a challenge that any passkey may sign to open a session. */
export async function signInChallenge(
  { orm, clock }: Means,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const issued = { purpose: 'sign_in' as const, sessionHash: null, now: clock.now() };
  return signingOptions(party, await inPlatform(orm, (em) => issueChallenge(em, issued)));
}

/** Issues the challenge with which the browser creates a passkey for the person of a session. */
export function registrationChallenge(
  { orm, clock }: Means,
  { person, workspace, environment }: ConsoleSession,
  { sessionHash, party }: Ceremony,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return inTenant(orm, { workspace: workspace.uid, environment }, async (em) => {
    const challenge = await issueChallenge(em, { purpose: 'register', sessionHash, now: clock.now() });
    return registrationOptions(party, person, challenge, await passkeysOf(em, person.uid));
  });
}
