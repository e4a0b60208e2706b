import { Refusal } from '#lib/core/refusal.ts';
import type { Em } from '#lib/database/base.ts';
import { Person } from './person.entity.ts';

/** Returns a person of a workspace. Throws the refusal `person_unknown` if the workspace has no such person. */
export async function findPerson(em: Em, workspace: string, uid: string): Promise<Person> {
  const person = await em.findOne(Person, { uid, workspaceUid: workspace }, { filters: false });
  if (!person) throw new Refusal('person_unknown', `The workspace has no person ${uid}.`);
  return person;
}

/**
 * Returns a person who may act. Throws the refusal `person_not_active` if the person is suspended or has
 * departed.
 */
export async function activePerson(em: Em, workspace: string, uid: string): Promise<Person> {
  const person = await findPerson(em, workspace, uid);
  if (person.state !== 'active') throw new Refusal('person_not_active', `${person.name} is ${person.state}.`);
  return person;
}

/**
 * Returns the person that an operator acts as: the named person, or the owner of the workspace if no person is named.
 */
export async function actingPerson(em: Em, workspace: string, as: string | undefined): Promise<Person> {
  if (as !== undefined) return activePerson(em, workspace, as);
  const owner = await em.findOne(
    Person,
    { workspaceUid: workspace, roles: { $contains: ['owner'] }, state: 'active' },
    { filters: false, orderBy: { uid: 'asc' } },
  );
  if (owner) return owner;
  throw new Refusal(
    'owner_missing',
    'The workspace has no active person with the role owner. Name the person who makes the change with --as.',
  );
}

/** Returns the persons of a workspace, in order of creation. */
export function listPersons(em: Em, workspace: string): Promise<Person[]> {
  return em.find(Person, { workspaceUid: workspace }, { filters: false, orderBy: { uid: 'asc' } });
}
