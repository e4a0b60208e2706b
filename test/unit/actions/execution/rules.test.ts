import { expect } from 'chai';
import fc from 'fast-check';
import { addDays } from '#lib/core/date.ts';
import {
  businessDaysBetween,
  isBusinessDay,
  nextBusinessDay,
  weekendsOnly,
} from '#lib/actions/execution/batch/calendar.ts';
import { formatDecimal, notionalMinor, parseDecimal } from '#lib/core/decimal.ts';
import { ageOf } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import { isIndependent } from '#lib/actions/execution/evidence/independence.ts';
import { isIsin, isSameAccount, isSameInstrument } from '#lib/actions/execution/batch/instrument.ts';
import { eligibilityOf } from '#lib/actions/execution/batch/legacy.ts';
import { pairLine } from '#lib/actions/execution/reconciliation/pairing.ts';
import { isWithin, toleranceOf, type Tolerance } from '#lib/actions/execution/reconciliation/tolerance.ts';
import { toleranceFaults } from '#lib/actions/execution/reconciliation/tolerance-profile.ts';
import { lineOf, orderOf } from './facts.ts';

describe('decimal numbers of orders', () => {
  it('keep every digit when they are read and written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 23n - 1n), (scaled) => {
        expect(parseDecimal(formatDecimal(scaled))).to.equal(scaled);
      }),
    );
    expect(
      ['1500', '1500.00', '007', '0.00000001'].map((text) => formatDecimal(parseDecimal(text)!)),
    ).to.deep.equal(['1500', '1500', '7', '0.00000001']);
  });

  it('reject signs, exponents, blanks and more than eight decimals', () => {
    for (const text of ['', '-1', '+1', '1e3', '1.', '.5', ' 1', '1.000000001', '1'.repeat(16), '1,5', '٣']) {
      expect(parseDecimal(text), text).to.equal(undefined);
    }
  });

  it('give a notional that is rounded up to whole minor units', () => {
    expect(notionalMinor(parseDecimal('3')!, parseDecimal('33.333')!, 2)).to.equal(10_000n);
    expect(notionalMinor(parseDecimal('3')!, parseDecimal('33')!, 0)).to.equal(99n);
  });
});

describe('instruments and accounts', () => {
  it('are accepted with an ISIN only if its check digit is valid', () => {
    expect(
      ['US0378331005', 'DE0007164600', 'US0378331006', 'US037833100', 'us0378331005'].map(isIsin),
    ).to.deep.equal([true, true, false, false, false]);
  });

  it('are equal if at least one identifier is equal and no identifier that both of them have differs', () => {
    expect(isSameInstrument({ isin: 'A' }, { isin: 'A', symbol: 'B' })).to.equal(true);
    expect(isSameInstrument({ isin: 'A', symbol: 'C' }, { isin: 'A', symbol: 'B' })).to.equal(false);
    expect(isSameInstrument({ isin: 'A' }, { symbol: 'A' })).to.equal(false);
  });

  it('match a masked account if at least the last four characters are visible', () => {
    expect(
      ['ACC-4821', '...4821', '****4821', '...821', '...4822', '4821'].map((seen) =>
        isSameAccount('ACC-4821', seen),
      ),
    ).to.deep.equal([true, true, true, false, false, false]);
  });
});

describe('the settlement calendar', () => {
  const calendar = { ...weekendsOnly, key: 'x', holidays: ['2026-12-25', '2026-12-26', '2027-01-01'] };

  it('counts business days like a loop over all days', () => {
    const day = fc.integer({ min: 0, max: 800 }).map((count) => addDays('2026-01-01', count));
    fc.assert(
      fc.property(day, day, (from, to) => {
        let count = 0;
        for (let at = from; at < to;) {
          at = addDays(at, 1);
          if (isBusinessDay(calendar, at)) count += 1;
        }
        expect(businessDaysBetween(calendar, from, to)).to.equal(count);
      }),
    );
    expect(nextBusinessDay(calendar, '2026-12-24')).to.equal('2026-12-28');
  });

  it('I-114 measures the age of a settlement difference in business days, and a later day never gives a lower age', () => {
    fc.assert(
      fc.property(fc.nat({ max: 400 }), fc.nat({ max: 400 }), fc.nat({ max: 90 }), (start, length, more) => {
        const opened = addDays('2026-06-01', start);
        const first = ageOf(calendar, opened, addDays(opened, length));
        const later = ageOf(calendar, opened, addDays(opened, length + more));
        expect(later.days).to.be.at.least(first.days);
        expect(first.days).to.equal(businessDaysBetween(calendar, opened, addDays(opened, length)));
      }),
    );
    const buckets = ['2026-11-20', '2026-11-23', '2026-11-24', '2026-11-26', '2026-12-02', '2027-01-08'];
    expect(buckets.map((day) => ageOf(weekendsOnly, '2026-11-20', day).bucket)).to.deep.equal([
      '0-1',
      '0-1',
      '2-3',
      '4-7',
      '8-30',
      '30+',
    ]);
  });
});

