import type { EntityName } from '@mikro-orm/core';
import type { RawBuilder } from 'kysely';
import type { Em } from './base.ts';

/**
 * Returns the entity of a row that a statement outside the ORM has read. The ORM does not track the entity: changes of
 * it are not written.
 */
export function untracked<T extends object>(em: Em, entity: EntityName<T>, row: Record<string, unknown>): T {
  const found = em.map(entity, row as never);
  em.getUnitOfWork().unsetIdentity(found);
  return found;
}

/**
 * Returns the entities of the rows of a statement, which the ORM tracks. The ORM writes the values of its own statements
 * into their texts, so that the server plans each of them anew. A statement with parameters is prepared once.
 */
export async function readRows<T extends object>(
  em: Em,
  entity: EntityName<T>,
  statement: RawBuilder<unknown>,
): Promise<T[]> {
  await em.tryFlush(entity, {});
  const { rows } = await statement.execute(em.getKysely());
  return rows.map((row) => em.map(entity, row as never));
}
