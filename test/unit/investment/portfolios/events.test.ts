import { expect } from 'chai';
import fc from 'fast-check';
import { breaksOf } from '#lib/investment/portfolios/breaks.ts';
import { faultOfEvent } from '#lib/investment/portfolios/event-fault.ts';
import { orderEvents } from '#lib/investment/portfolios/event-order.ts';
import { knownEvents, knownSplits } from '#lib/investment/portfolios/known-events.ts';
import { positionsOf } from '#lib/investment/portfolios/positions.ts';
import { deriveLots } from '#lib/investment/portfolios/lots.ts';
import { buy, event, group, ledgers, sell, shares } from '../../../support/portfolio.ts';

const asOf = '2024-12-31';

describe('knownEvents', () => {
  const first = buy('2024-01-02', '10', 1_000n, { knownAt: '2024-01-03T00:00:00.000Z' });
  const corrected = { ...first, quantity: shares('12'), knownAt: '2024-02-01T23:59:59.999Z' };
  const quantities = (versions: (typeof first)[], day: string) =>
    knownEvents(versions, { asOf: day }).events.map(({ quantity }) => quantity);

  it('applies a correction from the day on which it was known', () => {
    for (const versions of [
      [first, corrected],
      [corrected, first],
    ]) {
      expect(quantities(versions, '2024-01-02')).to.deep.equal([]);
      expect(quantities(versions, '2024-01-31')).to.deep.equal([shares('10')]);
      expect(quantities(versions, '2024-02-01')).to.deep.equal([shares('12')]);
    }
  });

  it('omits a withdrawn event until a later version restores the event', () => {
    const withdrawn = { ...first, withdrawn: true, knownAt: '2024-03-01T00:00:00.000Z' };
    const restored = { ...first, knownAt: '2024-04-01T00:00:00.000Z' };
    const versions = [restored, first, withdrawn];
    expect(quantities(versions, '2024-02-28')).to.have.length(1);
    expect(quantities(versions, '2024-03-01')).to.have.length(0);
    expect(quantities(versions, '2024-04-01')).to.have.length(1);
  });

  it('omits an event if a correction moves its trade date after the as-of date', () => {
    expect(quantities([first, { ...corrected, tradedOn: '2024-05-01' }], '2024-03-01')).to.deep.equal([]);
  });

  it('reports a conflict of two different versions with the same known_at, unless a later version exists', () => {
    const other = { ...first, quantity: shares('11') };
    const { conflicts } = knownEvents([first, first, other], { asOf });
    expect(conflicts).to.deep.equal([
      { code: 'event_conflict', portfolio: 'main', reference: first.reference, on: '2024-01-02' },
    ]);
    expect(knownEvents([first, first], { asOf }).conflicts).to.deep.equal([]);
    for (const versions of [
      [first, other, corrected],
      [corrected, other, first],
      [other, corrected, first],
    ])
      expect(knownEvents(versions, { asOf }).conflicts).to.deep.equal([]);
  });

  it('distinguishes events with the same reference in two portfolios', () => {
    expect(knownEvents([first, { ...first, portfolio: 'other' }], { asOf }).events).to.have.length(2);
  });

  it('has the counterpart knownSplits, which returns the splits known by a day, ordered by ex date', () => {
    const split = {
      symbol: 'X',
      exOn: '2024-02-01',
      ratio: '2',
      knownAt: '2024-02-01T00:00:00Z',
      withdrawn: false,
    };
    const versions = [
      { ...split, exOn: '2024-03-01', symbol: 'A' },
      split,
      { ...split, ratio: '3', knownAt: '2024-02-03T00:00:00Z' },
      { ...split, symbol: 'Y', withdrawn: true },
    ];
    const ratios = (day: string) =>
      knownSplits(versions, { asOf: day }).map(({ symbol, ratio }) => symbol + ratio);
    expect(ratios('2024-02-02')).to.deep.equal(['X2']);
    expect(ratios('2024-03-02')).to.deep.equal(['X3', 'A2']);
  });
});

describe('orderEvents', () => {
  it('sorts the events of a day: splits, returns of capital, acquisitions, sales, cash, each by reference', () => {
    const day = '2024-01-02';
    const ordered = [
      event('split_override', day, { reference: 'z' }),
      event('return_of_capital', day, { reference: 'y' }),
      buy(day, '1', 1n, { reference: 'a' }),
      event('transfer_in', day, { reference: 'b' }),
      sell(day, '1', 1n, { reference: 'A' }),
      event('deposit', day, { reference: '0' }),
      buy('2024-01-03', '1', 1n, { reference: '0' }),
    ];
    expect([...orderEvents(ordered.toReversed()).places]).to.deep.equal([6, 5, 4, 3, 2, 1, 0]);
    expect([...orderEvents(ordered).places]).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect([...orderEvents(ordered.toReversed()).days]).to.deep.equal([
      19_725, 19_724, 19_724, 19_724, 19_724, 19_724, 19_724,
    ]);
    expect([...orderEvents([]).places]).to.deep.equal([]);
  });
});

