/** The largest number of bytes that a cache keeps. */
const BYTES_MAX = 256 * 1024 * 1024;

/**
 * Keeps the prices, universes and signals that the trials of one search compute from the same data. The key of an entry
 * is a text that identifies its definition. A cache belongs to one `StrategyData`. A cache above 256 MiB drops its
 * oldest entries, which are computed again when they are needed.
 */
export class StrategyCache {
  readonly #entries = new Map<string, { value: unknown; bytes: number }>();
  #bytes = 0;

  /** Returns the entry of a key. Computes the entry if the cache does not contain it. */
  get<Value>(key: string, compute: () => Value): Value {
    const found = this.#entries.get(key);
    if (found) return found.value as Value;
    const value = compute();
    const bytes = ArrayBuffer.isView(value) ? value.byteLength : 0;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    this.#forget(key);
    return value;
  }

  #forget(newest: string): void {
    for (const [key, { bytes }] of this.#entries) {
      if (this.#bytes <= BYTES_MAX) return;
      if (bytes === 0 || key === newest) continue;
      this.#entries.delete(key);
      this.#bytes -= bytes;
    }
  }
}
