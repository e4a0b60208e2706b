import { expect } from 'chai';
import { bindNormals, normalKernel, ROW_MAX } from '#lib/numerics/normal-kernel.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { PHILOX_DOMAINS, philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';

/** Returns the normals of a sample, computed block by block with the functions of the recipe. */
function recipe(key: Uint32Array, counter: Uint32Array, length: number): number[] {
  const words = new Uint32Array(4);
  const next = counter.slice();
  const normals: number[] = [];
  for (; normals.length < length; next[0]! += 1) {
    philox4x32(next, key, 10, words);
    normals.push(
      normalQuantile(uniform52(words[0]!, words[1]!)),
      normalQuantile(uniform52(words[2]!, words[3]!)),
    );
  }
  return normals.slice(0, length);
}

describe('the kernel of normals', () => {
  for (const [name, on] of [
    ['compiled', normalKernel.on],
    ['plain', normalKernel.onPlain],
  ] as const)
    it(`gives the same bits as the recipe in every row (${name})`, () => {
      const fill = bindNormals(on);
      for (const seed of [0, 42, 2 ** 53 - 1])
        for (const sample of [0, 7, 2 ** 32 + 5, 2 ** 53 - 1])
          for (const block of [0, 3, 2 ** 32 - 600])
            for (const length of [1, 2, 7, 8, 9, 600, ROW_MAX]) {
              const key = philoxKey(seed);
              const counter = philoxCounter({ domain: PHILOX_DOMAINS.normals, sample, block });
              const out = new Float64Array(length + 2).fill(-9);
              fill(out, { from: 1, length, key, counter });
              expect([...out]).to.deep.equal([-9, ...recipe(key, counter, length), -9]);
            }
    });
});
