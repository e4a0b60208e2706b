import type { Em, Tenant } from '#lib/database/base.ts';
import { LqmModel } from './lqm.entity.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

/** Where a numeric model is, across all tenants; undefined where there is none. */
export function lqmPlace(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, LqmModel, uid);
}
