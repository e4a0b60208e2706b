import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import type { RegistrationAnswer } from './answer.ts';
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

/** Registers a new passkey of the person of a session. In production, it signs after a second person confirmed it. */
export const registerPasskey = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: async (em, { answer }) => answer && (await lockChallenge(em, answer.challenge)),
  async facts(em, challenge, { answer, party, sessionHash }, at) {
    const count = (await passkeysOf(em, personOf(at))).length;
    const fault = challengeFault(challenge, { purpose: 'register', sessionHash, now: at.now });
    if (!answer || fault) return { count, registered: undefined };
    const registered = await registeredPasskey(party, answer.response, answer.challenge).catch(
      () => undefined,
    );
    const isKnown =
      registered && (await em.count(Passkey, { credentialId: registered.credentialId }, { filters: false }));
    return { count, registered: isKnown ? undefined : registered };
  },
  decide({
    count,
    registered,
  }): { ok: true; registered: New } | { ok: false; code: 'passkeys_full' | 'passkey_invalid' } {
    if (count >= PASSKEYS_MAX) return { ok: false, code: 'passkeys_full' };
    return registered ? { ok: true, registered } : { ok: false, code: 'passkey_invalid' };
  },
  async write(em, _facts, { registered }, { input: { answer, name }, now, place, ...at }) {
    await consumeChallenge(em, answer!.challenge, now);
    const passkey = em.create(Passkey, {
      uid: newUid(prefixes.passkey),
      workspaceUid: place.workspace,
      personUid: personOf(at),
      ...registered,
      name,
      state: 'registered',
      registeredAt: now,
      confirmedAt: null,
      confirmedByUid: null,
      removedAt: null,
      usedAt: null,
    });
    return { result: { uid: passkey.uid, personUid: passkey.personUid } };
  },
  entry: (_facts, _verdict, _input, passkey) =>
    passkey && {
      op: 'person.passkey_registered',
      subject: { type: 'person', uid: passkey.personUid },
      details: { passkey_uid: passkey.uid },
    },
  refusals: {
    passkeys_full: `A person can have at most ${PASSKEYS_MAX} passkeys. Remove one first.`,
    passkey_invalid: 'The browser did not create a valid passkey for this session. Try again.',
  },
});
