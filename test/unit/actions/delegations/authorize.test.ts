import { expect } from 'chai';
import fc from 'fast-check';
import {
  authorizeRefusal,
  decideUse,
  envelopeOf,
  type AuthorizeFacts,
  type Envelope,
  type UseFacts,
} from '#lib/actions/delegations/authorize.ts';
import { delegationStates } from '#lib/actions/delegations/states.ts';
import { plainTerms } from '../../../support/delegation/world.ts';

const ACTIVATED = new Date('2026-03-27T12:00:00.000Z');
const UNTIL = new Date(plainTerms.valid_until);
const registered = { state: 'registered', type: 'term_loan', counterparty_id: 7, currency: 'EUR' };
const none = { reserved: 0n, settled: 0n };
const facts: AuthorizeFacts = {
  state: 'activated',
  terms: plainTerms,
  activatedAt: ACTIVATED,
  now: new Date('2026-04-01T00:00:00Z'),
  isIdentityActive: true,
  isSupported: true,
  isCurrent: true,
  isFrozen: false,
  obligation: registered,
  use: { day: none, month: none },
};
const envelope: Envelope = {
  action: 'obligation.pay',
  counterparty_id: 7,
  connector: 'sepa_ct',
  currency: 'EUR',
  amount_minor: 300,
  execution_mode: 'supervised',
  obligation_uid: 'obl_1',
};
const said = (change: Partial<AuthorizeFacts>, wanted: Partial<Envelope> = {}) =>
  authorizeRefusal({ ...facts, ...change }, { ...envelope, ...wanted });
const at = (base: Date, ms: number) => ({ now: new Date(base.getTime() + ms) });

describe('the request of a machine identity', () => {
  it('has the value of the delegation terms for each member that the caller omits', () => {
    const { action, counterparty_id, connector, currency, execution_mode } = plainTerms;
    const requested = envelopeOf(plainTerms, { amount_minor: 5, connector: 'swift' });
    expect(requested).to.deep.equal({
      ...{ action, counterparty_id, currency, execution_mode },
      ...{ connector: 'swift', amount_minor: 5, obligation_uid: null },
    });
    expect(connector).to.not.equal('swift');
  });
});

