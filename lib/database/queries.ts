import type { Em, Orm, Query, Tenant } from './base.ts';
import { inPlatform, inTenant } from './orm.ts';

/** A function that runs a query in its own transaction, on the records of one tenant or of all tenants. */
export type Queries = <A extends readonly unknown[], T>(
  place: Tenant | 'everywhere',
  query: Query<A, T>,
  ...args: A
) => Promise<T>;

/** Returns a function that runs queries, each in its own transaction. */
export function queriesOn(orm: Orm): Queries {
  return (place, query, ...args) => {
    const read = (em: Em) => query(em, ...args);
    return place === 'everywhere' ? inPlatform(orm, read) : inTenant(orm, place, read);
  };
}
