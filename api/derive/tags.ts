import type { Operation } from '#lib/core/operation.ts';
import { productTexts } from '#lib/products.ts';

/**
 * Returns the tags of a catalog in the order of their first use. The last tag is for the pages about the
 * contract itself.
 */
export function tagsOf(catalog: readonly Operation[]): { name: string; description: string }[] {
  const used = [...new Set(catalog.map((operation) => operation.product))];
  return [
    ...used.map((name) => ({ name, description: productTexts[name] })),
    { name: 'Contract', description: 'The API contract itself.' },
  ];
}
