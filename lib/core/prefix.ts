import { prefixes } from '#lib/products.ts';

/**
 * The prefixes of public ids, one for each kind of resource. Each product declares the prefixes of its own
 * resources. No two kinds of resources share a prefix.
 */
export { prefixes };

export type Prefix = (typeof prefixes)[keyof typeof prefixes];
