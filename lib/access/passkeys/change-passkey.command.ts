import { LockMode } from '@mikro-orm/core';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type WholeWorkspace } from '#lib/governance/command.ts';
import { Person } from '../person.entity.ts';
import { linkersOf } from '../oidc/identity.query.ts';
import { Passkey } from './passkey.entity.ts';
import { decideConfirmation, type ConfirmationVerdict } from './passkey.ts';

type Input = { passkey: string };

async function placeOfPasskey(em: Em, { passkey }: Input): Promise<WholeWorkspace | undefined> {
  const found = await em.findOne(Passkey, { uid: passkey }, { filters: false });
  return found ? { workspace: found.workspaceUid } : undefined;
}

function lockByUid(em: Em, { passkey }: Input): Promise<Passkey> {
  return em.findOneOrFail(
    Passkey,
    { uid: passkey },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

type RemovalFacts = { passkey: Passkey; isOwn: boolean };

const factsOf = (passkey: Passkey): RemovalFacts => ({ passkey, isOwn: true });

const removal = {
  lock: lockByUid,
  facts: async (_em: Em, passkey: Passkey) => factsOf(passkey),
  decide: ({ passkey: { state }, isOwn }: RemovalFacts) =>
    state === 'removed' || !isOwn
      ? { ok: false as const, code: 'passkey_unknown' as const }
      : { ok: true as const },
  async write(_em: Em, { passkey }: RemovalFacts, _verdict: unknown, { now }: { now: Date }) {
    Object.assign(passkey, { state: 'removed', removedAt: now });
    return { result: passkey };
  },
  entry: ({ passkey: { uid, personUid } }: RemovalFacts) => ({
    op: 'person.passkey_removed' as const,
    subject: { type: 'person', uid: personUid },
    details: { passkey_uid: uid },
  }),
  refusals: { passkey_unknown: ({ passkey }: Input) => `The passkey ${passkey} does not exist.` },
};

/** Confirms a passkey as a second person. From then on, the passkey can sign in production. */
export const confirmPasskey = defineCommand<Input>()({
  find: placeOfPasskey,
  unknown: 'passkey_unknown',
  lock: lockByUid,
  async facts(em, passkey) {
    const person = await em.findOneOrFail(Person, { uid: passkey.personUid }, { filters: false });
    return { passkey, person, linkerUids: await linkersOf(em, passkey.personUid) };
  },
  decide: ({ passkey, person, linkerUids }, _input, at): ConfirmationVerdict => {
    const { state, personUid, linkIssuedByUid = null } = passkey;
    const facts = { state, personUid, personState: person.state, linkIssuedByUid, linkerUids };
    return decideConfirmation(facts, personOf(at));
  },
  async write(_em, { passkey }, _verdict, { now, ...at }) {
    Object.assign(passkey, { state: 'confirmed', confirmedAt: now, confirmedByUid: personOf(at) });
    return { result: passkey };
  },
  entry: ({ passkey }) => ({
    op: 'person.passkey_confirmed',
    subject: { type: 'person', uid: passkey.personUid },
    details: { passkey_uid: passkey.uid },
  }),
  refusals: {
    passkey_unknown: ({ passkey }) => `The passkey ${passkey} does not exist.`,
    passkey_not_registered: 'The passkey was confirmed before, or it was removed.',
    passkey_own:
      'A second person must confirm a passkey: neither its own person, nor who linked an identity to that person, nor who issued the sign-in link behind it.',
    person_not_active: 'The person of the passkey is not active.',
  },
});

/** Removes a passkey of any person permanently. Votes that it signed before remain valid. */
export const removePasskey = defineCommand<Input>()({
  find: placeOfPasskey,
  unknown: 'passkey_unknown',
  ...removal,
});

/** Removes a passkey of the person of a session permanently. */
export const removeOwnPasskey = defineCommand<Input & { tenant: Tenant }>()({
  find: async (em, { passkey, tenant }) =>
    (await em.count(Passkey, { uid: passkey }, { filters: false })) > 0 ? tenant : undefined,
  unknown: 'passkey_unknown',
  ...removal,
  facts: async (_em, passkey, _input, at) => ({
    ...factsOf(passkey),
    isOwn: passkey.personUid === personOf(at),
  }),
});
