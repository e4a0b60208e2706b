import { normalQuantile, normalQuantileCentre } from './normal-quantile.ts';
import { PHILOX_ROUNDS, philox4x32, PHILOX_STEPS } from './philox.ts';
import { uniform52 } from './uniform.ts';
import * as w from './wasm-function.ts';

/** Normals that one step of the kernel computes: two for each of four blocks. */
const GROUP = 8;
/** Maximum count of normals that one run of the kernel computes: a multiple of two. */
export const ROW_MAX = 1_024;
/**
 * 2^60. A uniform in a tail is multiplied by this number, so that the stored number differs from every normal of the
 * centre.
 */
const TAIL_SCALE = 1_152_921_504_606_846_976;
const TWO_TO_26 = 67_108_864;
const TWO_TO_MINUS_52 = 1 / 4_503_599_627_370_496;

const { numerator, denominator, bound, shift } = normalQuantileCentre;
const NUMBERS = [TWO_TO_26, 0.5, TWO_TO_MINUS_52, bound, shift, TAIL_SCALE, ...numerator, ...denominator];
const [SCALE, HALF, UNIT, BOUND, SHIFT, TAIL] = [0, 1, 2, 3, 4, 5];
const [NUMERATOR, DENOMINATOR] = [6, 6 + numerator.length];
/**
 * Address of the normals. The constants in `NUMBERS` start at address 0. The offsets of the four blocks end at this
 * address.
 */
const OUT = 8 * 32;

const local = w.locals();
const [keyLow, keyHigh, block, sampleLow] = [local(), local(), local(), local()];
const [domain, sampleHigh, end, at] = [local(), local(), local(), local()];
const [c0, c1, c2, c3, k0, k1] = [local(), local(), local(), local(), local(), local()];
const [first0, last0, first2, last2] = [local(), local(), local(), local()];
const [m0, m1, step0, step1, next] = [local(), local(), local(), local(), local()];
const [u, q, r, a, b] = [local(), local(), local(), local(), local()];

/** Reads a number into both lanes. An offset has one byte, so one address reaches only 16 numbers. */
const number = (place: number): w.Code =>
  place < 16 ? w.two.loadOne(w.constant(0), 8 * place) : w.two.loadOne(w.constant(8 * 16), 8 * (place - 16));

const { multipliers, weyl } = PHILOX_STEPS;
const round: w.Code = [
  w.set(first0, w.words.productsOfFirst(c0, m0)),
  w.set(last0, w.words.productsOfLast(c0, m0)),
  w.set(first2, w.words.productsOfFirst(c2, m1)),
  w.set(last2, w.words.productsOfLast(c2, m1)),
  w.set(c0, w.words.differ(w.words.differ(w.words.choose(first2, last2, [1, 3, 5, 7]), c1), k0)),
  w.set(c1, w.words.choose(first2, last2, [0, 2, 4, 6])),
  w.set(c2, w.words.differ(w.words.differ(w.words.choose(first0, last0, [1, 3, 5, 7]), c3), k1)),
  w.set(c3, w.words.choose(first0, last0, [0, 2, 4, 6])),
  w.set(k0, w.words.add(k0, step0)),
  w.set(k1, w.words.add(k1, step1)),
];

const polynomial = (value: w.Local, from: number, length: number): w.Code => [
  w.set(value, number(from)),
  Array.from({ length: length - 1 }, (_, term) =>
    w.set(value, w.two.add(w.two.multiply(value, r), number(from + 1 + term))),
  ),
];

/** Sets `u` to two uniforms, made from the words at `places` in a vector of high words and in a vector of low words. */
const uniforms = (high: w.Local, low: w.Local, places: readonly number[]): w.Code => {
  const doubles = (from: w.Local) => w.two.ofWords(w.words.choose(w.words.shiftRight(from, 6), from, places));
  return w.set(
    u,
    w.two.multiply(
      w.two.add(w.two.add(w.two.multiply(doubles(high), number(SCALE)), doubles(low)), number(HALF)),
      number(UNIT),
    ),
  );
};

/** Sets `next` to the normals of the uniforms `u`, or in a tail to the uniforms times `TAIL_SCALE`. */
const normals: w.Code = [
  w.set(q, w.two.subtract(u, number(HALF))),
  w.set(r, w.two.subtract(number(SHIFT), w.two.multiply(q, q))),
  polynomial(a, NUMERATOR, numerator.length),
  polynomial(b, DENOMINATOR, denominator.length),
  w.set(
    next,
    w.choose(
      w.two.isAtMost(w.two.absolute(q), number(BOUND)),
      w.two.divide(w.two.multiply(q, a), b),
      w.two.multiply(u, number(TAIL)),
    ),
  ),
];

