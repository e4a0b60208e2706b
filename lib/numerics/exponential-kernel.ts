import { exp, EXPONENTIAL } from './exponential.ts';
import * as w from './wasm-function.ts';

/** Maximum count of numbers that one run of the kernel computes. */
const ROOM = 1_024;
const { overflowAbove, underflowBelow, oneOverLn2, ln2High, ln2Low, taylor } = EXPONENTIAL;
const NUMBERS = [overflowAbove, underflowBelow, oneOverLn2, ln2High, ln2Low, 0.5, Infinity, ...taylor];
const [OVERFLOW, UNDERFLOW, ONE_OVER_LN2, LN2_HIGH, LN2_LOW, HALF, INFINITE, TAYLOR] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
const BIAS = 1023;
/** Address of the arguments. The constants in `NUMBERS` start at address 0. */
const OUT = 8 * 32;

const local = w.locals();
const [end, at] = [local(), local()];
const [x, n, r, p, half, rest, bias] = [local(), local(), local(), local(), local(), local(), local()];

/** Reads a number into both lanes. An offset has one byte, so one address reaches only 16 numbers. */
const number = (place: number): w.Code =>
  place < 16 ? w.two.loadOne(w.constant(0), 8 * place) : w.two.loadOne(w.constant(128), 8 * (place - 16));

/** Returns 2^k for the first two of the integers k, each from -1022 to 1023. */
const power = (k: w.Code): w.Code => w.shiftTwo(w.words.widen(w.words.add(k, bias)), 52);

/** Replaces the numbers up to the address `end` by their exponentials, two at a time. */
export const exponentialKernel = w.wasmFunction({
  plain,
  parameters: 1,
  integers: 1,
  vectors: 7,
  body: [
    w.set(bias, w.words.all(w.constant(BIAS))),
    w.set(at, w.constant(OUT)),
    w.repeatWhile(
      [
        w.set(x, w.load(at)),
        w.set(n, w.two.floor(w.two.add(w.two.multiply(x, number(ONE_OVER_LN2)), number(HALF)))),
        w.set(
          r,
          w.two.subtract(
            w.two.subtract(x, w.two.multiply(n, number(LN2_HIGH))),
            w.two.multiply(n, number(LN2_LOW)),
          ),
        ),
        w.set(p, number(TAYLOR)),
        Array.from({ length: taylor.length - 1 }, (_, term) =>
          w.set(p, w.two.add(w.two.multiply(p, r), number(TAYLOR + 1 + term))),
        ),
        w.set(n, w.words.ofTwo(n)),
        w.set(half, w.words.halve(n)),
        w.set(rest, w.words.subtract(n, half)),
        w.set(p, w.two.multiply(w.two.multiply(p, power(half)), power(rest))),
        w.set(p, w.choose(w.two.isAbove(number(UNDERFLOW), x), w.zeros, p)),
        w.save(at, w.choose(w.two.isAbove(x, number(OVERFLOW)), number(INFINITE), p)),
        w.set(at, w.add(at, w.constant(16))),
      ],
      w.isBelow(at, end),
    ),
    w.constant(0),
  ],
});

function plain(buffer: ArrayBuffer) {
  const numbers = new Float64Array(buffer);
  return (...[stop]: number[]) => {
    for (let place = OUT / 8; 8 * place < stop!; place += 1) numbers[place] = exp(numbers[place]!);
    return 0;
  };
}

/** Binds the kernel to a memory. The function replaces every number of an array by `exp` of it, with the same bits. */
export function bindExponentials(on: (typeof exponentialKernel)['on']): (values: Float64Array) => void {
  const { run, buffer } = on(OUT + 8 * (ROOM + 1));
  const numbers = new Float64Array(buffer);
  numbers.set(NUMBERS);
  const own = numbers.subarray(OUT / 8, OUT / 8 + ROOM);
  return (values) => {
    for (let from = 0; from < values.length; from += ROOM) {
      const length = Math.min(ROOM, values.length - from);
      own.set(values.subarray(from, from + length));
      run(OUT + 8 * length);
      values.set(length === ROOM ? own : own.subarray(0, length), from);
    }
  };
}

export const replaceByExponentials = bindExponentials(exponentialKernel.on);
