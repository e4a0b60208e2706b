import { expect } from 'chai';
import { fitOf, type FitOptions } from '#api/cli/lqm-fit.ts';
import type { Em } from '#lib/database/base.ts';
import type { LqmFamily } from '#lib/registry/lqm.ts';

/** No member here is a version, so nothing is read. */
const none = undefined as unknown as Em;
const of = { target: 'Y', horizon: 1, factors: ['A', 'Y'] };

describe('how a model is fitted, by the options of the command', () => {
  const refusalOf = async (family: LqmFamily, options: FitOptions, columns = of) =>
    fitOf(none, family, options, columns).then(
      () => 'none',
      (error: { code: string }) => error.code,
    );

  it('has a default for every option that is left out', async () => {
    expect(await fitOf(none, 'ridge', {}, of)).to.deep.equal({ family: 'ridge', lambda: null });
    expect(await fitOf(none, 'var', {}, of)).to.deep.equal({ family: 'var', lags_max: 6 });
    expect(await fitOf(none, 'gbt', { depth: '2' }, of)).to.deep.equal({
      family: 'gbt',
      trees: 100,
      rate: 0.1,
      depth: 2,
      leaf_rows_min: 20,
      bins: 64,
    });
  });

  it('takes members with weights that add up to 1, or without', async () => {
    const stated = await fitOf(none, 'ensemble', { members: 'ridge=0.25, gbt=0.75' }, of);
    expect(stated.family === 'ensemble' && stated.members.map(({ weight }) => weight)).to.deep.equal([
      0.25, 0.75,
    ]);
    const fitted = await fitOf(none, 'ensemble', { members: 'ridge,var' }, of);
    expect(fitted.family === 'ensemble' && fitted.members.map(({ weight }) => weight)).to.deep.equal([
      null,
      null,
    ]);
  });

  it('is refused where a number is out of range, or members do not go together', async () => {
    const cases: [LqmFamily, FitOptions, string][] = [
      ['ridge', { ridgeLambda: '0' }, 'number_invalid'],
      ['ridge', { ridgeLambda: ' ' }, 'number_invalid'],
      ['var', { lagsMax: '25' }, 'number_invalid'],
      ['gbt', { bins: '256' }, 'number_invalid'],
      ['gbt', { rate: 'x' }, 'number_invalid'],
      ['ensemble', {}, 'members_invalid'],
      ['ensemble', { members: 'ridge' }, 'members_invalid'],
      ['ensemble', { members: 'ridge,ridge' }, 'members_invalid'],
      ['ensemble', { members: 'ridge,forest' }, 'members_invalid'],
      ['ensemble', { members: 'ridge,ensemble' }, 'family_invalid'],
      ['ensemble', { members: 'ridge,regime_ghmm' }, 'family_invalid'],
      ['ensemble', { members: 'ridge=0.5,gbt=0.4' }, 'weights_invalid'],
      ['ensemble', { members: 'ridge=1,gbt' }, 'weights_invalid'],
    ];
    for (const [family, options, code] of cases)
      expect(await refusalOf(family, options), JSON.stringify(options)).to.equal(code);
    expect(await refusalOf('var', {}, { ...of, horizon: 0 })).to.equal('horizon_invalid');
  });
});
