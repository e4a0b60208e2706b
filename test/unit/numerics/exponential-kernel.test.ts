import { expect } from 'chai';
import fc from 'fast-check';
import { bindExponentials, exponentialKernel } from '#lib/numerics/exponential-kernel.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { repetitions } from '../../support/repetitions.ts';

const EDGES = [
  0,
  -0,
  NaN,
  Infinity,
  -Infinity,
  709.782712893384,
  709.7827128933841,
  -745.1332191019412,
  -745.1332191019413,
  -708.4,
  -740,
  1e308,
  -1e308,
  5e-324,
  0.34657359027997264,
  -0.34657359027997264,
];

describe('the kernel of exponentials', () => {
  for (const [name, on] of [
    ['compiled', exponentialKernel.on],
    ['plain', exponentialKernel.onPlain],
  ] as const)
    it(`gives the same bits as the scalar function (${name})`, () => {
      const replace = bindExponentials(on);
      const check = (numbers: readonly number[]) => {
        const values = Float64Array.from(numbers);
        replace(values);
        expect([...values].map(String)).to.deep.equal(numbers.map((each) => String(exp(each))));
      };
      check(EDGES);
      check(Array.from({ length: 2_049 }, (_, at) => (at - 1_024) * 0.7301));
      check([]);
      const number = fc.oneof(fc.double(), fc.double({ min: -800, max: 800 }));
      fc.assert(fc.property(fc.array(number, { maxLength: 40 }), check), { numRuns: repetitions.arrays });
    });
});
