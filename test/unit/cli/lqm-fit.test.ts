import { expect } from 'chai';
import { fitsOf, membersOf, type FitOptions } from '#api/cli/models/lqm-fit.ts';
import type { LqmFamily } from '#lib/models/registry/lqm.ts';

const read = (family: LqmFamily, options: FitOptions) => {
  const members = membersOf(options.members);
  return { members, fits: fitsOf(family, members, options) };
};

describe('the fitting options of a model', () => {
  it('have default values, and contain only the model families that the model needs', () => {
    expect(read('ridge', {}).fits).to.deep.equal({ ridge: { family: 'ridge', lambda: null } });
    expect(read('var', {}).fits).to.deep.equal({ var: { family: 'var', lags_max: 6 } });
    expect(read('gbt', { depth: '2' }).fits).to.deep.equal({
      gbt: { family: 'gbt', trees: 100, rate: 0.1, depth: 2, leaf_rows_min: 20, bins: 64 },
    });
    const { fits, members } = read('ensemble', { members: 'ridge=0.25, trend@2=0.75,var' });
    expect(Object.keys(fits)).to.deep.equal(['ridge', 'var']);
    expect(members).to.deep.equal([
      { name: 'ridge', weight: 0.25 },
      { name: 'trend@2', weight: 0.75 },
      { name: 'var', weight: null },
    ]);
  });

  it('are rejected with a number out of range or an ensemble member without a name', () => {
    const cases: [LqmFamily, FitOptions, string][] = [
      ['ridge', { ridgeLambda: '0' }, 'number_invalid'],
      ['ridge', { ridgeLambda: ' ' }, 'number_invalid'],
      ['var', { lagsMax: '25' }, 'number_invalid'],
      ['gbt', { bins: '256' }, 'number_invalid'],
      ['gbt', { rate: 'x' }, 'number_invalid'],
      ['ensemble', { members: 'ridge,=0.5' }, 'members_invalid'],
    ];
    for (const [family, options, code] of cases) {
      expect(() => read(family, options), JSON.stringify(options))
        .to.throw()
        .with.property('code', code);
    }
  });
});
