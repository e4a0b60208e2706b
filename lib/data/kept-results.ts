import type { Em } from '#lib/database/base.ts';

/** The largest size of the results that a process keeps of one database, in characters of JSON. */
const CHARACTERS_MAX = 16_777_216;
/** The size of the key of a kept result and of the records that hold it, in characters. */
const OVERHEAD = 1_024;
/** The time without use after which a process keeps no result, in milliseconds. */
const IDLE_MS = 60_000;

/** A result with its size. `isKept`: whether it belongs to the key and may be kept. Default: true. */
type Kept<Made = unknown> = { made: readonly Made[]; characters: number; isKept?: boolean };
type Results = { byKey: Map<string, Kept>; characters: number; idle?: NodeJS.Timeout };

const results = new WeakMap<object, Results>();

/**
 * Returns what `read` returned lately for this key and database, or reads. The least recently used results are
 * dropped when all of them together are too large. `read` must return the same for the same key at any time, with a count of
 * its characters, unless it says that its result is not to be kept. Callers must not change what is returned.
 */
export async function keptResults<Made>(
  em: Pick<Em, 'getDriver'>,
  key: string,
  read: () => Promise<Kept<Made>>,
): Promise<readonly Made[]> {
  const driver = em.getDriver();
  const ofDatabase = resultsOf(driver);
  const found = ofDatabase.byKey.get(key) as Kept<Made> | undefined;
  const kept = found ?? (await read());
  if (kept.isKept === false) return kept.made;
  drop(ofDatabase, key);
  ofDatabase.byKey.set(key, kept);
  ofDatabase.characters += kept.characters + OVERHEAD;
  for (const oldest of ofDatabase.byKey.keys()) {
    if (ofDatabase.characters <= CHARACTERS_MAX) break;
    drop(ofDatabase, oldest);
  }
  clearTimeout(ofDatabase.idle);
  ofDatabase.idle = setTimeout(() => results.delete(driver), IDLE_MS).unref();
  return kept.made;
}

function drop(ofDatabase: Results, key: string): void {
  const kept = ofDatabase.byKey.get(key);
  if (ofDatabase.byKey.delete(key)) ofDatabase.characters -= kept!.characters + OVERHEAD;
}

function resultsOf(driver: object): Results {
  const known = results.get(driver) ?? { byKey: new Map(), characters: 0 };
  results.set(driver, known);
  return known;
}
