import { catalog } from '#api/catalog.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Scope } from '#lib/core/scope.ts';

/** The operations that are called with a bearer credential: all except the OAuth endpoints. */
export const scoped = catalog.filter(({ oauth }) => !oauth) as (Operation & { scope: Scope })[];

/** The subset that takes and returns plain JSON: all except the endpoint of a protocol. */
export const operations = scoped.filter(({ rpc }) => !rpc);
