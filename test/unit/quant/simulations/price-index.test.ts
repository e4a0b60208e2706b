import { expect } from 'chai';
import { indexGrowth } from '#lib/quant/simulations/price-index.ts';

describe('indexGrowth', () => {
  const index = Array.from({ length: 49 }, (_, month) => ({
    lastDay: `${2016 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-28`,
    value: 100 * 1.02 ** (month / 12),
  }));

  it('is the mean annual growth over the last years', () => {
    const found = indexGrowth(index, 3);
    expect(found).to.include({ first: '2017-01-28', last: '2020-01-28' });
    expect('annual' in found && found.annual).to.be.closeTo(0.02, 1e-14);
  });

  it('divides by the number of months between the values if a month is missing', () => {
    const gap = index.filter(({ lastDay }) => !lastDay.startsWith('2017-01'));
    const found = indexGrowth(gap, 3);
    expect(found).to.include({ first: '2016-12-28' });
    expect('annual' in found && found.annual).to.be.closeTo(0.02, 1e-14);
  });

  it('refuses an index that is too short, not positive, or out of bounds', () => {
    const codeOf = (observed: typeof index, years = 3) => {
      const found = indexGrowth(observed, years);
      return 'code' in found && (found.members['errors'] as { code: string }[])[0]!.code;
    };
    expect(codeOf([])).to.equal('too_short');
    expect(codeOf(index, 5)).to.equal('too_short');
    expect(codeOf(index.map((each) => ({ ...each, value: -1 })))).to.equal('not_positive');
    expect(codeOf(index.map((each, at) => ({ ...each, value: 10 ** at })))).to.equal('range');
  });
});
