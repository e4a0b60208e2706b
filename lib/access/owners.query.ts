import type { Em } from '#lib/database/base.ts';
import type { Circumstances } from '#lib/governance/command.ts';
import { Person } from './person.entity.ts';

/** The role of the persons who decide who is an owner of the workspace. */
export const OWNER = 'owner';

/**
 * Returns whether an actor can give the role owner to a person or take it away. An active owner can. While the workspace
 * has no owner, every actor can give the role. An owner who is suspended remains an owner, so that nobody becomes owner by
 * suspending the others. An operator acts without a named person only before the workspace uses one-time codes.
 */
export async function canChangeOwners(
  em: Em,
  workspaceUid: string,
  actor: Circumstances['actor'],
): Promise<boolean> {
  if (actor.kind === 'system') return true;
  const all = { filters: false } as const;
  const owners = { workspaceUid, roles: { $contains: [OWNER] } };
  if (
    actor.kind === 'person' &&
    (await em.count(Person, { ...owners, uid: actor.uid, state: 'active' }, all)) > 0
  )
    return true;
  return (await em.count(Person, { ...owners, state: { $ne: 'departed' } }, all)) === 0;
}

/** The text of the refusal of a person who is not an owner. */
export const ownerRequired = 'Only an active owner of the workspace can give the role owner or take it away.';
