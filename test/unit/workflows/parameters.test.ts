import { expect } from 'chai';
import fc from 'fast-check';
import { withInstalled } from '#lib/workflows/parameters.ts';

const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(null, 1, 'x', true), {
  maxKeys: 3,
});

describe('the parameters of a run of an installed workflow', () => {
  it('are those of the installation, unless a value is given for the run', () => {
    fc.assert(
      fc.property(values, values, (installed, given) => {
        const merged = withInstalled(installed, given);
        expect(Object.keys(merged).sort()).to.deep.equal(
          [...new Set([...Object.keys(installed), ...Object.keys(given)])].sort(),
        );
        for (const [name, value] of Object.entries(merged)) {
          const isGiven = Object.hasOwn(given, name) && given[name] !== null;
          expect(value).to.equal(isGiven ? given[name] : (installed[name] ?? null));
        }
      }),
    );
    expect(withInstalled({ horizon: 6 }, { horizon: null, extra: 1 })).to.deep.equal({
      horizon: 6,
      extra: 1,
    });
  });
});
