import { expect } from 'chai';
import { powerOfTwo } from '#lib/numerics/power-of-two.ts';

describe('powerOfTwo', () => {
  it('is exact for every exponent of a normal double', () => {
    const view = new DataView(new ArrayBuffer(8));
    for (let exponent = -1022; exponent <= 1023; exponent++) {
      view.setUint32(0, (exponent + 1023) << 20);
      expect(powerOfTwo(exponent), String(exponent)).to.equal(view.getFloat64(0));
    }
  });

  it('is NaN for fractions and for exponents outside the normal doubles', () => {
    for (const exponent of [-1023, 1024, 0.5, Number.NaN, Infinity]) expect(powerOfTwo(exponent)).to.be.NaN;
  });
});
