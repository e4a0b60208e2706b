import type { Em } from '#lib/database/base.ts';
import { Person } from './person.entity.ts';

/** Returns the names of persons of the caller's workspace, by uid. */
export async function namesOfPersons(em: Em, uids: readonly string[]): Promise<Map<string, string>> {
  const found = await em.find(Person, { uid: { $in: [...new Set(uids)] } }, { fields: ['uid', 'name'] });
  return new Map(found.map(({ uid, name }) => [uid, name]));
}
