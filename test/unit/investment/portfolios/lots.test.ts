import { expect } from 'chai';
import fc from 'fast-check';
import { recognisedMinor } from '#lib/investment/portfolios/lot.ts';
import { describeFault } from '#lib/investment/portfolios/lot-fault-text.ts';
import { deriveLots, type Lots, type LotsInput } from '#lib/investment/portfolios/lots.ts';
import {
  lotReliefs,
  type LotRelief,
  type PortfolioEvent,
} from '#lib/investment/portfolios/portfolio-event.ts';
import { averageCost } from '#lib/investment/tax/regime.ts';
import { buy, event, group, ledgers, portfolio, sell, shares } from '../../../support/portfolio.ts';

const LATE = '2030-01-01';

function derive(events: readonly PortfolioEvent[], rest: Partial<LotsInput> = {}): Lots {
  return deriveLots({ events, splits: [], portfolios: [portfolio()], asOf: LATE, ...rest });
}

/**
 * Returns lot, shares, gain in minor units and holding period for each lot sold by one sale from four lots.
 */
function reliefOf(lotRelief: LotRelief): string[] {
  const lots = [
    ['L1', '2022-01-10', 600_000n],
    ['L2', '2023-03-15', 800_000n],
    ['L3', '2023-11-20', 700_000n],
    ['L4', '2024-02-01', 650_000n],
  ] as const;
  const events = lots.map(([lot, on, amount]) => buy(on, '100', amount, { lot, reference: lot }));
  const { disposals } = derive([...events, sell('2024-06-28', '250', 1_800_000n)], {
    portfolios: [portfolio({ lotRelief })],
  });
  return disposals.map(({ lot, quantity, gainMinor, term }) => {
    return `${lot} ${quantity / shares('1')} ${gainMinor} ${term}`;
  });
}

