import { defineCommand, personOf } from '#lib/governance/command.ts';
import { endSessions } from '#lib/access/console/session.write.ts';
import { OWNER } from '#lib/access/owners.query.ts';
import { Person } from '#lib/access/person.entity.ts';
import { lockPerson, placeOfPerson } from '#lib/access/person.query.ts';
import { decidePerson, type PersonEvent, type PersonVerdict } from '#lib/access/person.ts';
import { suspendUnsupportedEverywhere } from '../delegations/support.write.ts';

type Input = { workspace: string; person: string; event: PersonEvent; reason: string };

type Verdict = PersonVerdict | { ok: false; code: 'person_unknown' | 'last_owner' };

const ops = {
  suspend: 'person.suspended',
  reinstate: 'person.reinstated',
  depart: 'person.departed',
} as const;

/**
 * Suspends or reinstates a person, or records the departure of a person. The change must be made by another
 * person. The last owner cannot depart, because only an owner can name another owner. Sessions of a person who is no
 * longer active end. Delegations that depended on the person are suspended. Changes of the persons of a workspace run one
 * after another: if two persons suspend each other at the same time, only one change succeeds.
 */
export const changePerson = defineCommand<Input>()({
  find: placeOfPerson,
  unknown: 'person_unknown',
  lock: lockPerson,
  async facts(em, person, { workspace }, at) {
    const by = { uid: personOf(at), workspaceUid: workspace };
    const actor = await em.findOne(Person, by, { filters: false, refresh: true });
    const others = { workspaceUid: workspace, uid: { $ne: person.uid }, state: { $ne: 'departed' as const } };
    const otherOwners = await em.count(
      Person,
      { ...others, roles: { $contains: [OWNER] } },
      { filters: false },
    );
    return { person, from: person.state, actor, isLastOwner: person.roles.includes(OWNER) && !otherOwners };
  },
  decide({ person, from, actor, isLastOwner }, { event }): Verdict {
    if (!actor) return { ok: false, code: 'person_unknown' };
    const verdict = decidePerson(from, event, { state: actor.state, self: actor === person });
    return verdict.ok && event === 'depart' && isLastOwner ? { ok: false, code: 'last_owner' } : verdict;
  },
  async write(em, { person, from }, { next: to }, { input: { workspace }, now }) {
    person.state = to;
    // A session must not open again when the person is reinstated.
    if (to !== 'active') await endSessions(em, person.uid, { now });
    return {
      result: { from, to },
      follow: async () => void (await suspendUnsupportedEverywhere(em, workspace, now)),
    };
  },
  entry: ({ from }, verdict, { person, event, reason }) =>
    verdict.ok
      ? {
          op: ops[event],
          subject: { type: 'person', uid: person },
          details: { from, to: verdict.next, reason },
        }
      : undefined,
  refusals: {
    person_unknown: 'The workspace has no such person.',
    actor_not_active: 'Only an active person can change the state of a person.',
    own_state: 'A person cannot change their own state.',
    person_departed: 'The person has departed, which is final.',
    last_owner: 'The person is the last owner. Give another person the role owner first.',
    person_not_active: 'The person is not active.',
    person_not_suspended: 'The person is not suspended.',
  },
});
