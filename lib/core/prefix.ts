import { prefixes } from '#lib/products.ts';

/**
 * The prefixes of public ids, one for each kind of resource. Each product declares its own, and no two resources share
 * a prefix.
 */
export { prefixes };

export type Prefix = (typeof prefixes)[keyof typeof prefixes];
