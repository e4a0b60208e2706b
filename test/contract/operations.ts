import { catalog } from '#api/catalog.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Scope } from '#lib/core/scope.ts';

/** The operations that are called with a bearer credential: all but the OAuth endpoints. */
export const scoped = catalog.filter(({ oauth }) => !oauth) as (Operation & { scope: Scope })[];

/** Those of them that take and give plain JSON: all but the endpoint of a protocol. */
export const operations = scoped.filter(({ rpc }) => !rpc);
