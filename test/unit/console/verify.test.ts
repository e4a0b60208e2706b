import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '#lib/core/seal.ts';
import { canonical } from '#api/console/browser/canonical.ts';

describe('the check of seals in the browser', () => {
  it('uses the same canonical form as the service', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(JSON.stringify(value)) as unknown;
        expect(canonical(parsed)).to.equal(canonicalJson(parsed));
      }),
    );
  });
});
