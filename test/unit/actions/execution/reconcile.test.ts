import { expect } from 'chai';
import fc from 'fast-check';
import { reconcile } from '#lib/actions/execution/reconciliation/reconcile.ts';
import { isBlocking } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import type { ObservationFacts } from '#lib/actions/execution/reconciliation/settlement-facts.ts';
import { arriving, confirmed, DAY, factsOf, lineOf, observed, orderOf, outcomeOf } from './facts.ts';
import { repetitions } from '../../../support/repetitions.ts';

const one = orderOf('one');
const two = orderOf('two', { instrument: { isin: 'DE0007164600' }, currency: 'EUR', side: 'sell' });
const orders = [one, two];
const AMOUNTS = new Map([
  [one, 28_499_850n],
  [two, 10_001n],
]);
const confirmations = orders.map((order) => confirmed(order, AMOUNTS.get(order)!));
const whole = observed('whole', [
  lineOf(one, AMOUNTS.get(one)!),
  lineOf(two, AMOUNTS.get(two)!, { reference: '2' }),
]);
const ready = factsOf({ orders, confirmations });
const codes = (observations: ObservationFacts[], more = {}) =>
  reconcile({ ...ready, ...more, observations }).live.map(({ kind }) => kind);

/**
 * Generates an observation about one order. Quantity, amount, side, currency, date and status may be right or
 * wrong.
 */
const anyObservation = fc
  .record({
    number: fc.integer({ min: 0, max: 6 }),
    order: fc.constantFrom(...orders),
    share: fc.constantFrom(1n, 2n, 3n),
    parts: fc.constantFrom(1n, 2n, 3n),
    off: fc.constantFrom(0n, 0n, 0n, 1n, -1n, 500n),
    status: fc.constantFrom('settled', 'settled', 'partially_settled', 'pending', 'failed', 'cancelled'),
    hour: fc.integer({ min: 10, max: 20 }),
    wrong: fc.constantFrom('', '', '', '', 'side', 'currency', 'hash', 'date'),
    isEarly: fc.constantFrom(false, false, false, true),
  })
  .map(({ number, order, share, parts, off, status, hour, wrong, isEarly }) => {
    const quantity = (order.quantity * share) / parts;
    const amount = (AMOUNTS.get(order)! * share) / parts + off;
    const reference = `o${number}-${order.uid}-${share}/${parts}-${off}-${status}-${hour}-${wrong}-${isEarly}`;
    const line = lineOf(order, amount < 0n ? 0n : amount, {
      quantity,
      ...(wrong === 'side' ? { side: order.side === 'buy' ? 'sell' : 'buy' } : {}),
      ...(wrong === 'currency' ? { currency: 'CHF' } : {}),
      ...(wrong === 'hash' ? { orderHash: `sha256:${'0'.repeat(64)}` } : {}),
    });
    return observed(reference, [line], {
      status: status as ObservationFacts['status'],
      observedAt: `${DAY}T${hour}:00:00.000Z`,
      settlementDate: wrong === 'date' ? '2026-11-23' : DAY,
      isEarly,
      // The content hash is the reference without the number. Observations that differ only in the number are
      // therefore duplicates.
      contentHash: reference.slice(3),
      sourceReference: `${order.uid}-${share}/${parts}-${off}-${wrong}`,
      sourceHash: 'one hash of all',
    });
  });

const mostly = fc.constantFrom(true, true, true, true, false);

const anySet = fc.uniqueArray(anyObservation, { maxLength: 7, selector: ({ reference }) => reference });

