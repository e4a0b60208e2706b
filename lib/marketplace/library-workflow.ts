import { library } from '#lib/workflows/library.ts';

/** Returns the definition of a workflow of the library; undefined if there is no such workflow. */
export function libraryWorkflow(key: string): unknown {
  return Object.hasOwn(library, key) ? library[key] : undefined;
}
