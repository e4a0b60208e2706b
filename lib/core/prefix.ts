import { prefixes } from '#lib/products.ts';

/** The kinds of public ids. Each product declares its own, and no two resources share a prefix. */
export { prefixes };

export type Prefix = (typeof prefixes)[keyof typeof prefixes];
