import { shareData } from './share-data.ts';
import type { RoundNumbers } from './round-numbers.ts';

/** The largest size of everything in the cache of a worker, in bytes. */
export const CACHE_BYTES_MAX = 268_435_456;
/** The time without use after which the cache is emptied, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * The data and numbers of the divided runs that a worker works on, by the uid of the run. The input and the dataset
 * revisions of a run never change, so all its parts load equal data. The least recently used runs are dropped when the
 * cache is larger than its limit. A run that is in use keeps its memory until its computation ends.
 */
export type RunCache = {
  /** Returns the data of a run. Loads the data unless it is in the cache or is being loaded. */
  data(uid: string, load: () => Promise<unknown>): Promise<unknown>;
  /** Returns the numbers of the earlier rounds of a run; undefined if the cache contains none. */
  numbers(uid: string): RoundNumbers | undefined;
  keepNumbers(uid: string, numbers: RoundNumbers): void;
  /** Drops everything of a run. */
  forget(uid: string): void;
};

type Entry = { data?: Promise<unknown>; dataBytes: number; numbers?: RoundNumbers };

export function createRunCache({ bytesMax = CACHE_BYTES_MAX, idleMs = IDLE_MS } = {}): RunCache {
  /** From the least to the most recently used run. */
  const entries = new Map<string, Entry>();
  let idle: NodeJS.Timeout | undefined;
  const use = (uid: string): Entry => {
    const entry = entries.get(uid) ?? { dataBytes: 0 };
    entries.delete(uid);
    entries.set(uid, entry);
    clearTimeout(idle);
    idle = setTimeout(() => entries.clear(), idleMs).unref();
    return entry;
  };
  const dropOldest = () => {
    for (const [uid, entry] of entries) if (bytesOf(entry) > bytesMax) entries.delete(uid);
    let bytes = 0;
    for (const entry of entries.values()) bytes += bytesOf(entry);
    for (const [uid, entry] of entries) {
      if (bytes <= bytesMax) return;
      entries.delete(uid);
      bytes -= bytesOf(entry);
    }
  };
  const loadInto = async (entry: Entry, load: () => Promise<unknown>): Promise<unknown> => {
    try {
      const loaded = await load();
      const shared = await shareData(loaded);
      if (!shared) delete entry.data;
      entry.dataBytes = shared?.bytes ?? 0;
      dropOldest();
      return shared ? shared.data : loaded;
    } catch (error) {
      delete entry.data;
      throw error;
    }
  };
  return {
    data(uid, load) {
      const entry = use(uid);
      return (entry.data ??= loadInto(entry, load));
    },
    numbers: (uid) => use(uid).numbers,
    keepNumbers(uid, numbers) {
      use(uid).numbers = numbers;
      dropOldest();
    },
    forget: (uid) => void entries.delete(uid),
  };
}

function bytesOf({ dataBytes, numbers }: Entry): number {
  return dataBytes + (numbers?.doubles.byteLength ?? 0);
}
