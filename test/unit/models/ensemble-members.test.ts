import { expect } from 'chai';
import {
  ensembleFit,
  singleFit,
  type Fits,
  type NamedMember,
} from '#lib/models/training/ensemble-members.ts';

const of = { target: 'Y', horizon: 1, factors: ['A', 'Y'] };
const fits: Fits = { ridge: { family: 'ridge', lambda: null }, var: { family: 'var', lags_max: 6 } };

/** Parses a text such as `ridge=0.5 var` into the members of an ensemble. */
function membersOf(text: string): NamedMember[] {
  return text.split(' ').map((word) => {
    const [name, weight] = word.split('=');
    return { name: name!, weight: weight === undefined ? null : Number(weight) };
  });
}

const fitOf = (text: string) => ensembleFit(membersOf(text), of, { fits, versions: new Map() });

describe('the members of an ensemble', () => {
  it('have weights that add up to 1 or have no weights', () => {
    for (const [text, weights] of [
      ['ridge=0.25 var=0.75', [0.25, 0.75]],
      ['ridge var', [null, null]],
    ] as const) {
      const found = fitOf(text);
      expect(found.ok && found.fit.members.map(({ weight }) => weight)).to.deep.equal(weights);
      expect(found.ok && found.fit.members.map(({ factors }) => factors)).to.deep.equal([
        of.factors,
        of.factors,
      ]);
    }
  });

  it('are rejected if they are too few, repeated, unknown, of a wrong family or have wrong weights', () => {
    const cases = {
      ridge: 'members_invalid',
      'ridge ridge': 'members_invalid',
      'ridge forest': 'members_invalid',
      'ridge ensemble': 'family_invalid',
      'ridge regime_ghmm': 'family_invalid',
      'ridge trend@2': 'member_ineligible',
      'ridge=0.5 var=0.4': 'weights_invalid',
      'ridge=1 var': 'weights_invalid',
    };
    for (const [text, code] of Object.entries(cases))
      expect(fitOf(text), text).to.include({ ok: false, code });
  });

  it('may include an autoregression only with a horizon of at least 1', () => {
    expect(singleFit('var', fits, { horizon: 0 })).to.include({ ok: false, code: 'horizon_invalid' });
    expect(singleFit('var', fits, { horizon: 1 })).to.deep.include({ ok: true, fit: fits.var });
  });
});
