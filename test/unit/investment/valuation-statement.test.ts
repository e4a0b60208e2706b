import { expect } from 'chai';
import { valuationFaults } from '#lib/investment/collateral/valuation-adjustments.faults.ts';
import {
  ValuationAdjustmentsRequestBody,
  type ValuationAdjustmentsInput,
} from '#lib/investment/collateral/valuation-adjustments.schema.ts';
import { valuationStatement } from '#lib/investment/collateral/valuation-statement.ts';

const curve = { kind: 'hazard' as const, dates: ['2030-01-01'], rates: [0.02], loss_given_default: 0.6 };
const input: ValuationAdjustmentsInput = {
  netting_set_uid: 'nst_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  terms_hash: '0'.repeat(64),
  conflicts_open: 0,
  valuation_date: '2025-01-01',
  currency: 'USD',
  profile: {
    dates: ['2025-01-01', '2026-01-01', '2027-01-01'],
    expected_positive_exposure: [0, 1_000_000, 500_000],
    expected_negative_exposure: [0, 0, 250_000],
    discount_factors: [1, 0.97, 0.94],
  },
  counterparty_curve: curve,
  own_curve: { ...curve, rates: [0.01] },
  borrow_spread: 0.01,
  lend_spread: 0,
};

describe('the statement of valuation adjustments', () => {
  it('uses years of 365 days and discounted exposures, and rounds the amounts', () => {
    const outcome = valuationStatement(input);
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    const { unilateral, dates } = outcome.result;
    expect(dates.map(({ years }) => years)).to.deep.equal([0, 1, 2]);
    const [s1, s2] = [Math.exp(-0.02), Math.exp(-0.04)];
    const cva = 0.6 * (970_000 * (1 - s1) + 470_000 * (s1 - s2));
    expect(unilateral.unrounded.cva).to.be.closeTo(cva, 1e-8);
    expect(unilateral.cva_minor).to.equal(Math.round(cva));
    expect(unilateral.bcva_minor).to.equal(unilateral.cva_minor - unilateral.dva_minor);
    expect(unilateral.fva_minor).to.equal(unilateral.fca_minor - unilateral.fba_minor);
  });

  it('computes exposures from mean and standard deviation, even if one of them is 0', () => {
    const { dates, discount_factors } = input.profile;
    const normal = { dates, discount_factors, mean: [0, 0, -100], stdev: [0, 1_000, 0] };
    const outcome = valuationStatement({ ...input, profile: normal });
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    const discounted = outcome.result.dates.map((each) => [
      each.positive_discounted,
      each.negative_discounted,
    ]);
    expect(discounted[0]).to.deep.equal([0, 0]);
    expect(discounted[1]![0]).to.be.closeTo(0.97 * 398.9422804014327, 1e-10);
    expect(discounted[1]![1]).to.equal(discounted[1]![0]);
    expect(discounted[2]).to.deep.equal([0, 94]);
  });

  it('is refused, with curve and date, if a spread curve implies a rising survival', () => {
    const falling = {
      kind: 'spread' as const,
      dates: ['2026-01-01', '2027-01-01'],
      rates: [0.05, 0.001],
      loss_given_default: 0.6,
    };
    const outcome = valuationStatement({ ...input, own_curve: falling });
    expect(outcome.ok ? outcome : outcome.refusal).to.deep.include({ code: 'survival_rises' });
    expect(outcome.ok ? '' : outcome.refusal.detail).to.match(/own_curve .* 2027-01-01/);
  });

  it('is refused if an adjustment exceeds the range of JSON integers or is infinite', () => {
    const far = { dates: ['2025-01-01', '9999-12-31'], discount_factors: [1, 1] };
    const profile = { ...far, expected_positive_exposure: [0, 1e15], expected_negative_exposure: [0, 0] };
    const safe = { ...curve, rates: [0] };
    const outcome = valuationStatement({
      ...input,
      profile,
      counterparty_curve: safe,
      own_curve: safe,
      borrow_spread: 1,
    });
    expect(outcome.ok ? outcome : outcome.refusal).to.include({ code: 'amount_range' });
  });
});

describe('the faults of a request for valuation adjustments', () => {
  const { examples } = ValuationAdjustmentsRequestBody as unknown as { examples: (typeof body)[] };
  const body = {
    valuation_date: input.valuation_date,
    currency: 'USD',
    profile: input.profile,
    counterparty_curve: curve,
    own_curve: curve,
  } as Parameters<typeof valuationFaults>[0];

  it('are empty for the example and for valid requests', () => {
    expect([body, examples[0]!].map(valuationFaults)).to.deep.equal([[], []]);
  });

  const { expected_negative_exposure: _, ...half } = input.profile;
  const cases: [string, Partial<typeof body>, [string, string][]][] = [
    ['a profile with only one of two exposures', { profile: half }, [['/profile', 'exposure_form']]],
    [
      'a profile with both exposures and means',
      { profile: { ...input.profile, mean: [0, 0, 0] } },
      [['/profile', 'exposure_form']],
    ],
    [
      'a profile with neither exposures nor means',
      { profile: { dates: input.profile.dates } },
      [['/profile', 'exposure_form']],
    ],
    [
      'a first date that is not the valuation date',
      { valuation_date: '2024-12-31' },
      [['/profile/dates/0', 'not_the_valuation_date']],
    ],
    [
      'repeated dates and a list with too few values',
      {
        profile: {
          ...input.profile,
          dates: ['2025-01-01', '2026-01-01', '2026-01-01'],
          discount_factors: [1, 1],
        },
      },
      [
        ['/profile/dates/2', 'not_ascending'],
        ['/profile/discount_factors', 'length'],
      ],
    ],
    [
      'a curve that starts on the valuation date and has too many rates',
      { own_curve: { ...curve, dates: ['2025-01-01'], rates: [0.1, 0.2] } },
      [
        ['/own_curve/dates/0', 'not_after_valuation'],
        ['/own_curve/rates', 'length'],
      ],
    ],
  ];
  for (const [about, change, expected] of cases) {
    it(`point to ${about}`, () => {
      const faults = valuationFaults({ ...body, ...change });
      expect(faults.map(({ pointer, code }) => [pointer, code])).to.deep.equal(expected);
    });
  }
});