describe('faultOfEvent', () => {
  const codeOf = (each: Parameters<typeof faultOfEvent>[0]) => faultOfEvent(each, { today: asOf })?.code;
  const good = buy('2024-01-02', '10', 1_000n);

  it('returns the first fault of an event, and undefined for an event without a fault', () => {
    expect(codeOf(good)).to.equal(undefined);
    expect(codeOf({ ...good, tradedOn: '2025-01-01' })).to.equal('future_trade');
    expect(codeOf({ ...good, tradedOn: '2024-02-30' })).to.equal('date_invalid');
    expect(codeOf({ ...good, settledOn: 'later' })).to.equal('date_invalid');
    expect(codeOf({ ...good, currency: 'XXX' })).to.equal('currency_unknown');
    expect(codeOf({ ...good, quantity: -1n })).to.equal('quantity_sign');
    expect(codeOf({ ...good, quantity: null })).to.equal('quantity_sign');
    expect(codeOf({ ...good, symbol: null })).to.equal('symbol_missing');
    expect(codeOf({ ...good, amountMinor: null })).to.equal('amount_missing');
    expect(codeOf({ ...good, amountMinor: -1n })).to.equal('amount_sign');
    expect(codeOf({ ...good, price: -1n })).to.equal('price_sign');
    expect(codeOf({ ...good, feesMinor: -1n })).to.equal('fees_sign');
    expect(codeOf({ ...good, type: 'gift' as never })).to.equal('type_unknown');
    expect(codeOf({ ...good, quantity: -1n, withdrawn: true })).to.equal(undefined);
    expect(codeOf(event('interest', '2024-01-02', { amountMinor: -5n }))).to.equal(undefined);
  });

  it('requires the acquisition date and the basis of a transferred lot', () => {
    const moved = event('transfer_in', '2024-01-02', {
      quantity: 1n,
      acquiredOn: '2020-02-29',
      basisMinor: 0n,
    });
    expect(codeOf(moved)).to.equal(undefined);
    expect(codeOf({ ...moved, acquiredOn: null })).to.equal('basis_missing');
    expect(codeOf({ ...moved, basisMinor: null })).to.equal('basis_missing');
    expect(codeOf({ ...moved, acquiredOn: '2024-01-03' })).to.equal('date_invalid');
  });
});

describe('positionsOf', () => {
  it('sums shares by portfolio and symbol, and cash by portfolio and currency', () => {
    const { positions, cash } = positionsOf({
      events: [
        event('deposit', '2024-01-01', { amountMinor: 10_000n, symbol: null }),
        buy('2024-01-02', '10', 1_000n, { feesMinor: 5n }),
        sell('2024-01-03', '4', 500n, { feesMinor: 3n }),
        event('dividend', '2024-01-04', { amountMinor: 70n }),
        event('reinvest', '2024-01-05', { quantity: shares('1'), amountMinor: 70n, feesMinor: 1n }),
        event('fee', '2024-01-06', { amountMinor: 20n, symbol: null }),
        event('interest', '2024-01-07', { amountMinor: -2n, symbol: null }),
        event('withdraw', '2024-01-08', { amountMinor: 100n, symbol: null, currency: 'EUR' }),
        event('transfer_out', '2024-01-09', { quantity: shares('2') }),
        event('return_of_capital', '2024-01-10', { amountMinor: 9n }),
      ],
      splits: [
        { symbol: 'X', exOn: '2024-01-09', ratio: '2', knownAt: '2024-01-09T00:00:00Z', withdrawn: false },
      ],
      asOf,
    });
    expect(positions).to.deep.equal([{ portfolio: 'main', symbol: 'X', quantity: shares('12') }]);
    expect(cash).to.deep.equal([
      { portfolio: 'main', currency: 'EUR', amountMinor: -100n },
      { portfolio: 'main', currency: 'USD', amountMinor: 10_000n - 1_005n + 497n + 70n - 1n - 20n - 2n + 9n },
    ]);
  });

  it('returns for each position the sum of the quantities of its open lots', () => {
    fc.assert(
      fc.property(ledgers, (events) => {
        const { lots } = deriveLots({ events, splits: [], portfolios: group, asOf });
        const sums = new Map<string, bigint>();
        for (const { portfolio, symbol, quantity } of lots) {
          const key = `${portfolio} ${symbol}`;
          sums.set(key, (sums.get(key) ?? 0n) + quantity);
        }
        const { positions } = positionsOf({ events, splits: [], asOf });
        expect(positions.map((each) => [`${each.portfolio} ${each.symbol}`, each.quantity])).to.deep.equal([
          ...sums,
        ]);
      }),
    );
  });
});

describe('breaksOf', () => {
  const derived = {
    positions: [{ portfolio: 'main', symbol: 'X', quantity: shares('10') }],
    cash: [{ portfolio: 'main', currency: 'USD', amountMinor: 5n }],
  };

  it('lists each stated total that differs from the derived total', () => {
    const stated = {
      positions: [
        { portfolio: 'main', symbol: 'Y', quantity: shares('1') },
        { portfolio: 'main', symbol: 'X', quantity: shares('10') },
      ],
      cash: [{ portfolio: 'main', currency: 'USD', amountMinor: 6n }],
      isComplete: false,
    };
    expect(breaksOf(stated, derived)).to.deep.equal([
      { kind: 'position', portfolio: 'main', symbol: 'Y', stated: shares('1'), derived: 0n },
      { kind: 'cash', portfolio: 'main', currency: 'USD', stated: 6n, derived: 5n },
    ]);
  });

  it('lists a position without a stated total only if the stated totals are complete', () => {
    const none = { positions: [], cash: [] };
    expect(breaksOf({ ...none, isComplete: false }, derived)).to.deep.equal([]);
    expect(breaksOf({ ...none, isComplete: true }, derived)).to.have.length(2);
  });
});
