/** The WebAssembly bytes of an expression or of a statement, as a possibly nested array. */
export type Code = readonly (number | Code)[];
/** The code of an expression that reads a local variable. */
export type Local = readonly [0x20, number];

type Compiled = (...parameters: number[]) => number;
/** A function bound to a memory: `run` runs it on `buffer`. */
export type Bound = { run: Compiled; buffer: ArrayBuffer };
type Runtime = {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { run: Compiled } };
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
};
/**
 * The part of the WebAssembly interface that this module uses. It is declared here, because TypeScript's types do not
 * include it. Undefined if Node runs with `--jitless`.
 */
const runtime = (globalThis as unknown as { WebAssembly?: Runtime }).WebAssembly;

const [I32, V128, PAGE] = [0x7f, 0x7b, 65_536];

export type WasmFunction = {
  parameters: number;
  integers: number;
  vectors: number;
  body: Code;
  /**
   * Returns a plain TypeScript version of the function over a memory. Its results equal those of the compiled function
   * to the bit, but it is slower.
   */
  plain(buffer: ArrayBuffer): Compiled;
};

/**
 * Compiles one WebAssembly function on integers. Its locals are the parameters, then more integers, then vectors of
 * four 32-bit or two 64-bit floating-point numbers. `on` binds the function to a new memory of at least the given
 * number of bytes. Each operation follows IEEE 754 and rounds separately, so results are the same on every machine. If
 * the engine does not support WebAssembly with vectors, `on` binds the plain TypeScript function.
 *
 * Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).
 */
export function wasmFunction({ parameters, integers, vectors, body, plain }: WasmFunction) {
  const code = bytesOf([2, integers, I32, vectors, V128, body, 0x0b]);
  const module = compile(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [1, 0x60, parameters, ...Array.from({ length: parameters }, () => I32), 1, I32]),
      ...section(2, [1, ...name('own'), ...name('memory'), 2, 0, 0]),
      ...section(3, [1, 0]),
      ...section(7, [1, ...name('run'), 0, 0]),
      ...section(10, [1, ...unsigned(code.length), ...code]),
    ]),
  );
  const onPlain = (bytes: number): Bound => {
    const buffer = new ArrayBuffer(Math.ceil(bytes / PAGE) * PAGE);
    return { run: plain(buffer), buffer };
  };
  const onCompiled = (bytes: number): Bound => {
    const memory = new runtime!.Memory({ initial: Math.ceil(bytes / PAGE) });
    return { run: new runtime!.Instance(module!, { own: { memory } }).exports.run, buffer: memory.buffer };
  };
  return { on: module ? onCompiled : onPlain, onPlain };
}

