import { expect } from 'chai';
import fc from 'fast-check';
import {
  type MarginPosition,
  type MarginStatement,
  type MarginTerms,
  marginStatement,
} from '#lib/investment/collateral/collateral-margin.ts';
import { agreementTypes } from '#lib/investment/netting/netting-set.ts';

const terms: MarginTerms = {
  agreementType: 'bilateral',
  thresholdMinor: 100n,
  minimumTransferMinor: 50n,
  independentAmountMinor: 0n,
};
const position: MarginPosition = {
  markToMarketMinor: 0n,
  collateralBalanceMinor: 0n,
  openMarginMinor: 0n,
  roundingMinor: 1n,
};

type Change = Partial<MarginTerms & MarginPosition>;

const outcomeOf = (change: Change) =>
  marginStatement({ ...terms, ...pick(terms, change) }, { ...position, ...pick(position, change) });

describe('a margin statement', () => {
  const cases: [string, Change, Partial<MarginStatement>][] = [
    [
      'has only zero amounts if all amounts of the position are 0',
      {},
      { marginCallMinor: 0n, direction: 'none', creditSupportAmountMinor: 0n },
    ],
    [
      'has no call if the exposure equals the threshold',
      { markToMarketMinor: 100n, minimumTransferMinor: 0n },
      { creditSupportAmountMinor: 0n, direction: 'none', exposureAfterMinor: 100n },
    ],
    [
      'I-032 calls the shortfall if it equals the minimum transfer amount',
      { markToMarketMinor: 150n },
      { marginCallMinor: 50n, direction: 'receive', deliveryLegMinor: 50n },
    ],
    [
      'I-032 has no call, but states the shortfall, if it is 1 below the minimum transfer amount',
      { markToMarketMinor: -149n },
      { shortfallMinor: -49n, marginCallMinor: 0n, direction: 'none' },
    ],
    [
      'I-032 splits a received call into return and delivery if the collateral balance changes from negative to positive',
      { markToMarketMinor: 600n, collateralBalanceMinor: -400n },
      { marginCallMinor: 900n, returnLegMinor: 400n, deliveryLegMinor: 500n, balanceAfterMinor: 500n },
    ],
    [
      'I-032 splits a paid call into return and delivery if the collateral balance changes from positive to negative',
      { markToMarketMinor: -600n, collateralBalanceMinor: 400n },
      { marginCallMinor: -900n, returnLegMinor: -400n, deliveryLegMinor: -500n, direction: 'pay' },
    ],
    [
      'returns the whole collateral balance if no credit support is required',
      { markToMarketMinor: 100n, collateralBalanceMinor: 400n },
      { returnLegMinor: -400n, deliveryLegMinor: 0n, balanceAfterMinor: 0n },
    ],
    [
      'adds the open margin to the collateral balance, for the call and for its legs',
      { markToMarketMinor: -300n, collateralBalanceMinor: 100n, openMarginMinor: 150n },
      { marginCallMinor: -450n, returnLegMinor: -250n, deliveryLegMinor: -200n, exposureBeforeMinor: 0n },
    ],
    [
      'adds the independent amount to the mark to market before it applies the threshold',
      { independentAmountMinor: 200n },
      { creditSupportAmountMinor: 100n, exposureAfterMinor: 0n, negativeExposureAfterMinor: -100n },
    ],
    [
      'applies the threshold by the sign of mark to market plus independent amount',
      { markToMarketMinor: 50n, independentAmountMinor: -300n },
      { creditSupportAmountMinor: -150n, direction: 'pay' },
    ],
    [
      'calls 1 minor unit if threshold and minimum transfer amount are 0',
      { thresholdMinor: 0n, minimumTransferMinor: 0n, markToMarketMinor: -1n },
      { marginCallMinor: -1n, deliveryLegMinor: -1n },
    ],
    [
      'rounds a delivery up and a return down to the rounding unit',
      { markToMarketMinor: 601n, collateralBalanceMinor: -419n, roundingMinor: 100n },
      { shortfallMinor: 920n, returnLegMinor: 400n, deliveryLegMinor: 600n, marginCallMinor: 1000n },
    ],
    [
      'has no call if the return is rounded down to 0',
      { collateralBalanceMinor: 60n, roundingMinor: 100n },
      { shortfallMinor: -60n, marginCallMinor: 0n, direction: 'none', balanceAfterMinor: 60n },
    ],
    [
      'is exact for amounts above 2^53',
      { thresholdMinor: 2n ** 90n, markToMarketMinor: 2n ** 90n + 51n },
      { marginCallMinor: 51n, exposureAfterMinor: 2n ** 90n },
    ],
  ];
  for (const [about, change, expected] of cases) {
    it(about, () => expect(statementOf(change)).to.deep.include(expected));
  }

  const sides: Record<(typeof agreementTypes)[number], [bigint, bigint] | 'margin_not_determined'> = {
    bilateral: [900n, -900n],
    one_way_in_favour: [900n, 0n],
    call_only: [900n, 0n],
    one_way_against: [0n, -900n],
    post_only: [0n, -900n],
    tri_party: 'margin_not_determined',
    cleared: 'margin_not_determined',
    uncollateralised: 'margin_not_determined',
    other: 'margin_not_determined',
  };
  for (const agreementType of agreementTypes) {
    it(`has the calls or refusal ${String(sides[agreementType])} for ${agreementType} with a mark to market of 1000 and of -1000`, () => {
      const calls = [1000n, -1000n].map((markToMarketMinor) => {
        const outcome = outcomeOf({ agreementType, markToMarketMinor });
        return outcome.ok ? outcome.statement.marginCallMinor : outcome.refusal.code;
      });
      const expected = sides[agreementType];
      expect(calls).to.deep.equal(typeof expected === 'string' ? [expected, expected] : expected);
    });
  }

  const refusals: [string, Change, string][] = [
    ['an unknown agreement type', { agreementType: 'toString' }, 'margin_not_determined'],
    ['a threshold that is not stated', { thresholdMinor: null }, 'threshold_not_stated'],
    ['a threshold below 0', { thresholdMinor: -1n }, 'amount_range'],
    ['a minimum below 0', { minimumTransferMinor: -1n }, 'amount_range'],
    ['a rounding unit of 0', { roundingMinor: 0n }, 'amount_range'],
  ];
  for (const [about, change, code] of refusals) {
    it(`is refused for ${about}`, () => {
      const outcome = outcomeOf(change);
      expect(outcome.ok ? outcome.statement : outcome.refusal.code).to.equal(code);
    });
  }

  it('I-032 calls the whole shortfall if it reaches the minimum transfer amount, in legs with the same sign', () => {
    fc.assert(
      fc.property(anyChange(), (change) => {
        const statement = statementOf(change);
        const { shortfallMinor, marginCallMinor, returnLegMinor, deliveryLegMinor } = statement;
        const held = change.collateralBalanceMinor + change.openMarginMinor;
        expect(marginCallMinor).to.equal(
          size(shortfallMinor) >= change.minimumTransferMinor ? shortfallMinor : 0n,
        );
        expect(returnLegMinor + deliveryLegMinor).to.equal(marginCallMinor);
        expect(returnLegMinor * deliveryLegMinor >= 0n).to.equal(true);
        expect(statement.balanceAfterMinor).to.equal(held + marginCallMinor);
        // A margin call has two legs only if the balance changes its sign.
        const crosses = held * statement.balanceAfterMinor < 0n;
        expect(returnLegMinor !== 0n && deliveryLegMinor !== 0n).to.equal(crosses);
        if (marginCallMinor) expect(statement.balanceAfterMinor).to.equal(statement.creditSupportAmountMinor);
      }),
    );
  });

  it('I-032 rounds each leg by less than one rounding unit and never changes its sign', () => {
    fc.assert(
      fc.property(anyChange(), fc.bigInt(1n, 10_000n), (change, roundingMinor) => {
        const exact = statementOf(change);
        const rounded = statementOf({ ...change, roundingMinor });
        for (const leg of ['returnLegMinor', 'deliveryLegMinor'] as const) {
          expect(rounded[leg] % roundingMinor).to.equal(0n);
          expect(size(rounded[leg] - exact[leg]) < roundingMinor).to.equal(true);
          expect(rounded[leg] * exact[leg] >= 0n).to.equal(true);
        }
        expect(size(rounded.deliveryLegMinor) >= size(exact.deliveryLegMinor)).to.equal(true);
        expect(size(rounded.returnLegMinor) <= size(exact.returnLegMinor)).to.equal(true);
      }),
    );
  });

  it('I-033 multiplies all its amounts by 10 if all amounts of the input are multiplied by 10', () => {
    fc.assert(
      fc.property(anyChange(), fc.bigInt(1n, 1_000n), (change, roundingMinor) => {
        const coarse = statementOf({ ...change, roundingMinor });
        const fine = statementOf(scaled({ ...change, roundingMinor }));
        expect(fine).to.deep.equal(scaled(coarse));
      }),
    );
  });

  it('is the same for the counterparty with opposite signs', () => {
    const other = { ...mirrorOf(['bilateral', 'bilateral'], ['call_only', 'post_only']) };
    fc.assert(
      fc.property(anyChange(), (change) => {
        const ours = statementOf(change);
        const theirs = statementOf({
          ...change,
          agreementType: other[change.agreementType]!,
          markToMarketMinor: -change.markToMarketMinor,
          independentAmountMinor: -change.independentAmountMinor,
          collateralBalanceMinor: -change.collateralBalanceMinor,
          openMarginMinor: -change.openMarginMinor,
        });
        for (const amount of ['creditSupportAmountMinor', 'returnLegMinor', 'deliveryLegMinor'] as const) {
          expect(theirs[amount]).to.equal(-ours[amount]);
        }
        expect(theirs.exposureAfterMinor).to.equal(-ours.negativeExposureAfterMinor);
      }),
    );
  });

  it('has no further call while its call is in progress or after its call was settled', () => {
    fc.assert(
      fc.property(anyChange(), (change) => {
        const { marginCallMinor, balanceAfterMinor } = statementOf(change);
        const inProgress = { ...change, openMarginMinor: change.openMarginMinor + marginCallMinor };
        const settled = { ...change, collateralBalanceMinor: balanceAfterMinor, openMarginMinor: 0n };
        for (const later of [inProgress, settled]) expect(statementOf(later).marginCallMinor).to.equal(0n);
      }),
    );
  });
});

function statementOf(change: Change): MarginStatement {
  const outcome = outcomeOf(change);
  if (!outcome.ok) throw new Error(outcome.refusal.detail);
  return outcome.statement;
}

/** Generates small amounts, so that equal amounts occur, and amounts far above 2^53. */
function anyChange() {
  const signed = fc.oneof(fc.bigInt(-300n, 300n), fc.bigInt(-(2n ** 70n), 2n ** 70n));
  const positive = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 70n));
  return fc.record({
    agreementType: fc.constantFrom('bilateral', 'call_only', 'post_only'),
    thresholdMinor: positive,
    minimumTransferMinor: positive,
    independentAmountMinor: signed,
    markToMarketMinor: signed,
    collateralBalanceMinor: signed,
    openMarginMinor: fc.oneof(fc.constant(0n), signed),
  });
}

function mirrorOf(...pairs: [string, string][]): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(
      ([a, b]) =>
        [
          [a, b],
          [b, a],
        ] as const,
    ),
  );
}

function scaled<T extends object>(amounts: T): T {
  const times = Object.entries(amounts).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? value * 10n : value,
  ]);
  return Object.fromEntries(times) as T;
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function pick<T extends object>(like: T, from: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name in like)) as Partial<T>;
}
