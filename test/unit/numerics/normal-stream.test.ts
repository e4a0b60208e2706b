import { expect } from 'chai';
import fc from 'fast-check';
import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';

describe('fillNormals', () => {
  it('writes the normal quantiles of the uniforms in the Philox blocks of each sample', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.maxSafeNat(),
        fc.integer({ min: 1, max: 9 }),
        (seed, sample, dimensions) => {
          const drawn = draw({ seed, firstSample: sample, samples: 1, dimensions });
          const words = new Uint32Array(4);
          for (let at = 0; at < dimensions; at++) {
            philox4x32(philoxCounter({ domain: 2, sample, block: at >> 1 }), philoxKey(seed), 10, words);
            const pair = (at % 2) * 2;
            expect(drawn[at]).to.equal(normalQuantile(uniform52(words[pair]!, words[pair + 1]!)));
          }
        },
      ),
    );
  });

  it('gives the same bits for any division of the samples among calls', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }),
        (dimensions, chunks) => {
          const samples = chunks.reduce((sum, size) => sum + size, 0);
          const whole = draw({ seed: 7, firstSample: 100, samples, dimensions });
          const parts = [];
          let firstSample = 100;
          for (const size of chunks) {
            parts.push(...draw({ seed: 7, firstSample, samples: size, dimensions }));
            firstSample += size;
          }
          expect(parts).to.deep.equal([...whole]);
        },
      ),
    );
  });

  it('gives the same bits for any order of the calls', () => {
    const backwards = [];
    for (let sample = 49; sample >= 0; sample--) {
      backwards.unshift(...draw({ seed: 3, firstSample: sample, samples: 1, dimensions: 3 }));
    }
    expect(backwards).to.deep.equal([...draw({ seed: 3, firstSample: 0, samples: 50, dimensions: 3 })]);
  });

  it('gives the same first dimensions of a sample for any number of dimensions', () => {
    const wide = draw({ seed: 11, firstSample: 0, samples: 1, dimensions: 8 });
    for (let dimensions = 1; dimensions <= 8; dimensions++) {
      const narrow = draw({ seed: 11, firstSample: 0, samples: 1, dimensions });
      expect([...narrow]).to.deep.equal([...wide.slice(0, dimensions)]);
    }
  });

  it('gives the correct numbers for sample numbers above 2^32', () => {
    const across = draw({ seed: 5, firstSample: 4294967295, samples: 2, dimensions: 2 });
    const after = draw({ seed: 5, firstSample: 4294967296, samples: 1, dimensions: 2 });
    const first = draw({ seed: 5, firstSample: 0, samples: 1, dimensions: 2 });
    expect([...across.slice(2)]).to.deep.equal([...after]);
    expect([...after]).to.not.deep.equal([...first]);
  });

  it('gives other numbers for another seed or another domain', () => {
    const place = { firstSample: 0, samples: 1, dimensions: 4 };
    const draws = [
      draw({ ...place, seed: 1 }),
      draw({ ...place, seed: 2 }),
      draw({ ...place, seed: 1, domain: 3 }),
    ];
    expect(new Set(draws.flatMap((each) => [...each])).size).to.equal(12);
  });

  it('leaves an empty array unchanged', () => {
    expect(draw({ seed: 1, firstSample: 0, samples: 0, dimensions: 3 })).to.have.length(0);
  });

  it('throws on a seed, a sample or a number of dimensions out of range', () => {
    const good = { seed: 1, firstSample: 0, samples: 2, dimensions: 2 };
    for (const seed of [-1, 0.5, 2 ** 53, Number.NaN])
      expect(() => draw({ ...good, seed })).to.throw(RangeError);
    for (const firstSample of [-1, 0.5, 2 ** 53 - 1, Number.NaN]) {
      expect(() => draw({ ...good, firstSample }), String(firstSample)).to.throw(RangeError);
    }
    for (const dimensions of [0, -1, 1.5, 3, Number.NaN]) {
      const stream = { seed: 1, firstSample: 0, dimensions };
      expect(() => fillNormals(new Float64Array(4), stream), String(dimensions)).to.throw(RangeError);
    }
  });

  // The largest distance between the empirical and the exact distribution function has the Kolmogorov
  // distribution. With 200,000 numbers, the distance exceeds 0.0044 for one seed in a thousand. The seed is
  // fixed.
  it('gives numbers with a normal distribution', () => {
    const drawn = draw({ seed: 2024, firstSample: 0, samples: 40_000, dimensions: 5 }).sort();
    let distance = 0;
    drawn.forEach((z, rank) => {
      const cdf = normalCdf(z);
      distance = Math.max(distance, cdf - rank / drawn.length, (rank + 1) / drawn.length - cdf);
    });
    expect(distance).to.be.at.most(0.0044);
  });
});

function draw(options: {
  seed: number;
  firstSample: number;
  samples: number;
  dimensions: number;
  domain?: number;
}): Float64Array {
  const { samples, ...stream } = options;
  const out = new Float64Array(samples * stream.dimensions);
  fillNormals(out, stream);
  return out;
}
