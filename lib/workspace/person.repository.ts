import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { Person } from './person.entity.ts';
import { decidePerson, type PersonEvent, type PersonRefusal, type PersonState } from './person.ts';

export type PersonChange = { workspace: string; person: string; event: PersonEvent; by: string };

export type ChangedPerson =
  | { ok: true; from: PersonState; to: PersonState }
  | { ok: false; code: PersonRefusal }
  | { ok: false; code: 'person_unknown' };

/**
 * Locks a person and who changes them, asks the rule, and writes what it says, in the caller's transaction. Both are
 * locked, in the order of their uids: of two who suspend each other one wins. For operators: it looks into all
 * workspaces.
 */
export async function changePerson(
  em: Em,
  { workspace, person, event, by }: PersonChange,
): Promise<ChangedPerson> {
  const locked = await em.find(
    Person,
    { uid: { $in: [person, by] }, workspaceUid: workspace },
    { filters: false, orderBy: { uid: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  const [subject, actor] = [person, by].map((uid) => locked.find((each) => each.uid === uid));
  if (!subject || !actor) return { ok: false, code: 'person_unknown' };
  const from = subject.state;
  const verdict = decidePerson(from, event, { state: actor.state, self: actor === subject });
  if (!verdict.ok) return verdict;
  subject.state = verdict.next;
  return { ok: true, from, to: verdict.next };
}
