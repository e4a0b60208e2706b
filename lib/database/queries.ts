import type { Em, Orm, Query, Tenant } from './base.ts';
import { inPlatform, inTenant } from './orm.ts';

/** A query in a transaction of its own: on the records of a tenant, or of all of them. */
export type Queries = <A extends readonly unknown[], T>(
  place: Tenant | 'everywhere',
  query: Query<A, T>,
  ...args: A
) => Promise<T>;

/** Queries, each in a transaction of its own. */
export function queriesOn(orm: Orm): Queries {
  return (place, query, ...args) => {
    const read = (em: Em) => query(em, ...args);
    return place === 'everywhere' ? inPlatform(orm, read) : inTenant(orm, place, read);
  };
}
