import { catalog } from '#api/catalog.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Scope } from '#lib/core/scope.ts';

/** The operations that are called with a bearer credential: all but the OAuth endpoints. */
export const operations = catalog.filter(({ oauth }) => !oauth) as (Operation & { scope: Scope })[];
