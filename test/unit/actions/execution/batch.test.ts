import { expect } from 'chai';
import fc from 'fast-check';
import type { AuthorityBody } from '#lib/actions/authority/authority-body.ts';
import { uncoveredBatch, useAt } from '#lib/actions/execution/batch/batch-authority.ts';
import { decideBatch, type BatchFacts } from '#lib/actions/execution/batch/batch-decision.ts';
import { readOrders } from '#lib/actions/execution/batch/batch-file.ts';
import {
  batchEvents,
  batchStates,
  batchTransitions,
  isAllowed,
  isReleased,
} from '#lib/actions/execution/batch/batch-states.ts';
import { weekendsOnly } from '#lib/actions/execution/batch/calendar.ts';
import {
  controlsNow,
  evaluateControls,
  NO_RULES,
  verdictOf,
  type ControlRules,
  type PricedOrder,
} from '#lib/actions/execution/batch/controls.ts';
import {
  batchRoot,
  envelopeHash,
  orderHash,
  type MaterialOrder,
} from '#lib/actions/execution/batch/order.ts';
import { mth } from '../../audit/naive-merkle.ts';

const order: PricedOrder = {
  instrument: { isin: 'US0378331005' },
  side: 'buy',
  quantity: '1500',
  order_type: 'limit',
  limit_price: '190.5',
  reference_price: null,
  currency: 'USD',
  account_reference: 'ACC-4821',
  time_in_force: 'day',
  settlement_date: '2026-11-24',
};
const changes: Partial<MaterialOrder>[] = [
  { instrument: { isin: 'DE0007164600' } },
  { instrument: { isin: 'US0378331005', symbol: 'AAPL' } },
  { side: 'sell' },
  { quantity: '1500.00000001' },
  { order_type: 'market' },
  { limit_price: null },
  { currency: 'EUR' },
  { account_reference: 'ACC-4822' },
  { time_in_force: 'gtc' },
  { settlement_date: '2026-11-25' },
];
const now = new Date('2026-11-20T10:00:00Z');
const later = new Date('2026-11-20T11:00:00Z');

describe('the orders of a batch', () => {
  it('I-110 have another order hash, batch root and envelope hash if any material member changes', () => {
    const hashes = [order, ...changes.map((change) => ({ ...order, ...change }))].map(orderHash);
    expect(new Set(hashes).size).to.equal(changes.length + 1);
    const roots = hashes.map((hash) => batchRoot([hash]));
    expect(new Set(roots).size).to.equal(hashes.length);
    const place = { workspace: 'w', environment: 'sandbox', portfolio: 'p', reference: 'r', count: 1 };
    expect(new Set(roots.map((root) => envelopeHash({ ...place, root }))).size).to.equal(hashes.length);
    expect(orderHash({ ...order, reference_price: '1' } as MaterialOrder)).to.equal(hashes[0]);
  });

  it('have the same RFC 6962 Merkle root for any sequence of the orders in the file', () => {
    const hex = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(fc.uniqueArray(hex, { minLength: 1, maxLength: 20 }), (all) => {
        const root = batchRoot(all.map((each) => `sha256:${each}`));
        expect(batchRoot(all.toReversed().map((each) => `sha256:${each}`))).to.equal(root);
        expect(root).to.equal(
          `sha256:${mth(all.toSorted().map((each) => Buffer.from(each, 'hex'))).toString('hex')}`,
        );
      }),
    );
  });

  it('are normalized when they are read, or rejected with a pointer to each fault', () => {
    const { reference_price: _, ...plain } = order;
    const read = readOrders([{ ...plain, quantity: '1500.00' }]);
    expect(read).to.deep.equal({ ok: true, orders: [{ ...order, order_hash: orderHash(order) }] });
    const faulty = readOrders([
      { ...plain, currency: 'DEM' },
      { ...plain, quantity: '0' },
      { ...plain, instrument: { isin: 'US0378331006' } },
      { ...plain, order_type: 'market' },
      plain,
      { ...plain, quantity: '1500.0' },
      { ...plain, settlement_date: '2201-01-01' },
    ]);
    expect(faulty.ok || faulty.faults.map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal([
      '/orders/0/currency invalid_currency',
      '/orders/1/quantity invalid_quantity',
      '/orders/2/instrument/isin invalid_isin',
      '/orders/3/limit_price invalid_limit_price',
      '/orders/6/settlement_date invalid_date',
      '/orders/5 order_repeated',
    ]);
  });
});

