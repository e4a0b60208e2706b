import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AdjustmentTerms,
  type ExposureProfile,
  valuationAdjustments,
} from '#lib/investment/collateral/valuation-adjustments.ts';

const profile = {
  timesYears: [0, 1, 3],
  positiveDiscounted: [7, 100, 50],
  negativeDiscounted: [9, 20, 40],
};
const terms: AdjustmentTerms = {
  counterpartySurvival: [1, 0.98, 0.94],
  ownSurvival: [1, 0.99, 0.96],
  counterpartyLossGivenDefault: 0.6,
  ownLossGivenDefault: 0.4,
  borrowSpread: 0,
  lendSpread: 0,
  defaults: 'unilateral',
};

describe('valuation adjustments', () => {
  it('are the sum, over the intervals, of loss given default x exposure at the end x default probability in the interval', () => {
    const { cva, dva, bcva } = valuationAdjustments(profile, terms);
    expect(cva).to.be.closeTo(0.6 * (100 * 0.02 + 50 * 0.04), 1e-12);
    expect(dva).to.be.closeTo(0.4 * (20 * 0.01 + 40 * 0.03), 1e-12);
    expect(bcva).to.equal(cva - dva);
  });

  it('use, until the first default, the survival of the other party to the start of each interval as a factor', () => {
    const { cva, dva } = valuationAdjustments(profile, { ...terms, defaults: 'first_to_default' });
    expect(cva).to.be.closeTo(0.6 * (100 * 0.02 + 50 * 0.04 * 0.99), 1e-12);
    expect(dva).to.be.closeTo(0.4 * (20 * 0.01 + 40 * 0.03 * 0.98), 1e-12);
  });

  it('include funding of positive exposure at the borrow spread and of negative exposure at the lend spread', () => {
    const funded = { ...terms, borrowSpread: 0.02, lendSpread: 0.01 };
    const { fca, fba, fva } = valuationAdjustments(profile, funded);
    expect(fca).to.be.closeTo(100 * Math.expm1(0.02) + 50 * 0.98 * 0.99 * Math.expm1(0.04), 1e-12);
    expect(fba).to.be.closeTo(20 * Math.expm1(0.01) + 40 * 0.98 * 0.99 * Math.expm1(0.02), 1e-12);
    expect(fva).to.equal(fca - fba);
  });

  it('are zero without exposure, or without default and funding cost', () => {
    const none = { timesYears: [0, 1], positiveDiscounted: [5, 0], negativeDiscounted: [5, 0] };
    const safe = { ...terms, counterpartySurvival: [1, 1, 1], ownSurvival: [1, 1, 1] };
    const nothing = { cva: 0, dva: 0, bcva: 0, fca: 0, fba: 0, fva: 0 };
    const shorter = { ...terms, counterpartySurvival: [1, 0.9], ownSurvival: [1, 0.9], borrowSpread: 0.1 };
    expect(valuationAdjustments(none, shorter)).to.deep.equal(nothing);
    expect(valuationAdjustments(profile, safe)).to.deep.equal(nothing);
  });

  it('are the same for the other party, with CVA and DVA exchanged', () => {
    fc.assert(
      fc.property(anyCase(), ([given, agreed]) => {
        const ours = valuationAdjustments(given, agreed);
        const theirs = valuationAdjustments(
          {
            ...given,
            positiveDiscounted: given.negativeDiscounted,
            negativeDiscounted: given.positiveDiscounted,
          },
          {
            ...agreed,
            counterpartySurvival: agreed.ownSurvival,
            ownSurvival: agreed.counterpartySurvival,
            counterpartyLossGivenDefault: agreed.ownLossGivenDefault,
            ownLossGivenDefault: agreed.counterpartyLossGivenDefault,
          },
        );
        expect([theirs.cva, theirs.dva]).to.deep.equal([ours.dva, ours.cva]);
        expect(theirs.bcva === -ours.bcva).to.equal(true);
      }),
    );
  });

  it('are between 0 and the unilateral adjustments if they are computed until the first default', () => {
    fc.assert(
      fc.property(anyCase(), ([given, agreed]) => {
        const alone = valuationAdjustments(given, { ...agreed, defaults: 'unilateral' });
        const first = valuationAdjustments(given, { ...agreed, defaults: 'first_to_default' });
        const worst = Math.max(...Array.from(given.positiveDiscounted));
        expect(first.cva).to.be.within(0, alone.cva);
        expect(first.dva).to.be.within(0, alone.dva);
        expect(alone.cva).to.be.at.most(agreed.counterpartyLossGivenDefault * worst * (1 + 1e-12));
        expect(first.fca).to.equal(alone.fca);
      }),
    );
  });

  it('do not change if an interval without exposure is added at the end', () => {
    const { timesYears, positiveDiscounted, negativeDiscounted } = profile;
    const longer = {
      timesYears: [...timesYears, 4],
      positiveDiscounted: [...positiveDiscounted, 0],
      negativeDiscounted: [...negativeDiscounted, 0],
    };
    const further = {
      ...terms,
      counterpartySurvival: [1, 0.98, 0.94, 0.5],
      ownSurvival: [1, 0.99, 0.96, 0.5],
    };
    expect(valuationAdjustments(longer, further)).to.deep.equal(valuationAdjustments(profile, terms));
  });

  const broken: [string, Partial<ExposureProfile>, RegExp][] = [
    ['a missing exposure', { positiveDiscounted: [1, 2] }, /one value for each time/],
    ['repeated times', { timesYears: [0, 1, 1] }, /ascend/],
    ['a time that is not a number', { timesYears: [0, Number.NaN, 1] }, /ascend/],
    ['a first time other than 0', { timesYears: [0.1, 1, 3] }, /first time/],
  ];
  for (const [about, change, message] of broken) {
    it(`cannot be computed for ${about}`, () => {
      expect(() => valuationAdjustments({ ...profile, ...change }, terms)).to.throw(RangeError, message);
    });
  }

  it('cannot be computed for a profile with a single date', () => {
    const one = { timesYears: [0], positiveDiscounted: [1], negativeDiscounted: [1] };
    const alive = { ...terms, counterpartySurvival: [1], ownSurvival: [1] };
    expect(() => valuationAdjustments(one, alive)).to.throw(RangeError, /two times/);
  });
});