/**
 * Blocks 0 and 1 of the four are in the first lanes, 2 and 3 in the last; `first0` and `last0` hold earlier normals.
 */
const pair = (places: readonly number[], offset: number): w.Code => [
  uniforms(c0, c1, places),
  normals,
  w.set(first0, next),
  uniforms(c2, c3, places),
  normals,
  w.save(at, w.words.choose(first0, next, [0, 1, 4, 5]), offset),
  w.save(at, w.words.choose(first0, next, [2, 3, 6, 7]), offset + 16),
];

/**
 * Computes the normals of one sample from a block on, up to the address `end`: eight at a time. A normal of a tail is
 * left as its uniform times `TAIL_SCALE`.
 */
export const normalKernel = w.wasmFunction({
  plain,
  parameters: 7,
  integers: 1,
  vectors: 20,
  body: [
    w.set(m0, w.words.all(w.constant(multipliers[0] | 0))),
    w.set(m1, w.words.all(w.constant(multipliers[1] | 0))),
    w.set(step0, w.words.all(w.constant(weyl[0] | 0))),
    w.set(step1, w.words.all(w.constant(weyl[1] | 0))),
    w.set(at, w.constant(OUT)),
    w.repeatWhile(
      [
        w.set(c0, w.words.add(w.words.all(block), w.load(w.constant(OUT - 16)))),
        w.set(c1, w.words.all(sampleLow)),
        w.set(c2, w.words.all(domain)),
        w.set(c3, w.words.all(sampleHigh)),
        w.set(k0, w.words.all(keyLow)),
        w.set(k1, w.words.all(keyHigh)),
        Array.from({ length: PHILOX_ROUNDS }, () => round),
        pair([0, 1, 0, 1], 0),
        pair([2, 3, 2, 3], 32),
        w.set(at, w.add(at, w.constant(8 * GROUP))),
        w.set(block, w.add(block, w.constant(4))),
      ],
      w.isBelow(at, end),
    ),
    w.constant(0),
  ],
});

function plain(buffer: ArrayBuffer) {
  const numbers = new Float64Array(buffer);
  const counter = new Uint32Array(4);
  const drawn = new Uint32Array(4);
  return (...parameters: number[]) => {
    const [stop] = parameters.splice(6) as [number];
    const [low, high, block, ...rest] = parameters as [number, number, number, ...number[]];
    const key = Uint32Array.of(low, high);
    const normalOf = (uniform: number) =>
      Math.abs(uniform - 0.5) <= bound ? normalQuantile(uniform) : uniform * TAIL_SCALE;
    for (let place = 0; OUT + 16 * place < stop || place % 4 !== 0; place += 1) {
      counter.set([block + place, ...rest]);
      philox4x32(counter, key, PHILOX_ROUNDS, drawn);
      numbers[OUT / 8 + 2 * place] = normalOf(uniform52(drawn[0]!, drawn[1]!));
      numbers[OUT / 8 + 2 * place + 1] = normalOf(uniform52(drawn[2]!, drawn[3]!));
    }
    return 0;
  };
}

/** A range of normals of a sample: the index of the first in the output, their count, and the block of the first. */
export type NormalRow = { from: number; length: number; key: Uint32Array; counter: Uint32Array };

/**
 * Binds the kernel to a memory. The function fills `length` numbers, at most `ROW_MAX`, with the normals of a sample,
 * starting at the block of the counter.
 */
export function bindNormals(on: (typeof normalKernel)['on']) {
  const { run, buffer } = on(OUT + 8 * (ROW_MAX + GROUP));
  const numbers = new Float64Array(buffer);
  numbers.set(NUMBERS);
  new Int32Array(buffer, OUT - 16, 4).set([0, 1, 2, 3]);
  return (out: Float64Array, { from, length, key, counter }: NormalRow): void => {
    const [block, sample, domainWord, sampleTop] = counter as unknown as [number, number, number, number];
    run(key[0]!, key[1]!, block, sample, domainWord, sampleTop, OUT + 8 * length);
    for (let place = 0; place < length; place += 1) {
      const value = numbers[OUT / 8 + place]!;
      out[from + place] = value > 2 ? normalQuantile(value / TAIL_SCALE) : value;
    }
  };
}

export const fillRow = bindNormals(normalKernel.on);
