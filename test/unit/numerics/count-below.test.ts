import { expect } from 'chai';
import fc from 'fast-check';
import { countBelow } from '#lib/numerics/count-below.ts';
import { philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';
import { uniformStream } from '#lib/numerics/uniform-stream.ts';

describe('countBelow', () => {
  it('returns the same count as a comparison of every value, with and without equal values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -5, max: 5 })),
        fc.integer({ min: -6, max: 6 }),
        (values, value) => {
          const ascending = Float64Array.from(values).sort();
          expect(countBelow(ascending, value)).to.equal(values.filter((each) => each < value).length);
          const upTo = countBelow(ascending, value, { upTo: true });
          expect(upTo).to.equal(values.filter((each) => each <= value).length);
        },
      ),
    );
  });
});

describe('uniformStream', () => {
  it('returns both uniforms of each Philox block in order', () => {
    const draw = uniformStream({ seed: 42, domain: 4, sample: 7 });
    const words = new Uint32Array(4);
    for (let block = 0; block < 3; block += 1) {
      philox4x32(philoxCounter({ domain: 4, sample: 7, block }), philoxKey(42), 10, words);
      expect(draw()).to.equal(uniform52(words[0]!, words[1]!));
      expect(draw()).to.equal(uniform52(words[2]!, words[3]!));
    }
  });
});
