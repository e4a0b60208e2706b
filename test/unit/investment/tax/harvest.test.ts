import { expect } from 'chai';
import fc from 'fast-check';
import { addDays } from '#lib/core/date.ts';
import type { Lot } from '#lib/investment/portfolios/lot.ts';
import { proposeHarvest } from '#lib/investment/tax/harvest.ts';
import { harvestOrders } from '#lib/investment/tax/harvest-orders.ts';
import type { HarvestInput, HarvestProposal } from '#lib/investment/tax/harvest-proposal.ts';
import { harvestPolicies } from '#lib/investment/tax/harvest-selection.ts';
import { longFrom } from '#lib/investment/tax/holding-period.ts';
import { averageCost } from '#lib/investment/tax/regime.ts';
import { washPurchases, type WashPurchase } from '#lib/investment/tax/wash-purchases.ts';
import { portfolio, shares } from '../../../support/portfolio.ts';

const asOf = '2024-06-28';

function lot(
  name: string,
  acquiredOn: string,
  quantity: string,
  basisMinor: bigint,
  rest: Partial<Lot> = {},
): Lot {
  return {
    portfolio: 'main',
    reference: name,
    lot: name,
    slice: 0,
    symbol: 'X',
    currency: 'USD',
    acquiredOn,
    holdingSince: acquiredOn,
    longFrom: longFrom(acquiredOn),
    quantity: shares(quantity),
    costMinor: basisMinor,
    basisMinor,
    washAddedMinor: 0n,
    isReplacement: false,
    knownAt: `${acquiredOn}T00:00:00Z`,
    ...rest,
  };
}

function purchase(on: string, quantity: string, rest: Partial<WashPurchase> = {}): WashPurchase {
  return {
    portfolio: 'other',
    lot: `P ${on}`,
    reference: `P ${on}`,
    symbol: 'X',
    on,
    quantity: shares(quantity),
    accountKind: 'taxable',
    ...rest,
  };
}

function input(rest: Partial<HarvestInput> = {}): HarvestInput {
  return {
    asOf,
    terms: portfolio(),
    lots: [lot('L1', '2024-01-10', '100', 600_000n)],
    prices: new Map([
      ['X', { price: '45', on: asOf }],
      ['Y', { price: '45', on: asOf }],
    ]),
    purchases: [],
    rates: { shortBps: 3700, longBps: 2000, ordinaryBps: 3700 },
    realised: { shortMinor: 1_000_000n, longMinor: 0n },
    carriedIn: { shortMinor: 0n, longMinor: 0n },
    policy: 'avoid',
    minimumLossMinor: 0n,
    minimumLossBps: 0,
    minimumNetMinor: 1n,
    costBps: 10,
    identical: [],
    horizon: 'now',
    ...rest,
  };
}

function propose(rest: Partial<HarvestInput> = {}): HarvestProposal {
  const outcome = proposeHarvest(input(rest));
  if (!outcome.ok) throw new Error(outcome.refusal.code);
  return outcome.proposal;
}

function refusal(rest: Partial<HarvestInput>): unknown {
  const outcome = proposeHarvest(input(rest));
  return outcome.ok ? undefined : outcome.refusal;
}

const soldOf = ({ sales }: HarvestProposal) => sales.map((each) => [each.lot, each.quantity / shares('1')]);

