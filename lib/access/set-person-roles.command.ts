import { defineCommand, personOf } from '#lib/governance/command.ts';
import { canChangeOwners, OWNER, ownerRequired } from './owners.query.ts';
import { Person } from './person.entity.ts';
import { lockPerson, placeOfPerson } from './person.query.ts';

type Input = { workspace: string; person: string; roles: string[]; reason: string };

/**
 * Replaces the roles of a person. The change must be made by another active person, and at least one active owner must
 * remain. Only an owner gives or takes the role owner. Changes of the persons of a workspace run one after another.
 */
export const setPersonRoles = defineCommand<Input>()({
  find: placeOfPerson,
  unknown: 'person_unknown',
  lock: lockPerson,
  async facts(em, person, { workspace }, at) {
    const active = { workspaceUid: workspace, state: 'active' as const };
    const other = { ...active, uid: { $ne: person.uid } };
    const by = personOf(at);
    return {
      person,
      from: person.roles,
      isSelf: by === person.uid,
      isActorActive: (await em.count(Person, { ...active, uid: by }, { filters: false })) > 0,
      canChangeOwners: await canChangeOwners(em, workspace, at.actor),
      otherOwners: await em.count(Person, { ...other, roles: { $contains: [OWNER] } }, { filters: false }),
    };
  },
  decide({ from, isSelf, isActorActive, canChangeOwners: isAllowed, otherOwners }, { roles }) {
    if (!isActorActive) return { ok: false as const, code: 'actor_not_active' as const };
    if (isSelf) return { ok: false as const, code: 'own_roles' as const };
    const [wasOwner, isOwner] = [from.includes(OWNER), roles.includes(OWNER)];
    if (wasOwner && !isOwner && otherOwners === 0) return { ok: false as const, code: 'last_owner' as const };
    if (wasOwner !== isOwner && !isAllowed) return { ok: false as const, code: 'owner_required' as const };
    return { ok: true as const };
  },
  async write(_em, { person, from }, _verdict, { input: { roles } }) {
    person.roles = roles;
    return { result: { from, to: roles } };
  },
  entry: ({ from }, verdict, { person, roles, reason }) =>
    verdict.ok
      ? {
          op: 'person.roles_changed',
          subject: { type: 'person', uid: person },
          details: { from, to: roles, reason },
        }
      : undefined,
  refusals: {
    person_unknown: 'The workspace has no such person.',
    actor_not_active: 'Only an active person can change the roles of a person.',
    own_roles: 'A person cannot change their own roles.',
    owner_required: ownerRequired,
    last_owner: 'The workspace needs at least one active person with the role owner.',
  },
});