describe('pre-trade controls', () => {
  const rules: ControlRules = {
    version: 'default@1',
    maxOrders: 2,
    gross: [{ currency: 'USD', limit_minor: 28_575_000 }],
    perOrder: [{ currency: 'USD', limit_minor: 28_575_000 }],
    known: [{ isin: 'US0378331005' }],
    restricted: [],
    calendar: { ...weekendsOnly, holidays: ['2026-11-26'], from: '2026-01-01', to: '2026-12-31' },
  };
  const failing = (orders: PricedOrder[], more: Partial<ControlRules> = {}) =>
    evaluateControls(orders, { ...rules, ...more })
      .filter(({ status }) => status !== 'pass')
      .map(({ key, status }) => `${key} ${status}`);

  it('pass if the value equals the limit, and report limit, observed value, unit and version', () => {
    const controls = evaluateControls([order], rules);
    expect(verdictOf(controls)).to.equal('passed');
    expect(controls[1]).to.deep.equal({
      key: 'gross_notional.USD',
      status: 'pass',
      limit: '28575000',
      observed: '28575000',
      unit: 'minor:USD',
      version: 'default@1',
    });
  });

  const cases: [string, PricedOrder[], Partial<ControlRules>, string[]][] = [
    ['more orders than allowed', [order], { maxOrders: 0 }, ['order_count fail']],
    [
      'a gross notional above the limit',
      [order, { ...order, quantity: '0.00000001' }],
      {},
      ['gross_notional.USD fail'],
    ],
    [
      'an order notional above the limit',
      [order],
      { perOrder: [{ currency: 'USD', limit_minor: 28_574_999 }] },
      ['order_notional.USD fail'],
    ],
    [
      'settlement on a Saturday',
      [{ ...order, settlement_date: '2026-11-21' }],
      {},
      ['settlement_date_not_business fail'],
    ],
    [
      'settlement on a holiday',
      [{ ...order, settlement_date: '2026-11-26' }],
      {},
      ['settlement_date_not_business fail'],
    ],
    [
      'settlement on a day after the end of the calendar',
      [{ ...order, settlement_date: '2027-01-04' }],
      {},
      ['settlement_date_not_business not_evaluated'],
    ],
    ['an unknown instrument', [{ ...order, instrument: { isin: 'X' } }], {}, ['instrument_unknown fail']],
    [
      'a restricted instrument',
      [order],
      { restricted: [{ isin: 'US0378331005' }] },
      ['instrument_restricted fail'],
    ],
    [
      'a restricted instrument under another symbol',
      [{ ...order, instrument: { isin: 'US0378331005', symbol: 'AAPL.O' } }],
      { restricted: [{ isin: 'US0378331005', symbol: 'AAPL' }] },
      ['instrument_restricted fail'],
    ],
    [
      'a restricted instrument under a symbol that known instruments link to its ISIN',
      [{ ...order, instrument: { symbol: 'AAPL' } }],
      {
        known: [
          { isin: 'US0378331005', figi: 'BBG000B9XRY4' },
          { figi: 'BBG000B9XRY4', symbol: 'AAPL' },
        ],
        restricted: [{ isin: 'US0378331005' }],
      },
      ['instrument_restricted fail'],
    ],
    [
      'an instrument that has no identifier scheme in common with a restricted instrument',
      [{ ...order, instrument: { symbol: 'AAPL' } }],
      { known: [{ symbol: 'AAPL' }], restricted: [{ symbol: 'MSFT' }, { isin: 'US5949181045' }] },
      ['instrument_restricted not_evaluated'],
    ],
    [
      'a market order without a price',
      [{ ...order, limit_price: null }],
      {},
      ['gross_notional.USD not_evaluated', 'order_notional.USD not_evaluated'],
    ],
    [
      'a currency without a limit',
      [{ ...order, currency: 'EUR' }],
      {},
      ['gross_notional.EUR not_evaluated', 'order_notional.EUR not_evaluated'],
    ],
  ];
  for (const [about, orders, more, expected] of cases) {
    it(`fail on ${about}`, () => {
      expect(failing(orders, more)).to.deep.equal(expected);
      expect(verdictOf(evaluateControls(orders, { ...rules, ...more }))).to.equal('failed');
    });
  }

  it('pass an instrument that differs from every restricted instrument and is comparable with each', () => {
    const instrument = { isin: 'US0378331005' };
    const known = [{ ...instrument, symbol: 'AAPL' }];
    const restricted = [{ isin: 'US5949181045' }, { symbol: 'MSFT' }];
    expect(failing([{ ...order, instrument }], { known, restricted })).to.deep.equal([]);
  });

  it('I-111 are not evaluated and the verdict is failed if no rules exist', () => {
    const controls = evaluateControls([order], NO_RULES);
    expect(controls.every(({ status }) => status === 'not_evaluated')).to.equal(true);
    expect([verdictOf(controls), verdictOf([])]).to.deep.equal(['failed', 'failed']);
  });

  it('I-111 are valid only for the evaluated orders and until they expire', () => {
    const passed = { verdict: 'passed' as const, root: 'r', expiresAt: later };
    expect([
      controlsNow(null, 'r', now),
      controlsNow(passed, 'other', now),
      controlsNow({ ...passed, verdict: 'failed' }, 'r', now),
      controlsNow(passed, 'r', later),
      controlsNow(passed, 'r', now),
    ]).to.deep.equal(['not_evaluated', 'not_evaluated', 'failed', 'expired', 'passed']);
  });
});