describe('tolerances', () => {
  const amount = fc.bigInt(0n, 10n ** 12n);
  const rule = (given: Partial<Tolerance>): Tolerance => ({ rule: 'EXACT', bps: 0n, most: 0n, ...given });

  it('I-107 allow differences up to and including their range, to the minor unit', () => {
    fc.assert(
      fc.property(amount, fc.bigInt(1n, 10n ** 9n), (expected, most) => {
        expect([0n, 1n, -1n].map((off) => isWithin(rule({}), expected, off))).to.deep.equal([
          true,
          false,
          false,
        ]);
        const range = rule({ rule: 'RANGE', most });
        for (const sign of [1n, -1n]) {
          expect(isWithin(range, expected, sign * most)).to.equal(true);
          expect(isWithin(range, expected, sign * (most + 1n))).to.equal(false);
        }
      }),
    );
  });

  it('allow a percentage of the expected amount, with or without a maximum amount', () => {
    const part = rule({ rule: 'PCT', bps: 10n });
    expect([99n, 100n, 101n].map((off) => isWithin(part, 100_000n, off))).to.deep.equal([true, true, false]);
    const most = rule({ rule: 'PCT_MAX', bps: 10n, most: 50n });
    expect([50n, 51n].map((off) => isWithin(most, 100_000n, off))).to.deep.equal([true, false]);
    expect(isWithin(rule({ rule: 'IGNORE' }), 1n, 10n ** 15n)).to.equal(true);
  });

  const entry = { field: 'settlement_amount', currency: 'EUR', rule: 'RANGE', bps: null, most: 200 } as const;

  it('use the rule of the currency before the general rule, and allow no difference without a rule', () => {
    const entries = [{ ...entry, currency: null, most: 5 }, entry];
    const mostOf = (currency: string) => toleranceOf(entries, 'settlement_amount', currency).most;
    expect(['EUR', 'USD'].map(mostOf)).to.deep.equal([200n, 5n]);
    expect(toleranceOf(entries, 'settlement_date', 'EUR').rule).to.equal('EXACT');
  });

  it('are rejected if a rule lacks its bound, has a bound of another kind of rule, or would ignore amounts', () => {
    expect(toleranceFaults([entry])).to.deep.equal([]);
    expect(toleranceFaults([{ ...entry, most: null }])).to.have.lengthOf(1);
    expect(toleranceFaults([{ ...entry, bps: 5 }])).to.have.lengthOf(1);
    expect(toleranceFaults([{ ...entry, rule: 'IGNORE', most: null }])).to.have.lengthOf(1);
    expect(toleranceFaults([entry, entry]).map(({ code }) => code)).to.deep.equal(['repeated']);
    expect(toleranceFaults([{ ...entry, currency: 'XAU' }])[0]!.code).to.equal('invalid_currency');
  });
});

describe('the first level of matching, between settlement lines and orders', () => {
  const free = { orderHash: null };

  it('I-108 pairs a line only if exactly one order matches', () => {
    const account = fc.constantFrom('ACC-4821', 'ACC-4822', 'B-4821');
    const side = fc.constantFrom('buy', 'sell');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(account, side), { maxLength: 6 }),
        fc.constantFrom('ACC-4821', '...4821'),
        (all, seen) => {
          const orders = all.map(([at, way], index) =>
            orderOf(`o${index}`, { account: at, side: way as 'buy' }),
          );
          const fitting = orders.filter((each) => each.side === 'buy' && isSameAccount(each.account, seen));
          const { level1, order } = pairLine(lineOf(orderOf('any'), 1n, free), seen, orders);
          expect(level1).to.equal(['unpaired', 'paired'][fitting.length] ?? 'ambiguous');
          expect(order).to.equal(fitting.length === 1 ? fitting[0] : null);
        },
      ),
    );
  });

  it('uses only the order hash if the line has an order hash', () => {
    const orders = [orderOf('one'), orderOf('two')];
    expect(pairLine(lineOf(orders[1]!, 1n), null, orders)).to.deep.include({
      level1: 'paired',
      order: orders[1],
    });
    expect(pairLine(lineOf(orderOf('other'), 1n), 'ACC-4821', orders).level1).to.equal('unpaired');
  });

  it('does not pair a line that has no side, no instrument or no account', () => {
    const line = lineOf(orderOf('one'), 1n, free);
    for (const [part, account] of [
      [{ ...line, side: null }, 'ACC-4821'],
      [{ ...line, instrument: null }, 'ACC-4821'],
      [line, null],
    ] as const) {
      expect(pairLine(part, account, [orderOf('one')]).level1).to.equal('unpaired');
    }
  });
});

describe('the source of custody evidence', () => {
  it('I-102 is independent only if it is neither the executing broker nor the source of the confirmation, in any letter case', () => {
    const confirmation = { sourceSystem: 'broker_fix', executingBroker: 'Broker_One' };
    const custody = (sourceSystem: string, custodian: string) =>
      isIndependent({ sourceSystem, custodian }, confirmation);
    expect(custody('custody_feed', 'bny_main')).to.equal(true);
    expect([
      custody('broker_fix', 'bny_main'),
      custody('BROKER_ONE', 'bny_main'),
      custody('custody_feed', 'broker_one'),
      custody('custody_feed', 'Broker_Fix'),
    ]).to.deep.equal([false, false, false, false]);
  });
});

describe('an order batch of an earlier system', () => {
  it('can be linked only if it has 1 to 2,000 orders, has not ended and is not linked yet', () => {
    const legacy = { orderCount: 3, status: 'open', isLinked: false };
    const isEligible = (more: object) => eligibilityOf({ ...legacy, ...more }).every(({ ok }) => ok);
    expect(isEligible({})).to.equal(true);
    expect(
      [{ orderCount: 0 }, { orderCount: 2_001 }, { status: 'Closed' }, { isLinked: true }].map(isEligible),
    ).to.deep.equal([false, false, false, false]);
  });
});
