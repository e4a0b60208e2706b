import type { EntityName } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Em, Environment, Tenant } from '#lib/database/base.ts';

type Placed = { uid: string; workspaceUid: string; environment: Environment };

/**
 * Returns the workspace and environment of a record of any tenant. They are the place of a command about the record.
 */
export async function placeOfRecord<T extends Placed>(
  em: Em,
  entity: EntityName<T>,
  uid: string,
): Promise<Tenant | undefined> {
  await em.tryFlush(entity, {});
  const table = sql.table(em.getMetadata().get(entity).tableName);
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from ${table} where uid = ${uid}`.execute(em.getKysely());
  return rows[0];
}