/** Generates an exposure profile and terms with survival curves that never rise. */
function anyCase(): fc.Arbitrary<[ExposureProfile, AdjustmentTerms]> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
  const step = fc.record({
    years: fc.double({ min: 0.01, max: 2, noNaN: true }),
    up: amount,
    down: amount,
    a: share,
    b: share,
  });
  return fc
    .tuple(
      fc.array(step, { minLength: 1, maxLength: 40 }),
      share,
      share,
      fc.constantFrom('unilateral', 'first_to_default'),
    )
    .map(([steps, theirs, ours, defaults]) => {
      const running = <T>(start: T, next: (last: T, index: number) => T) =>
        steps.reduce<T[]>((list, _, index) => [...list, next(list.at(-1)!, index)], [start]);
      return [
        {
          timesYears: running(0, (last, i) => last + steps[i]!.years),
          positiveDiscounted: [0, ...steps.map(({ up }) => up)],
          negativeDiscounted: [0, ...steps.map(({ down }) => down)],
        },
        {
          counterpartySurvival: running(1, (last, i) => last * steps[i]!.a),
          ownSurvival: running(1, (last, i) => last * steps[i]!.b),
          counterpartyLossGivenDefault: theirs,
          ownLossGivenDefault: ours,
          borrowSpread: 0.01,
          lendSpread: 0.005,
          defaults: defaults as AdjustmentTerms['defaults'],
        },
      ];
    });
}