describe('the states of a batch', () => {
  const facts: BatchFacts = {
    state: 'drafted',
    importedBy: 'a',
    controls: 'passed',
    measuredBy: 'default@1',
    rulesInForce: 'default@1',
    root: 'r',
    approvedRoot: 'r',
  };
  const requested = batchEvents.filter((event) => event !== 'progress');

  for (const event of requested) {
    for (const state of batchStates) {
      const listed = batchTransitions[event].find(([from]) => from === state);
      it(`${listed ? `change from ${state} to ${listed[1]} on ${event}` : `do not allow ${event} in the state ${state}`}`, () => {
        const verdict = decideBatch({ ...facts, state }, event, 'b');
        expect(verdict).to.deep.equal(
          listed ? { ok: true, next: listed[1] } : { ok: false, code: 'transition_not_allowed' },
        );
      });
    }
  }

  it('do not allow approval or release by the person who imported the batch', () => {
    for (const [event, state] of [
      ['approve', 'controls_passed'],
      ['release', 'approved'],
    ] as const) {
      expect(decideBatch({ ...facts, state }, event, 'a')).to.deep.equal({
        ok: false,
        code: 'second_person_required',
      });
    }
  });

  it('I-111 do not allow approval or release without passed controls', () => {
    for (const controls of ['failed', 'not_evaluated', 'expired'] as const) {
      for (const [event, state] of [
        ['approve', 'controls_passed'],
        ['release', 'approved'],
      ] as const) {
        const verdict = decideBatch({ ...facts, state, controls }, event, 'b');
        expect(verdict).to.deep.equal({ ok: false, code: 'controls_not_passed' });
      }
    }
  });

  it('I-111 do not allow release if the control rules have changed since the controls passed', () => {
    const changed = { ...facts, rulesInForce: 'default@2' };
    expect([
      decideBatch({ ...changed, state: 'approved' }, 'release', 'b'),
      decideBatch({ ...facts, state: 'approved', measuredBy: null }, 'release', 'b'),
      decideBatch({ ...changed, state: 'approved' }, 'pass', 'b'),
    ]).to.deep.equal([
      { ok: false, code: 'control_rules_changed' },
      { ok: false, code: 'control_rules_changed' },
      { ok: true, next: 'controls_passed' },
    ]);
  });

  it('I-110 do not allow release if the approval was for other orders', () => {
    const verdict = decideBatch({ ...facts, state: 'approved', approvedRoot: 'old' }, 'release', 'b');
    expect(verdict).to.deep.equal({ ok: false, code: 'approval_void' });
  });

  it('change by evidence only after the release, and from closed only to exception', () => {
    for (const from of batchStates) {
      for (const to of batchStates) {
        if (!isAllowed('progress', from, to)) continue;
        expect([isReleased(from), isReleased(to)], `${from} ${to}`).to.deep.equal([true, true]);
        if (from === 'closed') expect(to).to.equal('exception');
      }
    }
  });
});

