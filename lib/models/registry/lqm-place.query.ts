import type { Em, Tenant } from '#lib/database/base.ts';
import { LqmModel } from './lqm.entity.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

/** Returns the tenant of a numeric model, searching all tenants; undefined if the model does not exist. */
export function lqmPlace(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, LqmModel, uid);
}