describe('the reconciliation of an order batch', () => {
  it('is closed if every order is confirmed and settled for the confirmed amount', () => {
    const { state, blockers, totals, custody } = reconcile({ ...ready, observations: [whole] });
    expect([state, blockers, custody]).to.deep.equal(['closed', [], 'settled']);
    expect(totals.map(({ currency, remaining }) => [currency, remaining])).to.deep.equal([
      ['EUR', 0n],
      ['USD', 0n],
    ]);
  });

  it('I-100 is closed only after controls, release, confirmation and custody within tolerance, without an open exception', () => {
    let closed = 0;
    fc.assert(
      fc.property(anySet, mostly, mostly, mostly, (set, withAll, isReleased, controlsPassed) => {
        const facts = { ...ready, confirmations: withAll ? confirmations : [confirmations[0]!] };
        const observations = [...set.slice(0, set.length % 3), ...(set.length % 2 ? [whole] : [])];
        const result = reconcile({ ...facts, isReleased, controlsPassed, observations });
        if (result.state !== 'closed') return;
        closed += 1;
        expect([isReleased, controlsPassed, withAll]).to.deep.equal([true, true, true]);
        for (const { quantity, order, amount } of result.orders) {
          expect(quantity).to.equal(order.quantity);
          expect(amount!.difference).to.equal(0n);
        }
        expect(result.live.filter(({ severity }) => isBlocking(severity))).to.deep.equal([]);
      }),
      { numRuns: repetitions.reconciliations },
    );
    expect(closed).to.be.greaterThan(repetitions.reconciliations / 100);
  });

  it('I-101 stays open if it has only confirmations, and reports custody as the only missing evidence', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(2n, 3n, 5n), { minLength: 1, maxLength: 5 }), (cuts) => {
        const parts = cuts.map((cut) =>
          confirmed(one, 10n, { quantity: one.quantity / (cut * BigInt(cuts.length)) }),
        );
        const result = reconcile({ ...ready, orders: [one], confirmations: parts });
        expect(result.state).to.be.oneOf(['executing', 'confirmed']);
        expect(result.blockers).to.include('custody_observation_missing');
      }),
    );
    const { state, blockers } = reconcile(ready);
    expect([state, blockers]).to.deep.equal(['confirmed', ['custody_observation_missing']]);
    const later = reconcile({ ...ready, today: '2027-06-30' });
    expect(later.blockers).to.deep.equal(['custody_observation_missing']);
    expect(later.live.map(({ kind }) => kind)).to.deep.equal(['missing_observation', 'missing_observation']);
  });

  it('reports a missing observation after the settlement day of an order that is pending or partially settled', () => {
    const facts = { ...ready, orders: [one], confirmations: [confirmations[0]!], today: '2026-11-23' };
    const tenth = { quantity: one.quantity / 10n };
    const words = [
      observed('waits', [lineOf(one, 0n)], { status: 'pending' }),
      observed('tenth', [lineOf(one, 2_849_985n, tenth)], { status: 'partially_settled' }),
    ];
    for (const [today, kinds] of [
      [DAY, []],
      ['2026-11-23', ['missing_observation']],
    ] as const) {
      for (const word of words) {
        const { live, blockers } = reconcile({ ...facts, today, observations: [word] });
        expect(
          live.map(({ kind }) => kind),
          word.reference,
        ).to.deep.equal(kinds);
        expect(blockers).to.not.deep.equal([]);
      }
    }
    expect(reconcile({ ...facts, observations: [observed('all', [whole.lines[0]!])] }).state).to.equal(
      'closed',
    );
  });

  it('I-103 has an open exception quantity_over exactly when more than the ordered quantity is settled', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        const { orders: judged, live } = reconcile({ ...ready, observations: set });
        for (const { order, quantity } of judged) {
          const isOpen = live.some(
            ({ kind, orderUid }) => kind === 'quantity_over' && orderUid === order.uid,
          );
          expect(isOpen).to.equal(quantity > order.quantity);
        }
      }),
      { numRuns: repetitions.reconciliations },
    );
  });

  it('I-104 reaches the same state and totals from several partial observations as from one observation of their sum', () => {
    const cut = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 4 });
    const share = fc.constantFrom(1n, 2n, 3n);
    fc.assert(
      fc.property(cut, fc.bigInt(-5n, 5n), share, (weights, off, third) => {
        const [quantity, amount] = [(one.quantity * third) / 3n, (AMOUNTS.get(one)! * third) / 3n + off];
        const total = BigInt(weights.reduce((sum, each) => sum + each + 1, 0));
        let [restQuantity, restAmount] = [quantity, amount];
        const parts = weights.map((weight, at) => {
          const isLast = at === weights.length - 1;
          const part = isLast ? restQuantity : (quantity * BigInt(weight + 1)) / total;
          const paid = isLast ? restAmount : (amount * BigInt(weight + 1)) / total;
          restQuantity -= part;
          restAmount -= paid;
          return observed(`part ${at}`, [lineOf(one, paid, { quantity: part })]);
        });
        const asWhole = observed('all', [lineOf(one, amount, { quantity })]);
        const facts = { ...ready, orders: [one], confirmations: [confirmations[0]!] };
        expect(outcomeOf(arriving(facts, parts))).to.deep.equal(outcomeOf(arriving(facts, [asWhole])));
      }),
      { numRuns: repetitions.reconciliations },
    );
  });

  it('I-105 does not depend on the order in which observations arrive', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(
        anySet.chain((set) => {
          const all = [...set.slice(0, 4), whole];
          return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
        }),
        ([some, others]) => {
          const result = outcomeOf(arriving(ready, some));
          reached.add(result.state);
          expect(outcomeOf(arriving(ready, others))).to.deep.equal(result);
        },
      ),
      { numRuns: repetitions.reconciliations },
    );
    expect([...reached]).to.include.members(['closed', 'exception']);
  });

  it('I-109 changes from closed to exception on a contradictory observation, but not on an agreeing observation', () => {
    const failed = observed('failed', [lineOf(one, 0n)], {
      status: 'failed',
      observedAt: `${DAY}T18:00:00.000Z`,
    });
    const result = arriving(ready, [whole, failed]);
    expect(result.state).to.equal('exception');
    expect(result.live.map(({ kind }) => kind)).to.deep.equal([
      'settlement_failed',
      'post_close_contradiction',
    ]);
    const agreeing = observed('agreeing', [lineOf(one, 0n)], { status: 'pending' });
    expect(arriving(ready, [whole, agreeing]).state).to.equal('closed');
  });

  it('stays in exception after the cancellation of a settled movement until the exception is waived', () => {
    const facts = { ...ready, orders: [one], confirmations: [confirmed(one, 10_000n)] };
    const half = lineOf(one, 5_000n, { quantity: one.quantity / 2n });
    const at = (hour: number) => ({ observedAt: `${DAY}T${hour}:00:00.000Z` });
    const first = observed('first', [half], { ...at(10), status: 'partially_settled' });
    const second = observed('second', [half], at(14));
    for (const hour of [10, 12, 14, 16]) {
      const cancelled = observed('cancelled', [half], { ...at(hour), status: 'cancelled' });
      const observations = [first, cancelled, second];
      const { state, live } = reconcile({ ...facts, observations });
      expect([state, live.map(({ kind }) => kind)]).to.deep.equal(['exception', ['settlement_failed']]);
      const decided = live.map(({ key, fingerprint }) => ({ key, fingerprint, state: 'waived' as const }));
      expect(reconcile({ ...facts, observations, decided }).state).to.equal('closed');
    }
    const before = observed('cancelled', [half], { observedAt: `${DAY}T09:00:00.000Z`, status: 'cancelled' });
    expect(reconcile({ ...facts, observations: [first, before, second] }).state).to.equal('closed');
  });

  it('adds partial settlements and reports the remaining amount', () => {
    const third = { quantity: one.quantity / 3n };
    const facts = { ...ready, orders: [one], confirmations: [confirmed(one, 10_000n)] };
    const parts = [3_333n, 3_333n, 3_334n].map((amount, at) =>
      observed(`third ${at}`, [lineOf(one, amount, third)], { status: 'partially_settled' }),
    );
    const after = (count: number) => reconcile({ ...facts, observations: parts.slice(0, count) });
    expect([1, 2, 3].map((count) => after(count).state)).to.deep.equal([
      'partially_settled',
      'partially_settled',
      'closed',
    ]);
    expect(after(2).totals).to.deep.equal([
      { currency: 'USD', expected: 10_000n, settled: 6_666n, remaining: 3_334n, acceptedDifference: 0n },
    ]);
    expect(after(2).live).to.deep.equal([]);
    expect([1, 2, 3].map((count) => after(count).orders[0]!.state)).to.deep.equal([
      'partially_settled',
      'partially_settled',
      'settled',
    ]);
  });

  it('accepts a partial amount rounded down or up to minor units, and no other amount', () => {
    const facts = { ...ready, orders: [one], confirmations: [confirmed(one, 10_000n)] };
    const part = { quantity: (one.quantity * 2n) / 3n };
    const kinds = [6_665n, 6_666n, 6_667n, 6_668n].map((amount) => {
      const observations = [observed('part', [lineOf(one, amount, part)], { status: 'partially_settled' })];
      return reconcile({ ...facts, observations }).live.map(({ kind }) => kind);
    });
    expect(kinds).to.deep.equal([['amount_difference'], [], [], ['amount_difference']]);
  });

  it('compares no amount for a quantity that is not confirmed', () => {
    const half = confirmed(one, 14_249_925n, { quantity: one.quantity / 2n });
    const facts = { ...ready, orders: [one], confirmations: [half] };
    const result = reconcile({ ...facts, observations: [observed('all', [lineOf(one, 28_499_850n)])] });
    expect([result.state, result.orders[0]!.state]).to.deep.equal(['settled', 'awaiting_confirmation']);
    expect([result.blockers, result.live]).to.deep.equal([['trade_confirmation_partial'], []]);
  });

  it('settles no order by an observation from before the release', () => {
    const early = reconcile({ ...ready, observations: [{ ...whole, isEarly: true }] });
    expect(early.orders.map(({ state, quantity }) => [state, quantity])).to.deep.equal([
      ['open', 0n],
      ['open', 0n],
    ]);
    expect(early.blockers).to.deep.equal(['custody_observation_missing', 'open_exceptions']);
  });

  it('reports an amount difference as outside the tolerance until a person decides about the difference', () => {
    const off = observed('off', [lineOf(one, 1n), lineOf(two, 10_001n, { reference: '2' })]);
    const { blockers } = reconcile({ ...ready, observations: [off] });
    expect(blockers).to.deep.equal(['settlement_outside_tolerance', 'open_exceptions']);
  });

  it('includes a tolerated difference in the totals as an accepted difference', () => {
    const tolerance = [
      { field: 'settlement_amount', currency: 'USD', rule: 'RANGE', bps: null, most: 200 } as const,
    ];
    const off = observed('off', [
      lineOf(one, AMOUNTS.get(one)! + 200n),
      lineOf(two, 10_001n, { reference: '2' }),
    ]);
    const { state, totals } = reconcile({ ...ready, tolerance, observations: [off] });
    expect(state).to.equal('closed');
    expect(totals[1]).to.include({ remaining: 0n, acceptedDifference: 200n });
    expect(reconcile({ ...ready, observations: [off] }).state).to.equal('exception');
  });

  it('accepts a waived difference only if the waiver has the fingerprint of this difference', () => {
    const off = observed('off', [
      lineOf(one, AMOUNTS.get(one)! - 3n),
      lineOf(two, 10_001n, { reference: '2' }),
    ]);
    const { live } = reconcile({ ...ready, observations: [off] });
    expect(live.map(({ kind }) => kind)).to.deep.equal(['amount_difference']);
    const { key, fingerprint } = live[0]!;
    const waive = (print: string) => [{ key, fingerprint: print, state: 'waived' as const }];
    const waived = reconcile({ ...ready, observations: [off], decided: waive(fingerprint) });
    expect([waived.state, waived.totals[1]!.acceptedDifference]).to.deep.equal(['closed', -3n]);
    expect(reconcile({ ...ready, observations: [off], decided: waive('other') }).state).to.equal('exception');
  });

  const over = (amount: bigint) => [
    observed('over', [
      lineOf(one, amount, { quantity: one.quantity + 1n }),
      lineOf(two, 10_001n, { reference: '2' }),
    ]),
  ];
  const waived = (found: readonly { key: string; fingerprint: string }[]) =>
    found.map(({ key, fingerprint }) => ({ key, fingerprint, state: 'waived' as const }));

  it('waives the quantity of an over-delivery separately from its amount difference', () => {
    const { live } = reconcile({ ...ready, observations: over(900_000_000n) });
    expect(live.map(({ kind, amountMinor }) => [kind, amountMinor])).to.deep.equal([
      ['quantity_over', null],
      ['amount_difference', 871_500_150n],
    ]);
    const quantityAlone = { ...ready, observations: over(900_000_000n), decided: waived([live[0]!]) };
    expect(reconcile(quantityAlone).blockers).to.include('settlement_outside_tolerance');
    const both = reconcile({ ...quantityAlone, decided: waived(live) });
    expect([both.state, both.totals[1]!.acceptedDifference]).to.deep.equal(['closed', 871_500_150n]);
  });

  it('raises a waived over-delivery again once the confirmation has arrived', () => {
    const facts = { ...ready, observations: over(AMOUNTS.get(one)!) };
    const { live } = reconcile({ ...facts, confirmations: [] });
    const decided = waived(live);
    expect(reconcile({ ...facts, confirmations: [], decided }).live).to.deep.equal([]);
    expect(reconcile({ ...facts, decided }).live.map(({ kind }) => kind)).to.deep.equal(['quantity_over']);
  });

  it('is settled but not closed while the confirmation is missing', () => {
    const { state, blockers } = reconcile({ ...ready, confirmations: [], observations: [whole] });
    expect([state, blockers]).to.deep.equal(['settled', ['trade_confirmation_missing']]);
  });

  const oddities: [string, ObservationFacts[], string[]][] = [
    [
      'a line with an unknown order hash',
      [observed('x', [lineOf(one, 1n, { orderHash: 'sha256:0' })])],
      ['unmatched_observation'],
    ],
    [
      'a line with the opposite side',
      [observed('x', [lineOf(one, 1n, { side: 'sell' })])],
      ['side_mismatch'],
    ],
    [
      'a line in another currency',
      [observed('x', [lineOf(one, 1n, { currency: 'EUR' })])],
      ['currency_mismatch'],
    ],
    [
      'a line with another security',
      [observed('x', [lineOf(one, 1n, { instrument: { isin: 'X' } })])],
      ['instrument_mismatch'],
    ],
    [
      'an observation for another account',
      [observed('x', [lineOf(one, 1n)], { account: 'ACC-1' })],
      ['account_mismatch'],
    ],
    [
      'a hundred-millionth too much',
      [observed('x', [lineOf(one, 28_499_850n, { quantity: one.quantity + 1n })])],
      ['quantity_over'],
    ],
    [
      'a day late',
      [observed('x', whole.lines, { settlementDate: '2026-11-23' })],
      ['date_late', 'date_late'],
    ],
    [
      'a day early',
      [observed('x', whole.lines, { settlementDate: '2026-11-19' })],
      ['date_early', 'date_early'],
    ],
    ['what came before the release', [observed('x', whole.lines, { isEarly: true })], ['early_observation']],
    [
      'less than all, as all',
      [observed('x', [lineOf(one, 14_249_925n, { quantity: one.quantity / 2n })])],
      ['quantity_short'],
    ],
    ['a failed settlement', [observed('x', [lineOf(one, 0n)], { status: 'failed' })], ['settlement_failed']],
    ['the same observation twice', [whole, { ...whole, reference: 'x' }], ['duplicate_observation']],
  ];
  for (const [about, observations, kinds] of oddities) {
    it(`raises ${kinds[0]} for ${about}`, () => {
      expect(codes(observations)).to.deep.equal(kinds);
    });
  }

  describe('counts a movement once', () => {
    const facts = { ...ready, orders: [one], confirmations: [confirmed(one, 10_000n)] };
    const half = { quantity: one.quantity / 2n };
    const from = { sourceReference: 'sese025:1', sourceHash: 'the same document' };
    const first = observed('b', [lineOf(one, 5_000n, half)], from);
    const codesOf = (...observations: ObservationFacts[]) => {
      const { state, live } = reconcile({ ...facts, observations });
      return [state, ...live.map(({ kind, severity }) => `${kind} ${severity}`)];
    };
    const repeated = ['partially_settled', 'quantity_short low', 'duplicate_observation low'];

    it('if the movement is sent again with another time, reference and line number', () => {
      for (const reference of ['a', 'c']) {
        const lines = [lineOf(one, 5_000n, { ...half, reference: '7' })];
        const later = { ...from, observedAt: `${DAY}T19:00:00.000Z`, contentHash: reference };
        expect(codesOf(first, observed(reference, lines, later)).toSorted()).to.deep.equal(
          repeated.toSorted(),
        );
      }
    });

    it('without affecting the other lines of the same document', () => {
      const lines = [lineOf(one, 5_000n, half), lineOf(one, 4_999n, { ...half, reference: '2' })];
      expect(codesOf(first, observed('c', lines, from))).to.deep.equal([
        'exception',
        'duplicate_observation low',
        'amount_difference medium',
      ]);
      const twice = [lineOf(one, 5_000n, half), lineOf(one, 5_000n, { ...half, reference: '2' })];
      expect(codesOf(first, observed('c', twice, from))).to.deep.equal([
        'closed',
        'duplicate_observation low',
      ]);
    });

    it('without resolving an earlier failure when the movement is sent again', () => {
      const whole = observed('b', [lineOf(one, 10_000n)], from);
      const at = (hour: number) => ({ observedAt: `${DAY}T${hour}:00:00.000Z` });
      const failed = observed('f', [lineOf(one, 0n)], { status: 'failed', ...at(18) });
      expect(codesOf(whole, failed, { ...whole, reference: 'a', ...at(19) })).to.include(
        'settlement_failed high',
      );
    });

    it('across all batches, with a conflict if another batch has already counted the movement', () => {
      const second = observed('c', [lineOf(one, 5_000n, half)], {
        sourceHash: 'another',
        countedElsewhere: ['1'],
      });
      expect(codesOf(first, second)).to.deep.equal([
        'exception',
        'source_conflict high',
        'quantity_short low',
      ]);
      const other = observed('d', [lineOf(one, 5_000n, half)], { sourceHash: 'a third' });
      expect(codesOf(first, other)).to.deep.equal(['closed']);
    });
  });

  it('reports a confirmation as disputed while rejected evidence about it awaits a decision', () => {
    const conflicts = [{ uid: 'obc_1', about: 'trade confirmation' as const }];
    const { state, confirmation, blockers } = reconcile({ ...ready, conflicts, observations: [whole] });
    expect([state, confirmation]).to.deep.equal(['exception', 'disputed']);
    expect(blockers).to.deep.equal(['trade_confirmation_disputed', 'open_exceptions']);
  });
});
