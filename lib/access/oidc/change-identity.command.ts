import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type WholeWorkspace } from '#lib/governance/command.ts';
import { endSessions } from '../console/session.write.ts';
import { Person } from '../person.entity.ts';
import { PersonIdentity } from './identity.entity.ts';
import { decideIdentityConfirmation } from './identity.ts';

type Input = { identity: string };

async function placeOfIdentity(em: Em, { identity }: Input): Promise<WholeWorkspace | undefined> {
  const found = await em.findOne(PersonIdentity, { uid: identity }, { filters: false });
  return found ? { workspace: found.workspaceUid } : undefined;
}

function lockByUid(em: Em, { identity }: Input): Promise<PersonIdentity> {
  return em.findOneOrFail(
    PersonIdentity,
    { uid: identity },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

/** Confirms an identity as a second person. From then on, the identity can sign in production. */
export const confirmIdentity = defineCommand<Input>()({
  find: placeOfIdentity,
  unknown: 'identity_unknown',
  lock: lockByUid,
  async facts(em, identity) {
    const { state } = await em.findOneOrFail(Person, { uid: identity.personUid }, { filters: false });
    return { identity, personState: state };
  },
  decide: ({ identity: { state, personUid, linkedByUid }, personState }, _input, at) =>
    decideIdentityConfirmation({ state, personUid, linkedByUid, personState }, personOf(at)),
  async write(_em, { identity }, _verdict, { now, ...at }) {
    Object.assign(identity, { state: 'confirmed', confirmedAt: now, confirmedByUid: personOf(at) });
    return { result: identity };
  },
  entry: ({ identity: { uid, personUid } }) => ({
    op: 'person.identity_confirmed',
    subject: { type: 'person', uid: personUid },
    details: { identity_uid: uid },
  }),
  refusals: {
    identity_unknown: ({ identity }) => `The identity ${identity} does not exist.`,
    identity_not_linked: 'The identity was confirmed before, or it was removed.',
    identity_own:
      'A second person must confirm an identity: neither its own person nor the person who linked it.',
    person_not_active: 'The person of the identity is not active.',
  },
});

/** Removes an identity permanently, and ends the sessions that the person opened at an identity provider. */
export const removeIdentity = defineCommand<Input>()({
  find: placeOfIdentity,
  unknown: 'identity_unknown',
  lock: lockByUid,
  facts: async (_em, identity) => identity,
  decide: ({ state }) =>
    state === 'removed' ? { ok: false as const, code: 'identity_unknown' as const } : { ok: true as const },
  async write(em, identity, _verdict, { now }) {
    Object.assign(identity, { state: 'removed', removedAt: now });
    await endSessions(em, identity.personUid, { now, proof: 'oidc' });
    return { result: identity };
  },
  entry: ({ uid, personUid }) => ({
    op: 'person.identity_removed',
    subject: { type: 'person', uid: personUid },
    details: { identity_uid: uid },
  }),
  refusals: { identity_unknown: ({ identity }) => `The identity ${identity} does not exist.` },
});