describe('an authorization of a machine identity', () => {
  for (const state of delegationStates) {
    it(`I-071 I-076 is ${state === 'activated' ? 'granted' : 'refused'} under a delegation that is ${state}`, () => {
      expect(said({ state })).to.deep.equal(
        state === 'activated' ? undefined : { code: 'delegation_not_active', state },
      );
    });
  }

  it('I-071 is granted from the later of the beginning and the activation until 1 ms before the end', () => {
    const from = { terms: { ...plainTerms, valid_from: '2026-04-01T00:00:00Z' } };
    const begins = new Date('2026-04-01T00:00:00Z');
    const refused = (change: Partial<AuthorizeFacts>) => said(change)?.code;
    const late = 'delegation_not_in_time';
    expect([-1, 0, 1].map((ms) => refused(at(ACTIVATED, ms)))).to.deep.equal([late, undefined, undefined]);
    expect([-1, 0, 1].map((ms) => refused({ ...from, ...at(begins, ms) }))).to.deep.equal([
      late,
      undefined,
      undefined,
    ]);
    expect([-1, 0, 1].map((ms) => refused(at(UNTIL, ms)))).to.deep.equal([undefined, late, late]);
  });

  it('I-071 is refused if a time cannot be parsed or is missing', () => {
    const unreadable = '2026-12-31T23:59:60Z';
    const wrong: Partial<AuthorizeFacts>[] = [
      { terms: { ...plainTerms, valid_until: unreadable } },
      { terms: { ...plainTerms, valid_from: unreadable } },
      { activatedAt: null },
      { activatedAt: new Date(Number.NaN) },
      { now: new Date(Number.NaN) },
    ];
    for (const change of wrong.slice(0, 3))
      expect(said(change)).to.include({ code: 'delegation_not_in_time' });
    expect(said(wrong[4]!)).to.include({ code: 'delegation_not_in_time' });
  });

  for (const [path, other] of [
    ['action', 'collateral.transfer'],
    ['counterparty_id', 8],
    ['connector', 'SEPA_CT'],
    ['currency', 'USD'],
    ['execution_mode', 'autonomous'],
    ['execution_mode', 'dry_run'],
  ] as const) {
    it(`I-072 is refused with another ${path}: ${other}`, () => {
      const expected = plainTerms[path];
      expect(said({}, { [path]: other })).to.deep.equal({
        code: 'outside_delegation',
        failed: [{ path, expected, actual: other }],
      });
    });
  }

  it('I-072 is refused for any difference from the terms, even for values that only look equal', () => {
    const other = { currency: 'USD', counterparty_id: '7' as unknown as number };
    const refusal = said({}, other) as { failed: { path: string }[] };
    expect(refusal.failed.map(({ path }) => path)).to.deep.equal(['counterparty_id', 'currency']);
  });

  for (const amount of [
    0,
    -1,
    -0,
    0.5,
    1.5,
    Number.NaN,
    Infinity,
    2 ** 53,
    -(2 ** 53),
    '5',
    null,
    undefined,
    [5],
    5n,
  ]) {
    it(`I-072 is refused for an amount of ${typeof amount} ${String(amount)}`, () => {
      expect(said({}, { amount_minor: amount as number })).to.deep.equal({ code: 'amount_not_positive' });
    });
  }

  it('I-072 is granted for amounts from 1 to the bound per action', () => {
    expect([1, 299, 300].map((amount_minor) => said({}, { amount_minor }))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(said({}, { amount_minor: 301 })).to.include({ code: 'per_action_exceeded', bound_minor: 300 });
  });

  it('I-022 is refused for an obligation that is disputed, ended or unknown', () => {
    for (const state of ['disputed', 'superseded', 'withdrawn', '']) {
      const obligation = { ...registered, state };
      expect(said({ obligation })).to.deep.equal({ code: 'obligation_not_actionable', state });
    }
    const unknown = { code: 'obligation_not_actionable', state: 'unknown' };
    expect(said({ obligation: 'unknown' })).to.deep.equal(unknown);
  });

  it('I-022 I-072 is refused for an obligation of another counterparty or in another currency', () => {
    const obligation = { ...registered, counterparty_id: 8, currency: 'USD' };
    expect(said({ obligation })).to.deep.equal({
      code: 'outside_delegation',
      failed: [
        { path: 'obligation.counterparty_id', expected: 7, actual: 8 },
        { path: 'obligation.currency', expected: 'EUR', actual: 'USD' },
      ],
    });
  });

  it('I-022 requires an obligation exactly when the action concerns obligations', () => {
    const nothing = { obligation_uid: null };
    expect(said({ obligation: null }, nothing)).to.deep.equal({
      code: 'outside_delegation',
      failed: [{ path: 'obligation_uid', expected: 'an obligation', actual: null }],
    });
    const terms = { ...plainTerms, action: 'collateral.transfer' };
    expect(said({ terms, obligation: null }, { ...nothing, action: terms.action })).to.equal(undefined);
  });

  it('reports the first refusal in order if several apply', () => {
    const obstacles: [string, Partial<AuthorizeFacts>, Partial<Envelope>][] = [
      ['delegation_not_active', { state: 'suspended' }, {}],
      ['delegation_not_in_time', at(UNTIL, 0), {}],
      ['identity_not_active', { isIdentityActive: false }, {}],
      ['delegation_not_supported', { isSupported: false }, {}],
      ['terms_no_longer_valid', { isCurrent: false }, {}],
      ['financial_actions_frozen', { isFrozen: true }, {}],
      ['outside_delegation', {}, { currency: 'USD' }],
      ['obligation_not_actionable', { obligation: { ...registered, state: 'disputed' } }, {}],
      ['amount_not_positive', {}, { amount_minor: 0 }],
    ];
    obstacles.forEach(([code], index) => {
      const rest = obstacles.slice(index);
      const change = Object.assign({}, ...rest.map((each) => each[1]));
      const wanted = Object.assign({}, ...rest.map((each) => each[2]));
      expect(said(change, wanted)?.code).to.equal(code);
    });
  });

  const use = fc.record({
    reserved: fc.bigInt({ min: 0n, max: 600n }),
    settled: fc.bigInt({ min: 0n, max: 600n }),
  });
  const situations = fc.record({
    state: fc.constantFrom(...delegationStates, 'activated' as const, 'activated' as const),
    day: use,
    month: use,
    amount_minor: fc.integer({ min: -1, max: 400 }),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
  });

  it('I-164 is refused after a freeze, a suspension or a revocation, and stays refused after more usage', () => {
    fc.assert(
      fc.property(situations, fc.bigInt({ min: 0n, max: 50n }), (drawn, more) => {
        const { state, day, month, ...wanted } = drawn;
        const before = said({ state, use: { day, month } }, wanted);
        const used = { day: { ...day, reserved: day.reserved + more }, month };
        if (before) expect(said({ state, use: used }, wanted)).to.not.equal(undefined);
        const stops: Partial<AuthorizeFacts>[] = [
          { isFrozen: true },
          { isIdentityActive: false },
          { state: 'suspended' },
          { state: 'revoked' },
        ];
        for (const stop of stops)
          expect(said({ state, use: { day, month }, ...stop }, wanted)).to.not.equal(undefined);
      }),
    );
  });
});

describe('the answer to a use of a delegation', () => {
  const { use, ...rest } = facts;
  const answer = (effect: 'allow' | 'deny') => ({ uid: 'dec_1', effect, decision: {} as never });
  const held = { state: 'reserved' as const, leaseUntil: new Date('2026-04-02T00:00:00Z'), isSame: true };
  const decided = (change: Partial<UseFacts>, wanted: Partial<Envelope> = {}) => {
    const verdict = decideUse(
      { facts: rest, known: null, use, answer: answer('allow'), ...change },
      { ...envelope, ...wanted },
    );
    return verdict.ok ? verdict : verdict.code;
  };

  it('allows the use only if the delegation is usable, the amount is within the budgets, and the policies allow it', () => {
    expect(decided({})).to.deep.equal({ ok: true, isRepeated: false });
    expect(decided({ facts: { ...rest, isFrozen: true } })).to.equal('financial_actions_frozen');
    expect(decided({}, { amount_minor: 0 })).to.equal('amount_not_positive');
    expect(decided({ answer: answer('deny') })).to.equal('policy_denied');
  });

  it('is the earlier reservation if the same reference and action are sent while the reservation is open', () => {
    const before = (known: Partial<typeof held>) => decided({ known: { ...held, ...known } });
    expect(before({})).to.deep.equal({ ok: true, isRepeated: true });
    expect(before({ isSame: false })).to.equal('reference_reused');
    expect(before({ leaseUntil: rest.now })).to.equal('reservation_ended');
    expect(decided({ known: held, facts: { ...rest, isCurrent: false } })).to.equal('terms_no_longer_valid');
  });
});