describe('proposeHarvest', () => {
  it('does not sell shares that a recent purchase would replace, and states this assumption', () => {
    const replaced = propose({ purchases: [purchase('2024-06-18', '40')] });
    expect(soldOf(replaced)).to.deep.equal([['L1', 60n]]);
    expect(replaced.heldBack.get('L1')).to.deep.equal({ quantity: shares('40'), by: ['P 2024-06-18'] });
    expect(replaced.assumptions).to.include('held_back_shares_are_replaced');
    expect(propose().assumptions).to.not.include('held_back_shares_are_replaced');
  });

  it('sells no share of a lot that a recent purchase partly replaces, under the policy skip', () => {
    const found = propose({ policy: 'skip', purchases: [purchase('2024-06-18', '1')] });
    expect([found.sales, found.heldBack.get('L1')?.quantity]).to.deep.equal([[], shares('100')]);
    expect(found.why.get('L1')).to.equal('washed');
  });

  it('states a reason for each lot that is not sold', () => {
    const { why } = propose({
      lots: [
        lot('gain', '2024-01-10', '1', 4_500n),
        lot('small', '2024-01-10', '1', 4_501n),
        lot('unpriced', '2024-01-10', '1', 9_000n, { symbol: 'Z' }),
        lot('washed', '2024-01-10', '1', 9_000n, { symbol: 'Y' }),
      ],
      purchases: [purchase('2024-06-18', '1', { symbol: 'Y' })],
    });
    expect(Object.fromEntries(why)).to.deep.equal({
      gain: 'gain',
      small: 'below_minimum',
      unpriced: 'no_price',
      washed: 'washed',
    });
  });

  it('applies the minimum net benefit to each lot separately', () => {
    const lots = [lot('big', '2024-01-10', '100', 600_000n), lot('small', '2024-01-11', '100', 450_100n)];
    expect(soldOf(propose({ lots }))).to.deep.equal([['big', 100n]]);
    expect(soldOf(propose({ lots, minimumNetMinor: null }))).to.have.length(2);
    expect(soldOf(propose({ lots, minimumNetMinor: 55_051n }))).to.deep.equal([]);
    expect(soldOf(propose({ lots, minimumNetMinor: 55_050n }))).to.deep.equal([['big', 100n]]);
  });

  it('sells a lot only if its loss reaches the minimum in basis points of its basis', () => {
    expect(soldOf(propose({ minimumLossBps: 2500 }))).to.have.length(1);
    expect(soldOf(propose({ minimumLossBps: 2501 }))).to.have.length(0);
  });

  it('proposes no sale if the tax rates are 0 or the carried losses exceed all gains', () => {
    expect(propose({ rates: { shortBps: 0, longBps: 0, ordinaryBps: 0 } }).sales).to.deep.equal([]);
    const carriedIn = { shortMinor: 9_000_000n, longMinor: 0n };
    expect(propose({ carriedIn }).sales).to.deep.equal([]);
  });

  it('treats purchases of identical securities as replacements', () => {
    const purchases = [purchase('2024-06-18', '40', { symbol: 'Y' })];
    expect(soldOf(propose({ purchases }))).to.deep.equal([['L1', 100n]]);
    expect(soldOf(propose({ purchases, identical: [['Y', 'X']] }))).to.deep.equal([['L1', 60n]]);
  });

  it('matches each replacement share with only one sold lot', () => {
    const lots = [lot('L1', '2024-01-10', '30', 180_000n), lot('L2', '2024-01-11', '30', 180_000n)];
    const { sales } = propose({
      lots,
      policy: 'allow',
      purchases: [purchase('2024-06-18', '40')],
      minimumNetMinor: null,
    });
    expect(sales.map(({ washedQuantity }) => washedQuantity / shares('1'))).to.deep.equal([30n, 10n]);
  });

  it('treats the lot itself as a replacement only if sameLotIsReplacement is set', () => {
    const lots = [lot('L1', '2024-06-18', '40', 240_000n)];
    const purchases = [purchase('2024-06-18', '60', { portfolio: 'main', lot: 'L1' })];
    expect(soldOf(propose({ lots, purchases }))).to.deep.equal([['L1', 40n]]);
    expect(soldOf(propose({ lots, purchases, sameLotIsReplacement: true }))).to.deep.equal([]);
  });

  it('ends with no sale if two recent purchases would replace each other', () => {
    const lots = [lot('A', '2024-06-10', '100', 600_000n), lot('B', '2024-06-11', '100', 600_000n)];
    const own = lots.map(({ lot: name, acquiredOn }) =>
      purchase(acquiredOn, '100', { portfolio: 'main', lot: name, reference: name }),
    );
    const outside = purchase('2024-06-12', '0.00000001', { portfolio: null, lot: null });
    const found = propose({ lots, purchases: [...own, outside] });
    expect(found.sales).to.deep.equal([]);
    expect(propose({ lots, purchases: own }).sales).to.have.length(2);
  });

  it('states the date from which a lot can be sold later in the year if the horizon is year_end', () => {
    const purchases = [purchase('2024-06-18', '40')];
    expect(propose({ purchases, horizon: 'year_end' }).laterThisYear).to.deep.equal([
      { lot: 'L1', slice: 0, symbol: 'X', quantity: shares('40'), notBefore: '2024-07-19' },
    ]);
    expect(propose({ purchases }).laterThisYear).to.deep.equal([]);
  });

  it('states whether the saving is only a deferral', () => {
    expect(propose()).to.include({ deferredMinor: 30_000n, isDeferralOnly: false });
    const rates = { shortBps: 2000, longBps: 2000, ordinaryBps: 2000 };
    expect(propose({ rates })).to.include({ deferredMinor: 30_000n, isDeferralOnly: true });
  });

  it('refuses an unsupported currency or regime, a tax-exempt account, mixed currencies and stale prices', () => {
    expect(refusal({ terms: portfolio({ baseCurrency: 'EUR' }) })).to.deep.equal({
      code: 'tax_regime_unsupported',
      currency: 'EUR',
    });
    expect(refusal({ regime: averageCost })).to.include({ code: 'tax_regime_unsupported' });
    expect(refusal({ terms: portfolio({ accountKind: 'tax_exempt' }) })).to.deep.equal({
      code: 'account_tax_exempt',
    });
    expect(refusal({ lots: [lot('L1', '2024-01-10', '1', 1n, { currency: 'EUR' })] })).to.deep.equal({
      code: 'currencies_mixed',
      currencies: ['EUR'],
    });
    const old = new Map([['X', { price: '45', on: addDays(asOf, -8) }]]);
    expect(refusal({ prices: old })).to.deep.equal({
      code: 'market_history_insufficient',
      observed: 0,
      needed: 1,
      symbols: ['X'],
    });
  });

  it('returns an empty proposal if there are no lots', () => {
    expect(propose({ lots: [] })).to.deep.include({ sales: [], savingNowMinor: 0n, isDeferralOnly: false });
  });

  const recent = fc.record({
    name: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
    symbol: fc.constantFrom('X', 'Y'),
    daysAgo: fc.integer({ min: 0, max: 45 }),
    quantity: fc.integer({ min: 1, max: 50 }),
    basis: fc.integer({ min: 1, max: 500_000 }),
  });
  const lists = fc.uniqueArray(recent, { selector: ({ name }) => name });

  it('never disallows more than the loss, and does not depend on the order of the input', () => {
    fc.assert(
      fc.property(
        lists,
        lists,
        fc.constantFrom(...harvestPolicies),
        fc.boolean(),
        (own, others, policy, same) => {
          const lots = own.map(({ name, symbol, daysAgo, quantity, basis }) =>
            lot(name, addDays(asOf, -daysAgo), String(quantity), BigInt(basis), { symbol }),
          );
          const bought = others.map(({ name, symbol, daysAgo, quantity }) =>
            lot(name, addDays(asOf, -daysAgo), String(quantity), 1n, { symbol, portfolio: 'other' }),
          );
          const portfolios = [portfolio(), portfolio({ portfolio: 'other' })];
          const purchases = washPurchases({
            lots: [...lots, ...bought],
            portfolios,
            washGroup: 'owner',
            asOf,
            days: 30,
          });
          const rest = { policy, identical: [['X', 'Y']], sameLotIsReplacement: same };
          const found = propose({ lots, purchases, ...rest });
          for (const sale of found.sales) {
            expect(sale.gainMinor < 0n && sale.disallowedMinor <= -sale.gainMinor).to.equal(true);
            expect(sale.washedQuantity <= sale.quantity).to.equal(true);
            if (policy !== 'allow') expect(sale.washedQuantity).to.equal(0n);
          }
          const added = found.replacementAdjustments.reduce((sum, each) => sum + each.basisAddedMinor, 0n);
          const disallowed = found.sales.reduce((sum, each) => sum + each.disallowedMinor, 0n);
          expect(added + found.lostForEverMinor).to.equal(disallowed);
          const reversed = propose({ lots: lots.toReversed(), purchases: purchases.toReversed(), ...rest });
          expect(reversed).to.deep.equal(found);
        },
      ),
    );
  });

  it('proposes no sale for the lots that remain after the proposed sales', () => {
    fc.assert(
      fc.property(lists, (own) => {
        const lots = own.map(({ name, daysAgo, quantity, basis }) =>
          lot(name, addDays(asOf, -daysAgo - 31), String(quantity), BigInt(basis)),
        );
        const sold = new Set(propose({ lots }).sales.map((each) => each.lot));
        const left = lots.filter((each) => !sold.has(each.lot));
        expect(propose({ lots: left }).sales).to.deep.equal([]);
      }),
    );
  });
});

