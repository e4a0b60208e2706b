import { copyInSlices } from './shared-numbers.ts';

/** Maximum number of objects of loaded data that are inspected. Data of more objects is not shared. */
const OBJECTS_MAX = 20_000;

type TypedArray =
  | Float64Array
  | Float32Array
  | BigInt64Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint8Array;

/** The types of arrays that are moved to shared memory. A `Buffer` is not among them. */
const shareable = new Set<unknown>([
  Float64Array,
  Float32Array,
  BigInt64Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint8Array,
]);

/**
 * Returns loaded data with its typed arrays in shared memory, so that threads receive them without a copy, and the
 * approximate size of the data in bytes. Arrays in shared memory and instances of classes, such as a `Map`, are left as
 * they are. Returns undefined for data of more than 20,000 objects; an array of numbers or texts counts as one object.
 * The given data is not changed.
 */
export async function shareData(data: unknown): Promise<{ data: unknown; bytes: number } | undefined> {
  const sharing: Sharing = { copies: new Map(), arrays: [], bytes: 0 };
  const copy = copyOf(data, sharing);
  if (sharing.copies.size > OBJECTS_MAX) return undefined;
  for (const { from, to } of sharing.arrays) await copyInSlices(from, to);
  return { data: copy, bytes: sharing.bytes };
}

type Sharing = {
  /** The copy of each object. */
  copies: Map<object, unknown>;
  /** The typed arrays and their empty copies in shared memory. */
  arrays: { from: TypedArray; to: TypedArray }[];
  bytes: number;
};

function copyOf(value: unknown, sharing: Sharing): unknown {
  if (typeof value === 'string') sharing.bytes += 2 * value.length;
  if (typeof value !== 'object' || value === null || sharing.copies.size > OBJECTS_MAX) return value;
  if (sharing.copies.has(value)) return sharing.copies.get(value);
  if (ArrayBuffer.isView(value)) return copyOfArray(value, sharing);
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    sharing.copies.set(value, copy);
    sharing.bytes += 8 * value.length;
    for (const each of value) copy.push(copyOf(each, sharing));
    return copy;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    sharing.copies.set(value, value);
    return value;
  }
  const copy: Record<string, unknown> = {};
  sharing.copies.set(value, copy);
  for (const [name, each] of Object.entries(value)) {
    sharing.bytes += 2 * name.length + 8;
    copy[name] = copyOf(each, sharing);
  }
  return copy;
}

function copyOfArray(value: ArrayBufferView, sharing: Sharing): unknown {
  sharing.bytes += value.byteLength;
  if (!shareable.has(value.constructor) || value.buffer instanceof SharedArrayBuffer) {
    sharing.copies.set(value, value);
    return value;
  }
  const from = value as TypedArray;
  const Type = from.constructor as Float64ArrayConstructor;
  const to = new Type(new SharedArrayBuffer(from.byteLength));
  sharing.copies.set(value, to);
  sharing.arrays.push({ from, to });
  return to;
}
