import { catalog } from '#api/catalog.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Scope } from '#lib/core/scope.ts';

/** The operations that are called with a bearer credential: all except the OAuth endpoints. */
export const scoped = catalog.filter(({ oauth }) => !oauth) as (Operation & { scope: Scope })[];

/**
 * The operations with a bearer credential that take and return plain JSON: all except the JSON-RPC endpoint.
 */
export const operations = scoped.filter(({ rpc }) => !rpc);
