import { recordLists } from './lists.ts';

/** The addresses of the lists whose records have uids, by the prefix of the uids. */
export const recordPlaces: ReadonlyMap<string, string> = new Map([
  ['dec', '/console/decisions'],
  ...recordLists.flatMap(({ prefix, place }): [string, string][] =>
    prefix === undefined ? [] : [[prefix, `/console/${place}`]],
  ),
]);
