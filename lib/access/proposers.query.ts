import type { Em } from '#lib/database/base.ts';
import { Application } from './application.entity.ts';

/** The persons who own or answer for these applications: they do not decide about what these offered. */
export async function proposersOf(em: Em, applications: readonly string[]): Promise<string[]> {
  const found = await em.find(Application, { uid: [...applications] }, { filters: false });
  return found.flatMap(({ ownerUid, accountableUid }) => [ownerUid, accountableUid ?? ownerUid]);
}
