import { expect } from 'chai';
import {
  columnStates,
  columnVerdict,
  isDrifted,
  performances,
  severityOf,
  type ColumnFindings,
  type ColumnState,
} from '#lib/models/drift/drift-rule.ts';

describe('the severity of drift', () => {
  it('is material because of the share of drifted columns, the target or the performance; otherwise watch if any column drifted, and none if no column drifted', () => {
    const targets: (ColumnState | null)[] = [null, ...columnStates];
    let cases = 0;
    for (const performance of performances)
      for (const target of targets)
        for (const states of combinations(4)) {
          cases += 1;
          const drifted = states.filter((state) => state === 'shifted' || state === 'missing_shift').length;
          const targetDrifted = target === 'shifted' || target === 'missing_shift';
          const expected =
            performance === 'worse' || targetDrifted || (states.length > 0 && drifted >= 0.3 * states.length)
              ? 'material'
              : drifted > 0
                ? 'watch'
                : 'none';
          expect(
            severityOf({ states, target, performance }),
            `${performance} ${target} ${states.join()}`,
          ).to.equal(expected);
        }
    expect(cases).to.equal(3 * 6 * (1 + 5 + 25 + 125 + 625));
  });

  it('is watch for one drifted column of ten and material for three', () => {
    const of = (drifted: number) =>
      severityOf({
        states: Array.from({ length: 10 }, (_, at) => (at < drifted ? 'shifted' : 'stable')),
        target: null,
        performance: 'not_observable',
      });
    expect([0, 1, 2, 3, 10].map(of)).to.deep.equal(['none', 'watch', 'watch', 'material', 'material']);
  });
});

describe('the state of a column', () => {
  const still: ColumnFindings = {
    adjusted: { kolmogorovSmirnov: 1, stability: 1, missing: 1 },
    wassersteinNormalised: 0,
    isMoved: false,
    stability: 0,
    missingChange: 0,
    hasValues: true,
    isConstant: false,
  };
  const state = (
    found: Partial<Omit<ColumnFindings, 'adjusted'>>,
    p: Partial<ColumnFindings['adjusted']> = {},
  ) => columnVerdict({ ...still, ...found, adjusted: { ...still.adjusted, ...p } }).state;

  it('is shifted only if a test is significant and an effect size reaches its minimum', () => {
    for (const test of ['kolmogorovSmirnov', 'stability'] as const) {
      expect(state({ wassersteinNormalised: 0.1 }, { [test]: 0.05 })).to.equal('shifted');
      expect(state({ stability: 0.1 }, { [test]: 0.05 })).to.equal('shifted');
      expect(state({ wassersteinNormalised: 0.1 }, { [test]: 0.0501 })).to.equal('stable');
      expect(state({ wassersteinNormalised: 0.099, stability: 0.099 }, { [test]: 1e-12 })).to.equal('stable');
    }
  });

  it('is missing_shift only if the change in the share of missing values is significant and at least 5 points', () => {
    for (const missingChange of [0.05, -0.05])
      expect(state({ missingChange }, { missing: 0.05 })).to.equal('missing_shift');
    expect(state({ missingChange: 0.049 }, { missing: 1e-12 })).to.equal('stable');
    expect(state({ missingChange: 0.5 }, { missing: 0.06 })).to.equal('stable');
    expect(state({ wassersteinNormalised: 5 }, { missing: 1e-12 })).to.equal('stable');
  });

  it('is shifted if a constant becomes another constant', () => {
    const constant = { wassersteinNormalised: null, stability: 0 };
    expect(state({ ...constant, isMoved: true }, { kolmogorovSmirnov: 0.001 })).to.equal('shifted');
    expect(state({ ...constant, wassersteinNormalised: 0, isConstant: true })).to.equal('constant');
  });

  it('is insufficient without values, unless the share of missing values has changed significantly', () => {
    const none = { adjusted: { kolmogorovSmirnov: NaN, stability: NaN, missing: 1 }, hasValues: false };
    const empty = { ...still, ...none, wassersteinNormalised: null, stability: null };
    expect(columnVerdict(empty).state).to.equal('insufficient');
    const emptied = { ...empty, adjusted: { ...none.adjusted, missing: 1e-9 }, missingChange: 1 };
    expect(columnVerdict(emptied).state).to.equal('missing_shift');
  });

  it('means drift only if it is shifted or missing_shift', () => {
    expect(columnStates.filter(isDrifted)).to.deep.equal(['shifted', 'missing_shift']);
  });
});

/** Returns all lists of at most `max` column states. */
function combinations(max: number): ColumnState[][] {
  if (max === 0) return [[]];
  return [[], ...combinations(max - 1).flatMap((rest) => columnStates.map((state) => [...rest, state]))];
}
