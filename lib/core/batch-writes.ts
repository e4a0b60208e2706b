type Waiting<Item> = { item: Item; resolve(): void; reject(error: unknown): void };

export type BatchWritesOptions<Item> = {
  write(items: readonly Item[]): Promise<unknown>;
  /** The largest number of items in one write. */
  max: number;
  /** Returns the key of an item. Only items with the same key are written together. */
  keyOf?(item: Item): string;
};

/**
 * Batches writes. The first item is written at once. Items that arrive during a write are written together when that
 * write has ended. Each caller waits for the write of its own item. If a write of several items fails, each of these
 * items is written alone, so that no item fails because of another item.
 */
export function batchWrites<Item>({
  write,
  max,
  keyOf = () => '',
}: BatchWritesOptions<Item>): (item: Item) => Promise<void> {
  const queues = new Map<string, Waiting<Item>[]>();
  const drain = async (key: string, queue: Waiting<Item>[]) => {
    while (queue.length > 0) await writeAll(queue.splice(0, max), write);
    queues.delete(key);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      const key = keyOf(item);
      const queue = queues.get(key) ?? [];
      queue.push({ item, resolve, reject });
      if (queues.has(key)) return;
      queues.set(key, queue);
      void drain(key, queue);
    });
}

async function writeAll<Item>(
  batch: readonly Waiting<Item>[],
  write: BatchWritesOptions<Item>['write'],
): Promise<void> {
  try {
    await write(batch.map(({ item }) => item));
    for (const { resolve } of batch) resolve();
  } catch (error) {
    if (batch.length === 1) batch[0]!.reject(error);
    else await Promise.all(batch.map((each) => writeAll([each], write)));
  }
}
