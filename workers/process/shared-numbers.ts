import { setImmediate } from 'node:timers/promises';

/** Bytes that are copied before other work of the main thread gets its turn. */
const SLICE_BYTES = 16_777_216;

/** Doubles in memory that all threads of the process share. */
export type SharedDoubles = Float64Array<SharedArrayBuffer>;

/**
 * Copies bytes from one array into another of at least the same size, 16 MiB at a time, so that the event loop is
 * blocked for only a few milliseconds at a time.
 */
export async function copyInSlices(from: ArrayBufferView, to: ArrayBufferView): Promise<void> {
  const source = new Uint8Array(from.buffer, from.byteOffset, from.byteLength);
  const target = new Uint8Array(to.buffer, to.byteOffset, to.byteLength);
  for (let at = 0; at < source.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    target.set(source.subarray(at, at + SLICE_BYTES), at);
  }
}

/** Returns doubles in shared memory, all 0. */
export function sharedDoubles(count: number): SharedDoubles {
  return new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
}
