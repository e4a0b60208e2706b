import { expect } from 'chai';
import { fillChiSquares } from '#lib/numerics/chi-square.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';
import { repetitions } from '../../support/repetitions.ts';

const evenNu = Array.from({ length: 15 }, (_, index) => 2 * index + 2);

describe('fillChiSquares', () => {
  it('equals -2 ln of the product of the first nu/2 uniforms of the sample', () => {
    for (const nu of evenNu) {
      const words = new Uint32Array(4);
      let product = 1;
      for (let drawn = 0; drawn < nu / 2; drawn++) {
        philox4x32(philoxCounter({ domain: 3, sample: 17, block: drawn >> 1 }), philoxKey(42), 10, words);
        const pair = (drawn % 2) * 2;
        product *= uniform52(words[pair]!, words[pair + 1]!);
      }
      expect(draw({ firstSample: 17, samples: 1, nu })[0], String(nu)).to.equal(-2 * ln(product));
    }
  });

  it('gives the same bits for any division of the samples among calls', () => {
    const whole = draw({ firstSample: 0, samples: 100, nu: 6 });
    const parts = [
      ...draw({ firstSample: 0, samples: 33, nu: 6 }),
      ...draw({ firstSample: 33, samples: 67, nu: 6 }),
    ];
    expect(parts).to.deep.equal([...whole]);
  });

  it('gives larger values for larger nu, because the first uniforms are the same', () => {
    for (let index = 1; index < evenNu.length; index++) {
      const fewer = draw({ firstSample: 0, samples: 100, nu: evenNu[index - 1]! });
      const more = draw({ firstSample: 0, samples: 100, nu: evenNu[index]! });
      fewer.forEach((value, at) => expect(more[at]).to.be.greaterThan(value));
    }
  });

  // The mean is nu and the variance is 2 nu. The tolerance is five standard errors. The seed is fixed.
  it('has the mean and the variance of the distribution', () => {
    for (const nu of [2, 3, 4, 7, 10, 30, 31, 80]) {
      const drawn = draw({ firstSample: 0, samples: repetitions.draws, nu });
      const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
      const variance = drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / drawn.length;
      expect(mean).to.be.closeTo(nu, 5 * Math.sqrt((2 * nu) / drawn.length));
      expect(variance).to.be.closeTo(2 * nu, 10 * nu * Math.sqrt((2 + 12 / nu) / drawn.length));
    }
  });

  it('gives only finite and positive values', () => {
    const drawn = draw({ firstSample: 0, samples: 20_000, nu: 80 });
    expect(drawn.every((value) => value > 0 && value < Infinity)).to.equal(true);
  });

  it('throws on a nu or a seed out of range and on a fractional nu', () => {
    for (const nu of [0, -2, 1, 2.5, 81, Number.NaN, Infinity]) {
      expect(() => draw({ firstSample: 0, samples: 1, nu }), String(nu)).to.throw(RangeError);
    }
    const stream = { seed: -1, firstSample: 0, nu: 4 };
    expect(() => fillChiSquares(new Float64Array(1), stream)).to.throw(RangeError);
    expect(() => fillChiSquares(new Float64Array(1), { ...stream, seed: 2 ** 53 })).to.throw(RangeError);
  });
});

function draw(options: { firstSample: number; samples: number; nu: number }): Float64Array {
  const out = new Float64Array(options.samples);
  fillChiSquares(out, { seed: 42, firstSample: options.firstSample, nu: options.nu });
  return out;
}