describe('deriveLots', () => {
  it('sells lots in the order of each lot relief method', () => {
    const l1 = 'L1 100 120000 long';
    expect(Object.fromEntries(lotReliefs.map((relief) => [relief, reliefOf(relief)]))).to.deep.equal({
      fifo: [l1, 'L2 100 -80000 long', 'L3 50 10000 short'],
      specific: [l1, 'L2 100 -80000 long', 'L3 50 10000 short'],
      lifo: ['L4 100 70000 short', 'L3 100 20000 short', 'L2 50 -40000 long'],
      hifo: ['L2 100 -80000 long', 'L3 100 20000 short', 'L4 50 35000 short'],
      lofo: [l1, 'L4 100 70000 short', 'L3 50 10000 short'],
      min_tax: ['L2 100 -80000 long', 'L3 100 20000 short', 'L1 50 60000 long'],
    });
  });

  it('adds fees to the basis of a purchase and subtracts fees from the proceeds of a sale', () => {
    const { lots, disposals } = derive([
      buy('2024-01-02', '10', 1_000n, { feesMinor: 5n }),
      sell('2024-03-01', '4', 500n, { feesMinor: 3n }),
    ]);
    expect(lots.at(0)).to.include({ costMinor: 603n, basisMinor: 603n });
    expect(disposals.at(0)).to.include({ proceedsMinor: 497n, basisMinor: 402n, gainMinor: 95n });
  });

  it('rounds quantity times price half to even if the event has no amount', () => {
    const { lots } = derive([
      event('buy', '2024-01-02', { quantity: shares('10.5'), price: shares('45.013') }),
    ]);
    expect(lots.at(0)?.basisMinor).to.equal(47_264n);
  });

  it('is exact for lots of 10^-8 shares and amounts of 2^53 minor units', () => {
    const big = 2n ** 53n;
    const { lots, disposals } = derive([
      buy('2024-01-02', '0.00000003', big, { reference: 'a' }),
      buy('2024-01-02', '0.00000001', big, { reference: 'b' }),
      sell('2024-03-01', '0.00000001', big),
    ]);
    expect(lots.map(({ quantity, basisMinor }) => [quantity, basisMinor])).to.deep.equal([
      [2n, big - big / 3n],
      [1n, big],
    ]);
    expect(disposals.at(0)).to.include({ gainMinor: big - big / 3n });
  });

  it('reports a sale above the held quantity with both quantities, and ignores later events of the portfolio', () => {
    const { lots, faults } = derive([
      buy('2024-01-02', '10', 1_000n),
      sell('2024-03-01', '11', 1_000n),
      buy('2024-04-01', '5', 1_000n),
    ]);
    expect(faults).to.deep.equal([
      {
        code: 'sale_exceeds_lots',
        portfolio: 'main',
        reference: 'sell 2024-03-01',
        on: '2024-03-01',
        symbol: 'X',
        quantity: shares('11'),
        held: shares('10'),
      },
    ]);
    expect(lots.map(({ acquiredOn }) => acquiredOn)).to.deep.equal(['2024-01-02']);
  });

  it('reports the first fault of a portfolio by its code', () => {
    const codes = (events: PortfolioEvent[]) => derive(events).faults.map(({ code }) => code);
    const first = buy('2024-01-02', '10', 1_000n);
    expect(codes([first, sell('2024-03-01', '1', 1n, { lot: 'other' })])).to.deep.equal(['lot_unknown']);
    expect(codes([first, sell('2024-03-01', '1', 1n, { currency: 'EUR' })])).to.deep.equal([
      'currencies_mixed',
    ]);
    expect(codes([first, { ...first, quantity: shares('11') }])).to.deep.equal(['event_conflict']);
    expect(codes([event('transfer_in', '2024-01-02', { quantity: 1n })])).to.deep.equal(['basis_missing']);
    expect(codes([buy('2024-01-02', '0', 1n)])).to.deep.equal(['quantity_sign']);
    expect(codes([buy('2024-01-02', '1', 1n, { portfolio: 'foreign' })])).to.deep.equal([
      'portfolio_unknown',
    ]);
    expect(codes([{ ...first, lot: 'L' }, buy('2024-02-01', '1', 1n, { lot: 'L' })])).to.deep.equal([
      'event_conflict',
    ]);
  });

  it('reports the event that makes a position larger than 2^62 units of 10^-8 shares', () => {
    const [most, one] = ['46116860184.27387904', '0.00000001'];
    const full = buy('2024-01-02', most, 1n, { reference: 'a' });
    expect(derive([full]).faults).to.deep.equal([]);
    const { lots, faults } = derive([full, buy('2024-01-03', one, 1n, { reference: 'b' })]);
    expect(lots.map(({ quantity }) => quantity)).to.deep.equal([shares(most)]);
    const fault = { code: 'position_too_large', portfolio: 'main', symbol: 'X' };
    expect(faults).to.deep.equal([{ ...fault, reference: 'b', on: '2024-01-03' }]);
    expect(describeFault(faults[0]!)).to.equal(
      `position_too_large: on 2024-01-03, the position in X exceeds ${most} shares`,
    );
    const knownAt = '2024-01-01T00:00:00Z';
    const split = { symbol: 'X', exOn: '2024-02-01', ratio: '2', knownAt, withdrawn: false };
    const doubled = derive([full, buy('2024-03-01', '1', 1n)], { splits: [split] });
    expect(doubled.faults).to.deep.equal([{ ...fault, reference: 'a', on: '2024-02-01' }]);
    const override = event('split_override', '2024-02-01', { quantity: shares('2'), reference: 'c' });
    expect(derive([full, override]).faults.map(({ reference }) => reference)).to.deep.equal(['c']);
    expect(doubled.lots.map(({ quantity }) => quantity)).to.deep.equal([shares(most)]);
  });

  it('reports the event with which the amounts exceed 2^62 minor units', () => {
    const half = 2n ** 61n;
    const first = [buy('2024-01-02', '10', half), sell('2024-01-03', '5', half)];
    expect(derive(first).faults).to.deep.equal([]);
    const codes = (last: PortfolioEvent) =>
      derive([...first, last]).faults.map(({ code, on }) => `${code} ${on}`);
    for (const last of [
      buy('2024-01-04', '1', 1n),
      sell('2024-01-04', '1', 1n),
      event('return_of_capital', '2024-01-04', { amountMinor: 1n }),
    ])
      expect(codes(last), last.type).to.deep.equal(['amounts_too_large 2024-01-04']);
  });

  it('sells the lots that a sale names, in the order in which the sale names them', () => {
    const { disposals } = derive([
      buy('2024-01-02', '10', 1_000n, { lot: 'A' }),
      buy('2024-01-03', '10', 2_000n, { lot: 'B' }),
      sell('2024-01-20', '15', 3_000n, { lot: 'B A' }),
    ]);
    expect(disposals.map(({ lot, quantity }) => [lot, quantity])).to.deep.equal([
      ['B', shares('10')],
      ['A', shares('5')],
    ]);
  });

  it('removes transferred lots with their basis and without a gain', () => {
    const found = derive([
      buy('2024-01-02', '10', 1_000n),
      event('transfer_out', '2024-02-01', { quantity: shares('4') }),
    ]);
    expect(found.disposals).to.have.length(0);
    expect(found.departures[0]).to.include({ basisMinor: 400n, acquiredOn: '2024-01-02' });
    expect(found.lots.at(0)).to.include({ basisMinor: 600n, quantity: shares('6') });
  });

  it('reduces the basis by returned capital, and recognises the excess over the basis as a gain', () => {
    const { lots, disposals } = derive([
      buy('2023-01-02', '10', 100n, { reference: 'a' }),
      buy('2023-01-03', '30', 3_000n, { reference: 'b' }),
      event('return_of_capital', '2024-02-01', { amountMinor: 801n }),
    ]);
    expect(lots.map(({ costMinor, basisMinor }) => [costMinor, basisMinor])).to.deep.equal([
      [100n, 0n],
      [3_000n, 2_399n],
    ]);
    expect(disposals.map(({ gainMinor, quantity, term }) => [gainMinor, quantity, term])).to.deep.equal([
      [100n, 0n, 'long'],
    ]);
  });

  describe('splits', () => {
    const split = {
      symbol: 'X',
      exOn: '2024-02-01',
      ratio: '4',
      knownAt: '2024-02-01T00:00:00Z',
      withdrawn: false,
    };

    it('multiply the shares before the trades of the ex date, and do not change the basis', () => {
      const { lots } = derive([buy('2024-01-02', '10', 1_000n), sell('2024-02-01', '30', 900n)], {
        splits: [split],
      });
      expect(lots.at(0)).to.include({ quantity: shares('10'), basisMinor: 250n, acquiredOn: '2024-01-02' });
    });

    it('are applied only if they were known by the as-of date', () => {
      const late = { ...split, knownAt: '2024-05-01T00:00:00Z' };
      const quantityOn = (asOf: string) =>
        derive([buy('2024-01-02', '10', 1_000n)], { splits: [late], asOf }).lots.at(0)?.quantity;
      expect([quantityOn('2024-04-30'), quantityOn('2024-05-01')]).to.deep.equal([
        shares('10'),
        shares('40'),
      ]);
    });

    it('are replaced by a split override of the portfolio', () => {
      const override = event('split_override', '2024-02-01', { quantity: shares('1'), price: shares('3') });
      const { lots } = derive([buy('2024-01-02', '10', 1_000n), override], { splits: [split] });
      expect(lots.at(0)).to.include({ quantity: 333_333_333n, basisMinor: 1_000n });
    });

    it('never reduce a lot below 10^-8 shares', () => {
      const { lots } = derive([buy('2024-01-02', '0.00000001', 1_000n)], {
        splits: [{ ...split, ratio: '0.01' }],
      });
      expect(lots.at(0)).to.include({ quantity: 1n, basisMinor: 1_000n });
    });

    it('adjust the quantity of a loss that is not yet matched with a replacement', () => {
      const { lots } = derive(
        [buy('2024-01-02', '10', 1_000n), sell('2024-01-25', '10', 600n), buy('2024-02-10', '20', 1_200n)],
        { splits: [split] },
      );
      expect(lots.at(0)).to.include({ quantity: shares('20'), washAddedMinor: 200n, basisMinor: 1_400n });
    });
  });

  describe('wash sales', () => {
    it('are matched with purchases by portfolios of the same wash group only', () => {
      const events = [
        buy('2024-01-02', '10', 1_000n),
        sell('2024-03-01', '10', 600n),
        buy('2024-03-10', '10', 700n, { portfolio: 'other' }),
      ];
      const disallowed = (washGroup: string) =>
        [
          ...derive(events, { portfolios: [portfolio(), portfolio({ portfolio: 'other', washGroup })] })
            .disposals,
        ][0]?.disallowedMinor;
      expect([disallowed('owner'), disallowed('stranger')]).to.deep.equal([400n, 0n]);
    });

    it('make the loss permanent if a tax-exempt portfolio bought the replacement', () => {
      const found = derive(
        [
          buy('2024-01-02', '10', 1_000n),
          sell('2024-03-01', '10', 600n),
          buy('2024-03-10', '4', 300n, { portfolio: 'ira' }),
        ],
        { portfolios: [portfolio(), portfolio({ portfolio: 'ira', accountKind: 'tax_exempt' })] },
      );
      expect(found.disposals.at(0)).to.include({ disallowedMinor: 160n, lostMinor: 160n });
      expect(found.lots.at(0)).to.include({ basisMinor: 300n, washAddedMinor: 0n });
    });

    it('are not matched with shares that were sold before the loss', () => {
      const { disposals } = derive([
        buy('2024-01-02', '10', 1_000n, { lot: 'A' }),
        buy('2024-02-20', '10', 900n, { lot: 'B' }),
        sell('2024-02-25', '10', 950n, { lot: 'B' }),
        sell('2024-03-01', '10', 600n, { lot: 'A' }),
      ]);
      expect(disposals.map(({ disallowedMinor }) => disallowedMinor)).to.deep.equal([0n, 0n]);
    });

    it('are matched with purchases in the same currency only', () => {
      const events = [
        buy('2024-01-10', '10', 1_000n),
        sell('2024-02-01', '10', 600n),
        buy('2024-02-10', '10', 700n, { portfolio: 'other', currency: 'EUR' }),
      ];
      const portfolios = [portfolio(), portfolio({ portfolio: 'other', baseCurrency: 'EUR' })];
      const disallowed = (acrossCurrencies: boolean) =>
        [...derive(events, { portfolios, wash: { acrossCurrencies } }).disposals][0]?.disallowedMinor;
      expect([disallowed(false), disallowed(true)]).to.deep.equal([0n, 400n]);
    });

    it('add the holding period of an earlier wash sale to the holding period of the new replacement', () => {
      const { lots } = derive([
        buy('2024-01-01', '10', 1_000n, { lot: 'A' }),
        sell('2024-02-01', '10', 900n),
        buy('2024-02-10', '10', 900n, { lot: 'B' }),
        sell('2024-03-01', '10', 800n),
        buy('2024-03-10', '10', 800n, { lot: 'C' }),
      ]);
      // The holding period of C includes 31 days of A and 20 days of B.
      expect(lots.at(0)).to.include({ lot: 'C', basisMinor: 1_000n, holdingSince: '2024-01-19' });
    });

    it('are not matched with purchases before the purchase of the sold lot if earlierPurchasesReplace is false', () => {
      const events = [
        buy('2024-02-20', '10', 1_000n, { lot: 'A' }),
        buy('2024-02-25', '10', 1_000n, { lot: 'B' }),
        sell('2024-03-01', '10', 600n, { lot: 'B' }),
      ];
      const disallowed = (earlierPurchasesReplace: boolean) =>
        [...derive(events, { wash: { earlierPurchasesReplace } }).disposals][0]?.disallowedMinor;
      expect([disallowed(true), disallowed(false)]).to.deep.equal([400n, 0n]);
    });
  });

  it('returns empty lists if there are no events', () => {
    const { lots, disposals, departures, faults } = derive([]);
    expect([lots.length, disposals.length, departures.length, faults.length]).to.deep.equal([0, 0, 0, 0]);
  });

  it('throws for a tax regime without lots', () => {
    expect(() => derive([], { regime: averageCost })).to.throw(RangeError, 'no lots');
  });

  it('accounts for the whole cost of all purchases, and never disallows more than the loss', () => {
    fc.assert(
      fc.property(ledgers, fc.boolean(), (events, sameLotIsReplacement) => {
        const wash = { sameLotIsReplacement };
        const found = derive(events, { portfolios: group, identical: [['X', 'Y']], wash });
        expect(found.faults).to.deep.equal([]);
        const cost = events
          .filter(({ type }) => type === 'buy')
          .reduce((sum, each) => sum + each.amountMinor! + each.feesMinor, 0n);
        const open = [...found.lots].reduce((sum, { basisMinor }) => sum + basisMinor, 0n);
        let used = 0n;
        for (const each of found.disposals) {
          expect(each.disallowedMinor <= (each.gainMinor < 0n ? -each.gainMinor : 0n)).to.equal(true);
          if (!sameLotIsReplacement)
            for (const match of each.matches)
              expect([match.portfolio, match.lot]).to.not.deep.equal([each.portfolio, each.lot]);
          used += each.proceedsMinor - recognisedMinor(each) + each.lostMinor;
        }
        expect(open + used).to.equal(cost);
        expect([...found.lots].every(({ quantity }) => quantity > 0n)).to.equal(true);
      }),
    );
  });

  it('returns the same result for events in any order and with repeated rows', () => {
    fc.assert(
      fc.property(ledgers, fc.infiniteStream(fc.nat()), (events, keys) => {
        const shuffled = [...events, ...events.slice(0, 5)]
          .map((each) => ({ each, key: keys.next().value! }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(plain(derive(shuffled, { portfolios: group }))).to.deep.equal(
          plain(derive(events, { portfolios: group })),
        );
      }),
    );
  });

  it('returns the same result for a portfolio if another portfolio has a fault', () => {
    // With a fault, all events are replayed in the order of time instead of by symbol.
    const faulty = sell('2023-01-02', '1', 1n, { portfolio: 'other' });
    const portfolios = [...group, portfolio({ portfolio: 'other' })];
    const splits = [
      { symbol: 'X', exOn: '2023-03-01', ratio: '2', knownAt: '2023-03-01T00:00:00.000Z', withdrawn: false },
    ];
    const identical = [fc.constant([]), fc.constant([['X', 'Y']])];
    fc.assert(
      fc.property(ledgers, fc.oneof(...identical), (events, sets) => {
        const rest = { portfolios, splits, identical: sets };
        const { faults, ...found } = plain(derive([...events, faulty], rest));
        expect(faults.map(({ portfolio: owner }) => owner)).to.include('other');
        fc.pre(faults.length === 1);
        expect({ ...found, faults: [] }).to.deep.equal(plain(derive(events, rest)));
      }),
    );
  });

  it('returns the same result for a past day if later events are added', () => {
    fc.assert(
      fc.property(ledgers, (events) => {
        const asOf = events[Math.floor(events.length / 2)]?.tradedOn ?? LATE;
        const then = events.filter(({ tradedOn }) => tradedOn <= asOf);
        expect(plain(derive(events, { portfolios: group, asOf }))).to.deep.equal(
          plain(derive(then, { portfolios: group, asOf })),
        );
      }),
    );
  });
});

/** Returns the members of the result as plain objects, so that a test can compare them. */
function plain({ lots, disposals, departures, faults }: Lots) {
  return {
    lots: [...lots],
    departures,
    faults,
    disposals: disposals.map((each) => {
      const {
        portfolio: owner,
        reference,
        lot,
        slice,
        acquiredOn,
        holdingSince,
        soldOn,
        term,
        quantity,
      } = each;
      const { proceedsMinor, basisMinor, gainMinor, disallowedMinor, lostMinor, knownAt } = each;
      return {
        owner,
        reference,
        lot,
        slice,
        acquiredOn,
        holdingSince,
        soldOn,
        term,
        quantity,
        proceedsMinor,
        basisMinor,
        gainMinor,
        disallowedMinor,
        lostMinor,
        knownAt,
        matches: each.matches.map((match) => ({ ...match })),
      };
    }),
  };
}
