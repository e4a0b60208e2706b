import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { defineCommand, personOf, type WholeWorkspace } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { Person } from '../person.entity.ts';
import { PersonIdentity } from './identity.entity.ts';
import { decideLink, IDENTITIES_MAX } from './identity.ts';
import { identitiesOf } from './identity.query.ts';

type Input = { person: string; issuer: string; subject: string };

/** Links an identity at the identity provider to a person. It signs in production after a second person confirmed it. */
export const addIdentity = defineCommand<Input>()({
  async find(em, { person }): Promise<WholeWorkspace | undefined> {
    const found = await em.findOne(Person, { uid: person }, { filters: false });
    return found ? { workspace: found.workspaceUid } : undefined;
  },
  unknown: 'person_unknown',
  lock: (em, _input, { workspace }) => lockControl(em, workspace, 'change'),
  async facts(em, _locked, { person, issuer, subject }) {
    const { uid, workspaceUid, state } = await em.findOneOrFail(Person, { uid: person }, { filters: false });
    return {
      uid,
      workspaceUid,
      personState: state,
      count: (await identitiesOf(em, person)).length,
      isInUse:
        (await em.count(PersonIdentity, { issuer, subject, state: { $ne: 'removed' } }, { filters: false })) >
        0,
    };
  },
  decide: (facts) => decideLink(facts),
  async write(em, { uid, workspaceUid }, _verdict, { input: { issuer, subject }, now, ...at }) {
    const result = em.create(PersonIdentity, {
      uid: newUid(prefixes.personIdentity),
      workspaceUid,
      personUid: uid,
      issuer,
      subject,
      state: 'linked',
      linkedAt: now,
      linkedByUid: personOf(at),
      confirmedAt: null,
      confirmedByUid: null,
      removedAt: null,
      usedAt: null,
    });
    return { result };
  },
  entry: ({ uid }, _verdict, { issuer }, identity) =>
    identity && {
      op: 'person.identity_linked',
      subject: { type: 'person', uid },
      details: { identity_uid: identity.uid, issuer },
    },
  refusals: {
    person_unknown: ({ person }) => `The person ${person} does not exist.`,
    person_not_active: 'Only an active person can sign in to the console.',
    identities_full: `A person can have at most ${IDENTITIES_MAX} identities. Remove one first.`,
    identity_in_use: 'The identity is linked to a person. Remove that link first.',
  },
});
