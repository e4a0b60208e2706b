import type { Em } from '#lib/database/base.ts';

/** The largest size of the texts that a process keeps of one database, in characters. */
const CHARACTERS_MAX = 16_777_216;
/** The time without use after which a process keeps no text, in milliseconds. */
const IDLE_MS = 60_000;

type Kept = { made: readonly unknown[]; characters: number };
type Texts = { byKey: Map<string, Kept>; idle?: NodeJS.Timeout };

const texts = new WeakMap<object, Texts>();

/**
 * Returns what `read` returned lately for this key and database, or reads. The least recently used texts are dropped
 * when all of them together are too large. `read` must return the same for the same key at any time, with a count of
 * its characters. Callers must not change what is returned.
 */
export async function keptTexts<Made>(
  em: Pick<Em, 'getDriver'>,
  key: string,
  read: () => Promise<{ made: readonly Made[]; characters: number }>,
): Promise<readonly Made[]> {
  const ofDatabase = textsOf(em.getDriver());
  const { byKey } = ofDatabase;
  const found = byKey.get(key) as { made: readonly Made[]; characters: number } | undefined;
  const kept = found ?? (await read());
  byKey.delete(key);
  byKey.set(key, kept);
  let characters = 0;
  for (const each of byKey.values()) characters += each.characters;
  for (const [oldest, each] of byKey) {
    if (characters <= CHARACTERS_MAX) break;
    byKey.delete(oldest);
    characters -= each.characters;
  }
  clearTimeout(ofDatabase.idle);
  ofDatabase.idle = setTimeout(() => byKey.clear(), IDLE_MS).unref();
  return kept.made;
}

function textsOf(driver: object): Texts {
  const known = texts.get(driver) ?? { byKey: new Map() };
  texts.set(driver, known);
  return known;
}
