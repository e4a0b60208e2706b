import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import type { RegistrationAnswer } from './answer.ts';
import { sessionOrigin } from '../console/session.query.ts';
import { registeredPasskey, type RelyingParty } from './ceremonies.ts';
import { lockChallenge } from './challenge.query.ts';
import { consumeChallenge } from './challenge.write.ts';
import { Passkey } from './passkey.entity.ts';
import { challengeFault, PASSKEYS_MAX } from './passkey.ts';
import { passkeysOf } from './passkey.query.ts';

type Input = {
  tenant: Tenant;
  party: RelyingParty;
  answer: RegistrationAnswer | undefined;
  name: string;
  /** The SHA-256 of the secret of the session. */
  sessionHash: string;
};

type New = Awaited<ReturnType<typeof registeredPasskey>>;

type RegistrationVerdict =
  | { ok: true; registered: New; linkIssuer: string | null }
  | { ok: false; code: 'identity_unconfirmed' | 'passkeys_full' | 'passkey_invalid' };

/** Registers a new passkey of the person of a session. In production, it signs after a second person confirmed it. */
export const registerPasskey = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: async (em, { answer }) => answer && (await lockChallenge(em, answer.challenge)),
  async facts(em, challenge, { answer, party, sessionHash }, at) {
    const count = (await passkeysOf(em, personOf(at))).length;
    const origin = await sessionOrigin(em, sessionHash);
    const fault = challengeFault(challenge, { purpose: 'register', sessionHash, now: at.now });
    if (!answer || fault) return { count, origin, registered: undefined };
    const registered = await registeredPasskey(party, answer.response, answer.challenge).catch(
      () => undefined,
    );
    const isKnown =
      registered && (await em.count(Passkey, { credentialId: registered.credentialId }, { filters: false }));
    return { count, origin, registered: isKnown ? undefined : registered };
  },
  decide({ count, origin, registered }): RegistrationVerdict {
    if (origin?.isUnconfirmedIdentity) return { ok: false, code: 'identity_unconfirmed' };
    if (count >= PASSKEYS_MAX) return { ok: false, code: 'passkeys_full' };
    return registered && origin
      ? { ok: true, registered, linkIssuer: origin.linkIssuer }
      : { ok: false, code: 'passkey_invalid' };
  },
  async write(em, _facts, { registered, linkIssuer }, { input: { answer, name }, now, place, ...at }) {
    await consumeChallenge(em, answer!.challenge, now);
    const passkey = em.create(Passkey, {
      uid: newUid(prefixes.passkey),
      workspaceUid: place.workspace,
      personUid: personOf(at),
      ...registered,
      name,
      state: 'registered',
      registeredAt: now,
      linkIssuedByUid: linkIssuer,
      confirmedAt: null,
      confirmedByUid: null,
      removedAt: null,
      usedAt: null,
    });
    return { result: { uid: passkey.uid, personUid: passkey.personUid } };
  },
  entry: ({ origin }, _verdict, _input, passkey) =>
    passkey && {
      op: 'person.passkey_registered',
      subject: { type: 'person', uid: passkey.personUid },
      details: { passkey_uid: passkey.uid, link_issued_by: origin?.linkIssuer ?? null },
    },
  refusals: {
    identity_unconfirmed:
      'A second person must confirm the link of your account at the identity provider before you can add a passkey.',
    passkeys_full: `A person can have at most ${PASSKEYS_MAX} passkeys. Remove one first.`,
    passkey_invalid: 'The browser did not create a valid passkey for this session. Try again.',
  },
});
