import type { Em } from '#lib/database/base.ts';
import { Application } from './application.entity.ts';

/**
 * Returns the persons who own or are responsible for these applications. These persons must not decide on evidence
 * that the applications submitted.
 */
export async function proposersOf(em: Em, applications: readonly string[]): Promise<string[]> {
  const found = await em.find(Application, { uid: [...applications] }, { filters: false });
  return found.flatMap(({ ownerUid, accountableUid }) => [ownerUid, accountableUid ?? ownerUid]);
}
