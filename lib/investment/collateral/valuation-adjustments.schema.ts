import Type, { type Static } from 'typebox';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { agreement, CurrencyCode, ValuationDate } from '../netting/applied-terms.schema.ts';

const DATES_MAX = 200;
const CURVE_MAX = 50;
const AMOUNT_MAX = 1e15;

const Dates = (minItems: number, maxItems: number, description: string) =>
  Type.Array(IsoDate, { minItems, maxItems, description });

const Amounts = (description: string, minimum = 0) =>
  Type.Array(Type.Number({ minimum, maximum: AMOUNT_MAX }), {
    minItems: 2,
    maxItems: DATES_MAX,
    description: `${description} In minor units, fractions allowed; one value per date.`,
  });

const profile = {
  dates: Dates(2, DATES_MAX, 'The valuation date, followed by ascending dates.'),
  expected_positive_exposure: Type.Optional(
    Amounts(
      'Expected positive exposure E[max(V, 0)] after collateral. Requires `expected_negative_exposure`.',
    ),
  ),
  expected_negative_exposure: Type.Optional(
    Amounts('Expected negative exposure E[max(-V, 0)] after collateral, 0 or above.'),
  ),
  mean: Type.Optional(
    Amounts('Mean of a normal value V, as an alternative to the exposures. Requires `stdev`.', -AMOUNT_MAX),
  ),
  stdev: Type.Optional(Amounts('Standard deviation of the normal value V.')),
};

const DiscountFactors = Type.Array(Type.Number({ minimum: 1e-9, maximum: 10 }), {
  minItems: 2,
  maxItems: DATES_MAX,
  description:
    'Discount factors, one per date. Default: 1 for every date, for amounts that are already discounted.',
});

const Curve = (description: string) =>
  Closed(
    {
      kind: Type.Enum(['hazard', 'spread'], {
        description:
          'Form of the curve. `hazard`: piecewise constant hazard rates; each rate applies up to its date, and the last rate also after it. `spread`: spreads that are linear between the dates and constant outside them, with survival exp(-s t / loss given default).',
      }),
      dates: Dates(1, CURVE_MAX, 'Ascending dates after the valuation date.'),
      rates: Type.Array(Type.Number({ minimum: 0, maximum: 10 }), {
        minItems: 1,
        maxItems: CURVE_MAX,
        description: 'Yearly rates or spreads as fractions, one per date.',
      }),
      loss_given_default: Type.Number({
        minimum: 0.01,
        maximum: 1,
        description: 'Share of the exposure that is lost in a default.',
        examples: [0.6],
      }),
    },
    { description },
  );

const Spread = (description: string) =>
  Type.Number({ minimum: -0.5, maximum: 1, default: 0, description, examples: [0.012] });

const market = {
  counterparty_curve: Curve('Credit curve of the counterparty.'),
  own_curve: Curve('Our own credit curve.'),
};
const funding = {
  borrow_spread: Spread(
    'Our borrowing spread over the discount curve, continuously compounded, per year, as a fraction.',
  ),
  lend_spread: Spread(
    'Our lending spread over the discount curve, continuously compounded, per year, as a fraction.',
  ),
};

const example = {
  valuation_date: '2026-11-20',
  currency: 'USD',
  profile: {
    dates: ['2026-11-20', '2027-11-20', '2028-11-20'],
    expected_positive_exposure: [0, 35_900_000, 45_100_000],
    expected_negative_exposure: [0, 35_900_000, 45_100_000],
    discount_factors: [1, 0.97, 0.94],
  },
  counterparty_curve: { kind: 'hazard', dates: ['2031-11-20'], rates: [0.02], loss_given_default: 0.6 },
  own_curve: { kind: 'spread', dates: ['2031-11-20'], rates: [0.009], loss_given_default: 0.6 },
  borrow_spread: 0.012,
  lend_spread: 0.004,
};

