import { expect } from 'chai';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { checkInstrument, SPECIFIC_LIMITS, specificUniforms } from '#lib/numerics/scenario/draw-specific.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';

describe('specificUniforms', () => {
  it('are the Philox uniforms of domain 6 in the block 64 x instrument + floor(month / 2)', () => {
    expect(PHILOX_DOMAINS.specificReturn).to.equal(6);
    const uniform = specificUniforms(42);
    const words = new Uint32Array(4);
    for (const sample of [0, 7, 2 ** 32 + 3])
      for (const instrument of [0, 5, SPECIFIC_LIMITS.instrument])
        for (const month of [0, 1, 2, 127]) {
          const counter = philoxCounter({
            domain: 6,
            sample,
            block: 64 * instrument + Math.floor(month / 2),
          });
          philox4x32(counter, philoxKey(42), PHILOX_ROUNDS, words);
          const expected = month % 2 ? uniform52(words[2]!, words[3]!) : uniform52(words[0]!, words[1]!);
          expect(uniform(sample, instrument, month)).to.equal(expected);
        }
  });

  it('do not depend on earlier draws', () => {
    const [one, other] = [specificUniforms(1), specificUniforms(1)];
    for (let instrument = 0; instrument < 50; instrument += 1) one(3, instrument, 1);
    expect(one(9, 4, 1)).to.equal(other(9, 4, 1));
    expect(specificUniforms(2)(9, 4, 1)).to.not.equal(other(9, 4, 1));
  });

  it('are limited to instrument numbers from 0 to 2^26 - 1', () => {
    checkInstrument(0);
    checkInstrument(2 ** 26 - 1);
    for (const each of [-1, 0.5, 2 ** 26, Number.NaN])
      expect(() => checkInstrument(each)).to.throw(RangeError);
  });
});
