import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { Em, Environment, Tenant } from '#lib/database/base.ts';
import { placeOf } from './command.ts';

type Placed = { uid: string; workspaceUid: string; environment: Environment };

/**
 * Returns the workspace and environment of a record of any tenant. They are the place of a command about the record.
 */
export async function placeOfRecord<T extends Placed>(
  em: Em,
  entity: EntityName<T>,
  uid: string,
): Promise<Tenant | undefined> {
  return placeOf(await em.findOne(entity, { uid } as FilterQuery<T>, { filters: false }));
}
