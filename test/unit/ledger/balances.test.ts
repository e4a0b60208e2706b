import { expect } from 'chai';
import fc from 'fast-check';
import { balancesOf, type Movement } from '#lib/ledger/balances.ts';

const currencyOf = { a: 'EUR', b: 'EUR', c: 'USD', d: 'JPY' } as const;

const movement: fc.Arbitrary<Movement> = fc
  .record({
    accountUid: fc.constantFrom(...(Object.keys(currencyOf) as (keyof typeof currencyOf)[])),
    direction: fc.constantFrom('credit' as const, 'debit' as const),
    state: fc.constantFrom('posted' as const, 'pending' as const, 'void' as const),
    wasPosted: fc.boolean(),
    amountMinor: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
    lastUid: fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 3, maxLength: 3 }),
  })
  .map(({ wasPosted, ...rest }) => ({
    ...rest,
    currency: currencyOf[rest.accountUid],
    amountScale: 2,
    wasAnnounced: rest.state !== 'posted' || wasPosted,
    count: 1,
  }));

const history = fc.array(movement, { maxLength: 30 });

describe('the balances of accounts', () => {
  it('of one currency sum to the total of that currency, for any history', () => {
    fc.assert(
      fc.property(history, (movements) => {
        const { balances, by_currency } = balancesOf('2026-01-31', movements);
        for (const { currency, ledger_minor } of by_currency) {
          const own = balances.filter((balance) => balance.currency === currency);
          expect(own.reduce((sum, balance) => sum + balance.ledger_minor, 0)).to.equal(ledger_minor);
        }
        expect(new Set(balances.map(({ currency }) => currency)).size).to.equal(by_currency.length);
      }),
    );
  });

  it('are the same for any order of movements, and for movements that were summed in groups', () => {
    fc.assert(
      fc.property(history, fc.integer(), (movements, seed) => {
        const expected = balancesOf('2026-01-31', movements);
        const shuffled = movements.toSorted((one, other) =>
          (one.amountMinor ^ other.amountMinor ^ BigInt(seed)) & 1n ? 1 : -1,
        );
        expect(balancesOf('2026-01-31', shuffled)).to.deep.equal(expected);
        expect(balancesOf('2026-01-31', grouped(movements))).to.deep.equal(expected);
      }),
    );
  });

  it('include an available balance, reduced by pending debits, only if the source announces movements', () => {
    const one = (more: Partial<Movement>): Movement => ({
      accountUid: 'a',
      currency: 'EUR',
      amountScale: 2,
      direction: 'credit',
      state: 'posted',
      wasAnnounced: false,
      amountMinor: 500n,
      count: 1,
      lastUid: 'U1',
      ...more,
    });
    const of = (...movements: Movement[]) => {
      const { ledger_minor, available_minor } = balancesOf('2026-01-31', movements).balances[0]!;
      return [ledger_minor, available_minor];
    };
    const pending = { state: 'pending', wasAnnounced: true } as const;
    expect(of(one({}))).to.deep.equal([500, null]);
    expect(of(one({ wasAnnounced: true }))).to.deep.equal([500, 500]);
    expect(of(one({}), one({ ...pending, direction: 'debit', amountMinor: 200n }))).to.deep.equal([500, 300]);
    expect(of(one({}), one(pending))).to.deep.equal([500, 500]);
    expect(of(one({}), one({ state: 'void', wasAnnounced: true, direction: 'debit' }))).to.deep.equal([
      500, 500,
    ]);
    expect(of(one({ direction: 'debit' }))).to.deep.equal([-500, null]);
  });

  it('cannot be computed if a sum exceeds the range of JSON integers', () => {
    const max: Movement = {
      accountUid: 'a',
      currency: 'EUR',
      amountScale: 2,
      direction: 'credit',
      state: 'posted',
      wasAnnounced: false,
      amountMinor: 9_007_199_254_740_991n,
      count: 1,
      lastUid: 'U1',
    };
    expect(balancesOf('2026-01-31', [max]).by_currency[0]!.ledger_minor).to.equal(Number.MAX_SAFE_INTEGER);
    expect(() => balancesOf('2026-01-31', [max, { ...max, amountMinor: 1n }])).to.throw(RangeError);
  });
});

/** Sums movements by account, direction and state, as the query of the database does. */
function grouped(movements: readonly Movement[]): Movement[] {
  const groups = Object.groupBy(movements, ({ accountUid, direction, state, wasAnnounced }) =>
    [accountUid, direction, state, wasAnnounced].join(' '),
  );
  return Object.values(groups).map((alike) =>
    alike!.reduce((sum, each) => ({
      ...sum,
      amountMinor: sum.amountMinor + each.amountMinor,
      count: sum.count + each.count,
      lastUid: each.lastUid > sum.lastUid ? each.lastUid : sum.lastUid,
    })),
  );
}