export const ValuationAdjustmentsRequestBody = Closed(
  {
    valuation_date: ValuationDate,
    currency: CurrencyCode,
    profile: Closed(
      { ...profile, discount_factors: Type.Optional(DiscountFactors) },
      {
        description:
          'Future exposure: either two lists of exposures, or the mean and standard deviation of a value.',
      },
    ),
    ...market,
    borrow_spread: Type.Optional(funding.borrow_spread),
    lend_spread: Type.Optional(funding.lend_spread),
  },
  {
    title: 'ValuationAdjustmentsRequest',
    description: 'An exposure profile with the curves that value it.',
    examples: [example],
  },
);

/** Path and body of a valuation adjustments request. */
export const ValuationAdjustmentsRequest = Closed({
  netting_set_uid: agreement.netting_set_uid,
  ...ValuationAdjustmentsRequestBody.properties,
});

export const ValuationAdjustmentsInput = Closed(
  {
    ...agreement,
    valuation_date: ValuationDate,
    currency: CurrencyCode,
    profile: Closed(
      { ...profile, discount_factors: DiscountFactors },
      { description: 'The exposure profile.' },
    ),
    ...market,
    ...funding,
  },
  {
    title: 'ValuationAdjustmentsInput',
    description: 'The request with every default filled in, and the agreement.',
  },
);

const figures = {
  cva: 'Credit valuation adjustment (a cost)',
  dva: 'Debit valuation adjustment (a benefit)',
  bcva: 'CVA less DVA',
  fca: 'Funding cost adjustment',
  fba: 'Funding benefit adjustment (overlaps with DVA if both use the same spread)',
  fva: 'FCA less FBA',
} as const;

const Rounded = (description: string) =>
  Type.Integer({
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description}, in minor units.`,
  });
const Unrounded = (description: string) =>
  Type.Number({ description: `${description}, in minor units, unrounded.` });

export const Adjustments = Closed(
  {
    cva_minor: Rounded(`${figures.cva}, rounded half to even`),
    dva_minor: Rounded(`${figures.dva}, rounded half to even`),
    bcva_minor: Rounded(`${figures.bcva}, computed from the rounded amounts`),
    fca_minor: Rounded(`${figures.fca}, rounded half to even`),
    fba_minor: Rounded(`${figures.fba}, rounded half to even`),
    fva_minor: Rounded(`${figures.fva}, computed from the rounded amounts`),
    unrounded: Closed(
      {
        cva: Unrounded(figures.cva),
        dva: Unrounded(figures.dva),
        bcva: Unrounded(figures.bcva),
        fca: Unrounded(figures.fca),
        fba: Unrounded(figures.fba),
        fva: Unrounded(figures.fva),
      },
      { description: 'The figures before rounding.' },
    ),
  },
  { title: 'ValuationAdjustmentFigures', description: 'Valuation adjustments.' },
);

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const ValuationAdjustmentsResult = Closed(
  {
    unilateral: Adjustments,
    first_to_default: Adjustments,
    dates: Type.Array(
      Closed({
        date: IsoDate,
        years: Type.Number({
          minimum: 0,
          description: 'Years from the valuation date, days divided by 365.',
        }),
        positive_discounted: Type.Number({
          minimum: 0,
          description: 'Expected positive exposure, discounted.',
        }),
        negative_discounted: Type.Number({
          minimum: 0,
          description: 'Expected negative exposure, discounted.',
        }),
        counterparty_survival: Share('Probability that the counterparty does not default by the date.'),
        own_survival: Share('Probability that we do not default by the date.'),
      }),
      { minItems: 2, maxItems: DATES_MAX, description: 'Values by date, from which the sums are computed.' },
    ),
  },
  {
    title: 'ValuationAdjustmentsResult',
    description: 'CVA, DVA and FVA of the profile, unilateral and first-to-default.',
  },
);

export type ValuationAdjustmentsRequestBody = Static<typeof ValuationAdjustmentsRequestBody>;
export type ValuationAdjustmentsInput = Static<typeof ValuationAdjustmentsInput>;
export type ValuationAdjustmentsResult = Static<typeof ValuationAdjustmentsResult>;
