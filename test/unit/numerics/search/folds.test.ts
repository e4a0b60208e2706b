import { expect } from 'chai';
import fc from 'fast-check';
import { FOLDS_MAX, foldsOf, type FoldTerms } from '#lib/numerics/search/folds.ts';

const size = (max: number) => fc.integer({ min: 1, max });
const terms: fc.Arbitrary<FoldTerms> = fc.record(
  {
    sessions: fc.integer({ min: 0, max: 3_000 }),
    purge: fc.integer({ min: 0, max: 30 }),
    anchored: fc.boolean(),
    train: size(600),
    test: size(200),
    step: size(200),
  },
  { requiredKeys: ['sessions'] },
);

describe('the folds of a walk-forward evaluation', () => {
  it('have the values of the example', () => {
    expect(foldsOf({ sessions: 10, train: 4, test: 2, purge: 1 })).to.deep.equal({
      ok: true,
      folds: [
        { train: { from: 1, to: 5 }, test: { from: 6, to: 8 } },
        { train: { from: 3, to: 7 }, test: { from: 8, to: 10 } },
      ],
    });
  });

  it('keep the purge between training and test, and end with the last session', () => {
    fc.assert(
      fc.property(terms, (each) => {
        const found = foldsOf(each);
        if (!found.ok) return;
        const { folds } = found;
        expect(folds.length).to.be.within(1, FOLDS_MAX);
        expect(folds.at(-1)!.test.to).to.equal(each.sessions);
        expect(folds[0]!.train.from).to.be.at.least(0);
        for (const [at, { train, test }] of folds.entries()) {
          expect(test.from - train.to).to.equal(each.purge ?? 0);
          expect(train.to - train.from).to.be.at.least(each.train ?? 1);
          if (each.test !== undefined) expect(test.to - test.from).to.equal(each.test);
          if (each.anchored === true) expect(train.from).to.equal(folds[0]!.train.from);
          if (at > 0) expect(test.from - folds[at - 1]!.test.from).to.equal(each.step ?? test.to - test.from);
        }
      }),
    );
  });

  it('are 5 by default, with a training range three times as long as the test range', () => {
    const found = foldsOf({ sessions: 1_006, purge: 1 });
    expect(found.ok && found.folds.length).to.equal(5);
    expect(found.ok && found.folds[0]).to.deep.equal({
      train: { from: 5, to: 380 },
      test: { from: 381, to: 506 },
    });
    const stepped = foldsOf({ sessions: 1_006, step: 1 });
    expect(stepped.ok && stepped.folds.length).to.equal(5);
  });

  it('derive the training length or the test length that the caller omits', () => {
    const byTest = foldsOf({ sessions: 80, test: 20 });
    expect(byTest.ok && byTest.folds).to.deep.equal([
      { train: { from: 0, to: 60 }, test: { from: 60, to: 80 } },
    ]);
    const byTrain = foldsOf({ sessions: 80, train: 60 });
    expect(byTrain).to.deep.equal(byTest);
    expect(foldsOf({ sessions: 2, train: 1 })).to.include({ ok: true });
  });

  it('are refused if there are too few sessions', () => {
    const refused = (each: FoldTerms) => {
      const found = foldsOf(each);
      return found.ok ? 'ok' : found;
    };
    expect(refused({ sessions: 168 })).to.equal('ok');
    expect(refused({ sessions: 167 })).to.deep.equal({
      ok: false,
      reason: 'folds_insufficient',
      sessions: 167,
      needed: 168,
    });
    expect(refused({ sessions: 168, purge: 2 })).to.include({ needed: 170 });
    expect(refused({ sessions: 9, train: 5, test: 3, purge: 2 })).to.include({ needed: 10 });
    expect(refused({ sessions: 0, train: 1, test: 1 })).to.include({ needed: 2 });
  });

  it('are refused above 200 folds', () => {
    expect(foldsOf({ sessions: 202, train: 2, test: 1 })).to.include({ ok: true });
    expect(foldsOf({ sessions: 203, train: 2, test: 1 })).to.deep.equal({
      ok: false,
      reason: 'too_many_folds',
      folds: 201,
      most: 200,
    });
  });

  it('reject numbers that are not whole numbers or are below the minimum', () => {
    for (const each of [
      { sessions: NaN },
      { sessions: -1 },
      { sessions: 10, purge: -1 },
      { sessions: 10, purge: 0.5 },
    ])
      expect(() => foldsOf(each)).to.throw(RangeError);
    for (const key of ['train', 'test', 'step'])
      for (const value of [0, 1.5, NaN])
        expect(() => foldsOf({ sessions: 10, [key]: value })).to.throw(RangeError, key);
  });
});