describe('an authority over order batches', () => {
  const authority: AuthorityBody = {
    grantee: { kind: 'user', person_uid: 'per_1' },
    actions: ['investment.order.submit'],
    capabilities: ['approve'],
    connectors: [],
    counterparties: [],
    max_risk_tier: 'T1',
    limits: [{ currency: 'EUR', per_action_minor: 100, per_day_minor: null, per_month_minor: null }],
    valid_from: '2026-01-01T00:00:00Z',
    valid_until: '2027-01-01T00:00:00Z',
    granted_under: null,
  };
  const failing = (capability: 'approve' | 'release', gross: [string, bigint][], more = {}) =>
    uncoveredBatch(
      { ...authority, ...more },
      { capability, gross: gross.map(([currency, amountMinor]) => ({ currency, amountMinor })) },
    ).map(({ path }) => path);

  it('reports the action, capability or gross amounts that it does not cover', () => {
    expect(failing('approve', [['EUR', 100n]])).to.deep.equal([]);
    expect(failing('release', [['EUR', 100n]])).to.deep.equal(['capabilities']);
    expect(failing('approve', [['EUR', 100n]], { actions: ['obligation.pay'] })).to.deep.equal(['action']);
    expect(
      failing('approve', [
        ['EUR', 101n],
        ['USD', 1n],
      ]),
    ).to.deep.equal(['gross.EUR.per_action_minor', 'currency']);
  });

  const eur = (amountMinor: bigint) => [{ currency: 'EUR', amountMinor }];

  it('covers amounts that fit into its daily and monthly limits in addition to earlier uses', () => {
    const limits = [{ currency: 'EUR', per_action_minor: 100, per_day_minor: 150, per_month_minor: 200 }];
    const past = (day: bigint, month: bigint) => new Map([['EUR', { day, month }]]);
    const paths = (use: ReturnType<typeof past>) =>
      uncoveredBatch({ ...authority, limits }, { capability: 'approve', gross: eur(100n) }, use).map(
        ({ path, actual }) => [path, actual],
      );
    expect(paths(new Map())).to.deep.equal([]);
    expect(paths(past(50n, 100n))).to.deep.equal([]);
    expect(paths(past(51n, 100n))).to.deep.equal([['gross.EUR.per_day_minor', '151']]);
    expect(paths(past(50n, 101n))).to.deep.equal([['gross.EUR.per_month_minor', '201']]);
  });

  it('counts earlier uses by calendar day and month in its time zone', () => {
    const zone = 'Europe/Berlin'; // In November, midnight in Berlin is at 23:00 UTC.
    const past = [
      '2026-10-31T22:59:59Z',
      '2026-10-31T23:00:00Z',
      '2026-11-19T22:59:59Z',
      '2026-11-19T23:00:00Z',
    ];
    const decisions = past.map((at, index) => ({ at: new Date(at), gross: eur(BigInt(10 ** index)) }));
    const used = (at: string) => useAt(decisions, new Date(at), zone).get('EUR');
    expect(used('2026-11-20T12:00:00Z')).to.deep.equal({ day: 1000n, month: 1110n });
    expect(used('2026-11-19T12:00:00Z')).to.deep.equal({ day: 100n, month: 1110n });
    expect(used('2026-10-31T12:00:00Z')).to.deep.equal({ day: 1n, month: 1n });
    expect(used('2026-12-01T12:00:00Z')).to.equal(undefined);
  });
});
