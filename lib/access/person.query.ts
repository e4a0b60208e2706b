import { LockMode } from '@mikro-orm/core';
import { Refusal } from '#lib/core/refusal.ts';
import type { Em } from '#lib/database/base.ts';
import type { WholeWorkspace } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
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

/** A person of a workspace whom a command changes. */
export type ChangedPerson = { workspace: string; person: string };

/** Returns the workspace of a person who is changed; undefined if the workspace has no such person. */
export async function placeOfPerson(
  em: Em,
  { workspace, person }: ChangedPerson,
): Promise<WholeWorkspace | undefined> {
  const known = await em.count(Person, { uid: person, workspaceUid: workspace }, { filters: false });
  return known ? { workspace } : undefined;
}

/** Locks a person until the transaction ends. Changes of the persons of a workspace run one after another. */
export async function lockPerson(em: Em, { workspace, person }: ChangedPerson): Promise<Person> {
  await lockControl(em, workspace, 'change');
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  return em.findOneOrFail(Person, { uid: person }, { filters: false, lockMode, refresh: true });
}
