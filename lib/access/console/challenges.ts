import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Clock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { registrationOptions, signingOptions, type RelyingParty } from '../passkeys/ceremonies.ts';
import { issueChallenge } from '../passkeys/challenge.write.ts';
import { passkeysOf, signingPasskeysOf } from '../passkeys/passkey.query.ts';
import { expectedOf, tenantOf, type Ceremony, type Decided } from './govern-in-session.ts';
import { newConsoleSecret } from './session-secret.ts';
import type { ConsoleSession } from './session.query.ts';

type Means = { orm: Orm; clock: Clock };

/** Issues a challenge that any passkey may sign to open a session. */
export function signInChallenge(
  { orm, clock }: Means,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const issued = { purpose: 'sign_in' as const, sessionHash: null, now: clock.now() };
  return inPlatform(orm, async (em) => signingOptions(party, await issueChallenge(em, issued)));
}

/** Issues the challenge with which the browser creates a passkey for the person of a session. */
export function registrationChallenge(
  { orm, clock }: Means,
  session: ConsoleSession,
  { sessionHash, party }: Ceremony,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return inTenant(orm, tenantOf(session), async (em) => {
    const challenge = await issueChallenge(em, { purpose: 'register', sessionHash, now: clock.now() });
    return registrationOptions(party, session.person, challenge, await passkeysOf(em, session.person.uid));
  });
}

/** Issues the challenge that a passkey of the session's person signs to confirm a decision. */
export function decisionChallenge(
  { orm, clock }: Means,
  session: ConsoleSession,
  { sessionHash, party, decided }: Ceremony & { decided: Decided },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return inTenant(orm, tenantOf(session), async (em) => {
    const statement = { ...expectedOf(session, sessionHash, decided), nonce: newConsoleSecret() };
    const challenge = await issueChallenge(
      em,
      { purpose: 'decide', sessionHash, now: clock.now() },
      statement,
    );
    const allowed = await signingPasskeysOf(em, session.person.uid, session.environment);
    return signingOptions(party, challenge, allowed);
  });
}
