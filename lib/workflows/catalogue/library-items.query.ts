import type { Em } from '#lib/database/base.ts';
import { runs } from '#lib/runs.ts';
import type { Scope } from '#lib/core/scope.ts';
import { readDefinition, scopesOf } from '../definition.ts';
import { shipped } from '../library.ts';
import type { LibraryItem } from './library-item.ts';
import { WorkflowLibraryItem } from './workflow-library-item.entity.ts';

/** The publisher of the items that come with Assay. */
export const SHIPPED_BY = 'Assay';

let valid: readonly LibraryItem[] | undefined;

/** Returns the items that come with Assay. Throws if one of them is not valid; a test ensures that all are valid. */
export function shippedItems(): readonly LibraryItem[] {
  return (valid ??= shipped.map(({ key, version, category, definition: content }) => {
    const read = readDefinition(content, runs);
    if (!read.ok) throw new Error(`the shipped workflow ${key} is not valid: ${JSON.stringify(read.faults)}`);
    const { definition, digest } = read;
    const origin = { origin: 'shipped', publisher: SHIPPED_BY, state: 'published' } as const;
    return { key, version, category, definition, digest, ...origin };
  }));
}

/**
 * Returns the items that were ever published, in the order of the library: by key, and the newest version of a key
 * first. If a key is given, returns only the items with this key.
 */
export async function libraryItems(em: Em, key?: string): Promise<LibraryItem[]> {
  const rows = await em.find(
    WorkflowLibraryItem,
    { publishedAt: { $ne: null }, ...(key === undefined ? {} : { key }) },
    { refresh: true },
  );
  const changed = new Set(rows.map(placeOf));
  const untouched = shippedItems().filter(
    (item) => (key === undefined || item.key === key) && !changed.has(placeOf(item)),
  );
  return [...rows, ...untouched].sort(inOrder);
}

/** Returns the scopes that the runs and tasks of an item need. */
export function requiredScopes({ definition }: Pick<LibraryItem, 'definition'>): Scope[] {
  return scopesOf(definition, runs);
}

/** Returns the offers and changes of an operator's workspace, newest first. For operators. */
export function offersOf(em: Em, { workspace, limit }: { workspace: string; limit: number }) {
  return em.find(WorkflowLibraryItem, { offeredInUid: workspace }, { orderBy: { uid: 'desc' }, limit });
}

/** Returns the members that identify an offered item, and the workspace whose persons offer it. For operators. */
export async function findItem(
  em: Em,
  uid: string,
): Promise<{ workspace: string; key: string; version: number } | undefined> {
  const item = await em.findOne(WorkflowLibraryItem, { uid });
  return item ? { workspace: item.offeredInUid, key: item.key, version: item.version } : undefined;
}

function placeOf({ key, version }: Pick<LibraryItem, 'key' | 'version'>): string {
  return `${key} ${version}`;
}

function inOrder(one: LibraryItem, other: LibraryItem): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return other.version - one.version;
}