describe('washPurchases', () => {
  it('returns purchases of the wash group within 30 days that are not replacements yet, by purchase date', () => {
    const found = washPurchases({
      lots: [
        lot('late', '2024-06-20', '1', 1n),
        lot('day 30', '2024-05-29', '1', 1n),
        lot('day 31', '2024-05-28', '1', 1n),
        lot('used', '2024-06-20', '1', 1n, { isReplacement: true }),
        lot('stranger', '2024-06-20', '1', 1n, { portfolio: 'stranger' }),
      ],
      portfolios: [portfolio(), portfolio({ portfolio: 'stranger', washGroup: 'stranger' })],
      washGroup: 'owner',
      asOf,
      days: 30,
      others: [purchase('2024-07-28', '1'), purchase('2024-07-29', '1')],
    });
    expect(found.map(({ reference }) => reference)).to.deep.equal(['day 30', 'late', 'P 2024-07-28']);
  });
});

describe('harvestOrders', () => {
  const about = {
    portfolio: 'main',
    asOf: '2024-06-28',
    currency: 'USD',
    prices: new Map([['X', { price: '45' }]]),
  };

  it('returns one order per symbol with the sum of the sold lots', () => {
    const sales = [
      { symbol: 'X', quantity: shares('10.5') },
      { symbol: 'X', quantity: shares('2') },
    ];
    expect(
      harvestOrders(sales, about)?.orders.map(({ quantity, reference_price }) => [quantity, reference_price]),
    ).to.deep.equal([['12.5', '45']]);
    expect(harvestOrders([], about)).to.equal(null);
    expect(() => harvestOrders([{ symbol: 'Z', quantity: 1n }], about)).to.throw(RangeError, 'no price');
  });
});
