import { type EntityClass, EntitySchema } from '@mikro-orm/core';
import { exportsBelow } from '#lib/core/discover.ts';

const lib = new URL('../', import.meta.url).pathname;

/** All entities of Assay: the classes with a schema exported by the files `*.entity.ts`. */
export const entities = (await exportsBelow(lib, '*/**/*.entity.ts')).filter(isEntity);

function isEntity(value: unknown): value is EntityClass {
  return typeof value === 'function' && EntitySchema.REGISTRY.has(value);
}
