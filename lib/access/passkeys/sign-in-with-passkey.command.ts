import { sql } from 'kysely';
import type { Environment, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { openSession } from '../console/session.write.ts';
import { Person } from '../person.entity.ts';
import type { SigningAnswer } from './answer.ts';
import { signedCounter, type RelyingParty } from './ceremonies.ts';
import { lockChallenge } from './challenge.query.ts';
import { consumeChallenge } from './challenge.write.ts';
import type { Passkey } from './passkey.entity.ts';
import { canSign, challengeFault } from './passkey.ts';
import { lockPasskey } from './passkey.query.ts';

type Input = { party: RelyingParty; answer: SigningAnswer; environment: Environment };

type Facts = { passkey: Passkey; person: Person; counter: number } | undefined;

/** Opens a session of the console with a passkey. Only the result contains the secret of the session. */
export const signInWithPasskey = defineCommand<Input>()({
  async find(em, { answer, environment }): Promise<Tenant | undefined> {
    const { rows } = await sql<{ workspace_uid: string }>`
      select workspace_uid from place_of_passkey(${answer.response.id})`.execute(em.getKysely());
    return rows[0] && { workspace: rows[0].workspace_uid, environment };
  },
  unknown: 'passkey_refused',
  lock: async (em, { answer }) => ({
    challenge: await lockChallenge(em, answer.challenge),
    passkey: await lockPasskey(em, answer.response.id),
  }),
  async facts(em, { challenge, passkey }, { answer, party, environment }, { now }): Promise<Facts> {
    const isIssued = !challengeFault(challenge, { purpose: 'sign_in', sessionHash: null, now });
    if (!isIssued || !passkey || !canSign(passkey, environment)) return undefined;
    const person = await em.findOneOrFail(Person, { uid: passkey.personUid }, { filters: false });
    const counter = await signedCounter(party, answer.response, answer.challenge, passkey).catch(
      () => undefined,
    );
    return counter === undefined || person.state !== 'active' ? undefined : { passkey, person, counter };
  },
  // Every failure has the same answer, so that it reveals nothing about passkeys or persons.
  decide: (facts) =>
    facts ? { ok: true as const, ...facts } : { ok: false as const, code: 'passkey_refused' as const },
  async write(em, _facts, { passkey, person, counter }, { input: { answer }, now, place }) {
    await consumeChallenge(em, answer.challenge, now);
    Object.assign(passkey, { counter, usedAt: now });
    const linkIssuer = passkey.state === 'confirmed' ? null : (passkey.linkIssuedByUid ?? null);
    const opening = { place, person: person.uid, proof: 'passkey' as const, linkIssuer, now };
    return { result: await openSession(em, opening) };
  },
  async writeRefusal(em, _facts, _refused, { input: { answer }, now }) {
    await consumeChallenge(em, answer.challenge, now);
    return [];
  },
  entry: (_facts, verdict) =>
    verdict.ok ? { op: 'person.signed_in', subject: { type: 'person', uid: verdict.person.uid } } : undefined,
  refusals: { passkey_refused: 'The passkey does not open a session here.' },
});
