import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { tileKernel } from '#lib/numerics/anomaly/tile-kernel.ts';
import { productsKernel } from '#lib/numerics/column-products.ts';
import { solveKernel } from '#lib/numerics/triangular-solves.ts';
import {
  add,
  constant,
  isBelow,
  locals,
  repeatWhile,
  set,
  wasmFunction,
} from '#lib/numerics/wasm-function.ts';
import { repetitions } from '../../support/repetitions.ts';

const plain = () => () => NaN;

describe('a WebAssembly function', () => {
  it('is encoded correctly for integers of every length and bodies of more than 127 bytes', () => {
    for (const value of [0, 63, 64, -1, -64, -65, 127, 128, 8_191, 8_192, 65_535, 2 ** 31 - 1, -(2 ** 31)]) {
      const body = Array.from({ length: 40 }, () => constant(value)).reduce(add);
      expect(wasmFunction({ parameters: 0, integers: 0, vectors: 0, body, plain }).on(1).run()).to.equal(
        (40 * value) | 0,
      );
    }
  });

  it('runs a loop body at least once and as long as its condition is true', () => {
    const local = locals();
    const [end, at] = [local(), local()];
    const { run } = wasmFunction({
      parameters: 1,
      integers: 1,
      vectors: 0,
      plain,
      body: [repeatWhile(set(at, add(at, constant(3))), isBelow(at, end)), at],
    }).on(1);
    expect([run(0), run(3), run(10)]).to.deep.equal([3, 3, 12]);
  });

  it('uses its JavaScript implementation on an engine that cannot compile WebAssembly', () => {
    const urlOf = (path: string) => JSON.stringify(new URL(`../../../lib/${path}`, import.meta.url).href);
    const at = urlOf('numerics/column-products.ts');
    // Node strips types with a WebAssembly module of its own, which the first import loads. A file is therefore
    // imported before `before` runs.
    const first = urlOf('core/date.ts');
    const printed = (before: string) => {
      const code = `
        await import(${first});
        ${before}
        const { columnProducts, productsKernel } = await import(${at});
        const put = (row, to, at) => to.set([row / 3, Math.sqrt(row), 1 / (row + 1)], at);
        console.log(productsKernel.on === productsKernel.onPlain, columnProducts(100, 3, put).to1DArray().join());`;
      return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    };
    const compiled = printed('');
    expect(compiled).to.match(/^false /);
    const withoutVectors = 'WebAssembly.Module = class { constructor() { throw new Error(); } };';
    expect(printed(withoutVectors)).to.equal(compiled.replace('false', 'true'));
  });
});

/** The kernels, each with the size of its memory in bytes and the arguments of a call. */
const kernels = {
  'triangular solves forward': {
    kernel: solveKernel,
    bytes: 8 * (2 * 36 + 6 * 8 + 8),
    call: [0, 8 * 72, 8 * (72 + 48), 64, 48, 8 * 120],
  },
  'triangular solves backward': {
    kernel: solveKernel,
    bytes: 8 * (2 * 36 + 6 * 8 + 8),
    call: [48 * 6, 8 * (72 + 40), 8 * 64, -64, 48, 8 * 120],
  },
  'column products': {
    kernel: productsKernel,
    bytes: 8 * (7 * 8 + 64),
    call: [32, 0, 8 * 56, 64, 8 * 60],
  },
  'squared distances of tiles': {
    kernel: tileKernel,
    bytes: 4 * (16 + 4 + 5 * 16 + 20 + 10),
    call: [0, 64, 64, 80, 400, 400, 480],
  },
};

describe('the JavaScript implementations of the kernels', () => {
  for (const [name, { kernel, bytes, call }] of Object.entries(kernels))
    it(`produce the same bits as the compiled kernels: ${name}`, () => {
      const content = fc.array(fc.oneof(fc.double(), fc.float(), fc.integer({ min: -9, max: 9 })), {
        minLength: bytes / 8,
        maxLength: bytes / 8,
      });
      fc.assert(
        fc.property(content, fc.boolean(), (values, areSmall) => {
          const [compiled, plain] = [kernel.on(bytes), kernel.onPlain(bytes)];
          const ends = [compiled, plain].map(({ run, buffer }) => {
            if (areSmall) new Float32Array(buffer).set(values);
            else new Float64Array(buffer).set(values);
            return run(...call);
          });
          expect(ends[0]).to.equal(ends[1]);
          expect(bitsOf(plain.buffer)).to.deep.equal(bitsOf(compiled.buffer));
        }),
        { numRuns: repetitions.arrays },
      );
    });
});

/** Returns the numbers of a memory as texts that distinguish -0 from 0. All NaNs are equal. */
function bitsOf(buffer: ArrayBuffer): string[] {
  return Array.from(new Float64Array(buffer), (value) => (Object.is(value, -0) ? '-0' : String(value)));
}
