import { expect } from 'chai';
import { clopperPearson } from '#lib/numerics/distributions/clopper-pearson.ts';
import { buildLexicon, type Name } from '#lib/qlms/language/lexicon.ts';
import { canonicalQuery, queryKey } from '#lib/qlms/language/query.ts';
import { add, compare, hundredfold, subtract } from '#lib/qlms/facts/decimals.ts';

describe('Scores of QLMs', () => {
  // Values of R 4.3, binom.test(k, n)$conf.int.
  const intervals = [
    { k: 0, n: 10, lower: 0, upper: 0.3084971 },
    { k: 5, n: 10, lower: 0.187086, upper: 0.812914 },
    { k: 10, n: 10, lower: 0.6915029, upper: 1 },
    { k: 1, n: 225, lower: 0.0001125179, upper: 0.0245124 },
  ];
  for (const { k, n, lower, upper } of intervals) {
    it(`give the exact interval for ${k} cases of ${n}`, () => {
      const found = clopperPearson(k, n);
      expect(found.lower).to.be.closeTo(lower, 1e-6);
      expect(found.upper).to.be.closeTo(upper, 1e-6);
    });
  }

  it('refuse a share above 1', () => {
    expect(() => clopperPearson(3, 2)).to.throw(RangeError);
  });
});

describe('Canonical queries', () => {
  it('are equal whatever the order of members, subjects and conditions', () => {
    const one = {
      op: 'rank' as const,
      measure: 'price.close',
      of: [
        { type: 'b', key: '2' },
        { type: 'a', key: '1' },
      ],
      limit: 3,
      where: [
        { field: 'z', op: 'eq', value: 1 },
        { field: 'a', op: 'eq', value: 2 },
      ],
    };
    const { of, where, ...rest } = one;
    const other = { where: [...where].reverse(), of: [...of].reverse(), ...rest };
    expect(queryKey(one)).to.equal(queryKey(other));
    expect(Object.keys(canonicalQuery(other))).to.deep.equal(['op', 'measure', 'of', 'where', 'limit']);
  });
});

describe('Decimals of facts', () => {
  it('keep their digits', () => {
    expect(add('0.10', '0.2')).to.equal('0.30');
    expect(subtract('1616550.00', '1699125.00')).to.equal('-82575.00');
    expect(hundredfold('3.28')).to.equal('328');
    expect(compare('-0.5', '0.25')).to.be.below(0);
    expect(() => add('1e3', '1')).to.throw(RangeError);
  });
});

describe('The lexicon', () => {
  it('finds one of 10,000 names by its leading words', () => {
    const names = Array.from({ length: 10_000 }, (_, index): Name => ({
      kind: 'entity',
      type: 'company',
      key: String(index),
      name: `Company${index} Works Ltd`,
    }));
    const lexicon = buildLexicon(names);
    expect(lexicon.leading.get('company9999')).to.deep.equal([{ type: 'company', key: '9999' }]);
    expect(lexicon.full.get('company9999 works')).to.deep.equal([
      { slot: 'entity', subjects: [{ type: 'company', key: '9999' }] },
    ]);
  });

  it('keeps at most 100 of 10,000 records with the same name, so that its size and time stay bounded', () => {
    const names = Array.from({ length: 10_000 }, (_, index): Name => ({
      kind: 'entity',
      type: 'company',
      key: String(index),
      name: 'Acme Works Ltd',
    }));
    const { full, leading } = buildLexicon(names);
    const [reading] = full.get('acme works')!;
    expect(reading?.slot === 'entity' && reading.subjects.length).to.equal(100);
    expect(leading.get('acme')).to.have.length(100);
  });
});