/** Returns the compiled module; undefined if the engine cannot run the function. */
function compile(bytes: Uint8Array): object | undefined {
  try {
    return runtime && new runtime.Module(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a function that allocates locals by number, starting with the first parameter. */
export function locals(): () => Local {
  let next = 0;
  return () => [0x20, next++];
}

export const set = ([, local]: Local, value: Code): Code => [value, 0x21, local];
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const add = (one: Code, other: Code): Code => [one, other, 0x6a];
export const or = (one: Code, other: Code): Code => [one, other, 0x72];
export const shiftLeft = (value: Code, bits: number): Code => [value, constant(bits), 0x74];
export const differ = (one: Code, other: Code): Code => [one, other, 0x47];
export const isBelow = (one: Code, other: Code): Code => [one, other, 0x49];
export const store = (address: Code, value: Code, offset = 0): Code => [address, value, 0x36, 2, offset];
export const when = (condition: Code, then: Code): Code => [condition, 0x04, 0x40, then, 0x0b];
/** Returns code that runs the body at least once, and repeats it while the condition holds after a run. */
export const repeatWhile = (body: Code, condition: Code): Code => [
  0x03,
  0x40,
  body,
  condition,
  0x0d,
  0,
  0x0b,
];

export const load = (address: Code, offset = 0): Code => [address, 0xfd, 0x00, 2, offset];
export const save = (address: Code, value: Code, offset = 0): Code => [address, value, 0xfd, 0x0b, 2, offset];
/** Code of a vector of zeros, for four 32-bit or two 64-bit numbers. */
export const zeros: Code = [...constant(0), 0xfd, 0x11];

/** Codes of operations on four 32-bit numbers at once. */
export const four = {
  /** Loads the number at an address into all four lanes. */
  loadOne: (address: Code, offset = 0): Code => [address, 0xfd, 0x09, 2, offset],
  add: (one: Code, other: Code): Code => [one, other, 0xfd, 0xe4, 0x01],
  subtract: (one: Code, other: Code): Code => [one, other, 0xfd, 0xe5, 0x01],
  multiply: (one: Code, other: Code): Code => [one, other, 0xfd, 0xe6, 0x01],
  larger: (one: Code, other: Code): Code => [one, other, 0xfd, 0xeb, 0x01],
  /** Returns one bit for each lane: set if the first number is above the second. A comparison with NaN gives 0. */
  above: (one: Code, other: Code): Code => [one, other, 0xfd, 0x44, 0xfd, 0xa4, 0x01],
};

/** Codes of operations on two 64-bit numbers at once. */
export const two = {
  /** Loads the number at an address into both lanes. */
  loadOne: (address: Code, offset = 0): Code => [address, 0xfd, 0x0a, 2, offset],
  add: (one: Code, other: Code): Code => [one, other, 0xfd, 0xf0, 0x01],
  subtract: (one: Code, other: Code): Code => [one, other, 0xfd, 0xf1, 0x01],
  multiply: (one: Code, other: Code): Code => [one, other, 0xfd, 0xf2, 0x01],
  divide: (one: Code, other: Code): Code => [one, other, 0xfd, 0xf3, 0x01],
  absolute: (value: Code): Code => [value, 0xfd, 0xec, 0x01],
  floor: (value: Code): Code => [value, 0xfd, 0x75],
  isAbove: (one: Code, other: Code): Code => [one, other, 0xfd, 0x4a],
  isAtMost: (one: Code, other: Code): Code => [one, other, 0xfd, 0x4b],
  /** Converts the first two of four unsigned 32-bit integers to 64-bit floating-point numbers. */
  ofWords: (value: Code): Code => [value, 0xfd, 0xff, 0x01],
};

/** Codes of operations on four 32-bit integers at once. */
export const words = {
  all: (value: Code): Code => [value, 0xfd, 0x11],
  add: (one: Code, other: Code): Code => [one, other, 0xfd, 0xae, 0x01],
  subtract: (one: Code, other: Code): Code => [one, other, 0xfd, 0xb1, 0x01],
  differ: (one: Code, other: Code): Code => [one, other, 0xfd, 0x51],
  shiftRight: (value: Code, bits: number): Code => [value, constant(bits), 0xfd, 0xad, 0x01],
  /** Shifts to the right and keeps the sign. */
  halve: (value: Code): Code => [value, constant(1), 0xfd, 0xac, 0x01],
  /** Returns the 64-bit products of the first two, or the last two, unsigned integers. */
  productsOfFirst: (one: Code, other: Code): Code => [one, other, 0xfd, 0xde, 0x01],
  productsOfLast: (one: Code, other: Code): Code => [one, other, 0xfd, 0xdf, 0x01],
  /** Returns a vector of four integers, chosen by index from the eight integers of two vectors. */
  choose: (one: Code, other: Code, places: readonly number[]): Code => [
    one,
    other,
    0xfd,
    0x0d,
    ...places.flatMap((place) => [0, 1, 2, 3].map((byte) => 4 * place + byte)),
  ],
  /** Rounds two 64-bit floating-point numbers towards zero. The last two integers are 0. */
  ofTwo: (value: Code): Code => [value, 0xfd, 0xfc, 0x01],
  /** Returns the first two integers as signed 64-bit integers. */
  widen: (value: Code): Code => [value, 0xfd, 0xc7, 0x01],
};

/** Shifts two 64-bit integers to the left. */
export const shiftTwo = (value: Code, bits: number): Code => [value, constant(bits), 0xfd, 0xcb, 0x01];
/** Returns the bits of `one` where the mask is set, otherwise those of `other`. */
export const choose = (mask: Code, one: Code, other: Code): Code => [one, other, mask, 0xfd, 0x52];

function bytesOf(code: Code): number[] {
  return code.flatMap((each) => (typeof each === 'number' ? each : bytesOf(each)));
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const [low, rest] = [value & 127, value >> 7];
  const isLast = (rest === 0 && low < 64) || (rest === -1 && low >= 64);
  return isLast ? [low] : [low | 128, ...signed(rest)];
}
