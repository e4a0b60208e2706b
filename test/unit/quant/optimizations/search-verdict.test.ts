import { expect } from 'chai';
import { searchVerdict, type VerdictFacts } from '#lib/quant/optimizations/search-verdict.ts';

const best = { number: 0, parameters: { lookback: 20 }, objective: 1, feasible: true };
const clean: VerdictFacts = {
  best_in_sample: best,
  folds: [{} as VerdictFacts['folds'][number]],
  plateau: 0.9,
  parameter_stability: { changed: 0.5, distinct: 2 },
  pbo: 0.5,
  deflated: 0.95,
  p: 0.05,
};
const verdict = (part: Partial<VerdictFacts>) => searchVerdict({ ...clean, ...part });

describe('searchVerdict', () => {
  it('recommends a choice whose figures equal the thresholds', () => {
    expect(searchVerdict(clean)).to.equal('recommended');
  });

  it('names the first objection, in a fixed order', () => {
    const all = { pbo: 0.51, deflated: 0.94, p: 0.06, folds: [] };
    expect(verdict({ ...all, best_in_sample: null })).to.equal('no_feasible_trial');
    expect(verdict(all)).to.equal('overfit');
    expect(verdict({ ...all, pbo: 0 })).to.equal('not_deflated');
    expect(verdict({ ...all, pbo: 0, deflated: 1 })).to.equal('not_better_than_baseline');
    expect(verdict({ folds: [] })).to.equal('in_sample_only');
  });

  it('treats an undefined figure as an objection', () => {
    expect(verdict({ pbo: null })).to.equal('overfit');
    expect(verdict({ deflated: null })).to.equal('not_deflated');
    expect(verdict({ p: null })).to.equal('not_better_than_baseline');
  });

  it('objects to a choice that changes from fold to fold only if its neighbours are worse', () => {
    const moving = { parameter_stability: { changed: 1, distinct: 5 } };
    expect(verdict(moving)).to.equal('recommended');
    expect(verdict({ ...moving, plateau: 0.49 })).to.equal('unstable');
    expect(verdict({ ...moving, plateau: null })).to.equal('unstable');
    expect(verdict({ plateau: 0.1 })).to.equal('recommended');
  });
});
