/**
 * Memory for the columns of a ledger: arrays of zeros. The arrays use shared memory, although only one thread uses
 * them. V8 counts unshared memory outside its heap, and marks the whole heap again after every few dozen megabytes of
 * such memory. With a million events in the heap, this marking takes half of the processor time of a derivation.
 */

export function allocateInts(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}

export function allocateBigints(length: number): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer(8 * length));
}

export function allocateBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}
