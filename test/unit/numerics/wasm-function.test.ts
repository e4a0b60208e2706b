import { expect } from 'chai';
import {
  add,
  constant,
  isBelow,
  locals,
  repeatWhile,
  set,
  wasmFunction,
} from '#lib/numerics/wasm-function.ts';

describe('a WebAssembly function', () => {
  it('holds integers of every length, and more code than a byte counts', () => {
    for (const value of [0, 63, 64, -1, -64, -65, 127, 128, 8_191, 8_192, 65_535, 2 ** 31 - 1, -(2 ** 31)]) {
      const body = Array.from({ length: 40 }, () => constant(value)).reduce(add);
      expect(wasmFunction({ parameters: 0, integers: 0, vectors: 0, body }).on(1).run()).to.equal(
        (40 * value) | 0,
      );
    }
  });

  it('repeats a body at least once, and as long as its condition holds', () => {
    const local = locals();
    const [end, at] = [local(), local()];
    const { run } = wasmFunction({
      parameters: 1,
      integers: 1,
      vectors: 0,
      body: [repeatWhile(set(at, add(at, constant(3))), isBelow(at, end)), at],
    }).on(1);
    expect([run(0), run(3), run(10)]).to.deep.equal([3, 3, 12]);
  });
});
