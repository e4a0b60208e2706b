import { expect } from 'chai';
import { widenedMembers } from '#lib/actions/authority/authority.ts';
import type { AuthorityBody } from '#lib/actions/authority/authority-body.ts';
import {
  excessFaults,
  uncoveredBounds,
  limitFaults,
  within,
  type Limit,
} from '#lib/actions/authority/limits.ts';
import { notAmplified } from '../../../support/delegation/properties-of-bounds.ts';
import { restingOnTheCeiling } from '../../../support/delegation/properties-of-chains.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { authorityFor } from '../../../support/delegation/world.ts';
import { repetitions } from '../../../support/repetitions.ts';

const above = authorityFor('ann');
const wider = (change: Partial<AuthorityBody>, over: Partial<AuthorityBody> = {}) =>
  widenedMembers({ ...above, ...change }, { ...above, ...over }).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
const limit = (action: number, day: number | null, month: number | null, currency = 'EUR'): Limit => ({
  currency,
  per_action_minor: action,
  per_day_minor: day,
  per_month_minor: month,
});

describe('an authority granted under another authority', () => {
  it('I-095 is refused exactly when it exceeds the granting authority', () => {
    notAmplified(rules, { numRuns: repetitions.grants });
  });

  it('I-095 is valid while each authority in its chain up to the ceiling covers the next authority', () => {
    restingOnTheCeiling(rules, { numRuns: repetitions.chains });
  });

  it('I-095 may equal the granting authority', () => {
    expect(wider({})).to.deep.equal([]);
  });

  const reaching: [string, Partial<AuthorityBody>][] = [
    ['actions', { actions: ['obligation.pay', 'collateral.transfer'] }],
    ['capabilities', { capabilities: ['release'] }],
    ['connectors', { connectors: ['swift'] }],
    ['connectors', { connectors: 'any_registered' }],
    ['counterparties', { counterparties: [7, 8] }],
    ['counterparties', { counterparties: 'any_registered' }],
    ['max_risk_tier', { max_risk_tier: 'T2' }],
    ['max_risk_tier', { max_risk_tier: 'T3' }],
    ['valid_from', { valid_from: '2025-12-31T23:59:59.999Z' }],
    ['valid_until', { valid_until: '2026-06-01T00:00:00.001Z' }],
  ];
  for (const [member, change] of reaching) {
    it(`I-095 must not exceed the granting authority in ${member}: ${JSON.stringify(Object.values(change)[0])}`, () => {
      expect(wider(change)).to.deep.equal([`/${member} authority_amplified`]);
    });
  }

  it('I-095 may name any subset of the connectors and counterparties of the granting authority', () => {
    const any = { connectors: 'any_registered', counterparties: 'any_registered' } as const;
    expect(wider({ connectors: ['x'], counterparties: [99] }, any)).to.deep.equal([]);
    expect(wider(any, any)).to.deep.equal([]);
    expect(wider({ connectors: [], counterparties: [] })).to.deep.equal([]);
  });

  it('I-095 is compared with the granting authority by instants, not by the text of the times', () => {
    expect(wider({ valid_until: '2026-06-01T02:00:00+02:00' })).to.deep.equal([]);
    expect(wider({ valid_until: '2026-05-31T23:59:59-01:00' })).to.have.lengthOf(1);
  });
});

describe('limits of an authority under the limits of the granting authority', () => {
  const fits: [string, Limit, Limit, string[]][] = [
    ['that are equal', limit(3, 5, 9), limit(3, 5, 9), []],
    ['that are 1 lower', limit(2, 4, 8), limit(3, 5, 9), []],
    ['with 1 more per action', limit(4, 5, 9), limit(3, 5, 9), ['per_action_minor']],
    ['with 1 more per day', limit(3, 6, 9), limit(3, 5, 9), ['per_day_minor']],
    ['with 1 more per month', limit(3, 5, 10), limit(3, 5, 9), ['per_month_minor']],
    ['without a daily bound, under a daily bound', limit(3, null, 9), limit(3, 5, 9), ['per_day_minor']],
    [
      'without a monthly bound, under a monthly bound',
      limit(3, 5, null),
      limit(3, 5, 9),
      ['per_month_minor'],
    ],
    ['without daily and monthly bounds, under none', limit(3, null, null), limit(3, null, null), []],
    ['with daily and monthly bounds, under none', limit(3, 5, 9), limit(3, null, null), []],
  ];
  for (const [title, each, over, bounds] of fits) {
    it(`I-095 ${title} ${bounds.length ? `exceed ${bounds.join()}` : 'are allowed'}`, () => {
      expect(uncoveredBounds(each, over)).to.deep.equal(bounds);
    });
  }

  it('I-095 are refused in a currency for which the granting authority has no limit', () => {
    expect(uncoveredBounds(limit(1, 1, 1), undefined)).to.deep.equal(['currency']);
    const over = [limit(3, 5, 9, 'USD'), limit(30, 50, 90)];
    const faults = excessFaults(
      [limit(30, 50, 90), limit(4, 5, 9, 'USD'), limit(1, 1, 1, 'GBP')],
      over,
      '/limits',
      'code',
      'it',
    );
    expect(faults).to.deep.equal([
      { pointer: '/limits/1/per_action_minor', code: 'code', message: 'must not exceed it' },
      { pointer: '/limits/2/currency', code: 'code', message: 'must not exceed it' },
    ]);
  });

  it('I-047 are reduced to the granted limits, or removed in a currency without a granted limit', () => {
    const over = [limit(3, null, 9), limit(4, 4, null, 'USD')];
    expect(
      within([limit(4, 5, null), limit(3, null, null, 'USD'), limit(1, 1, 1, 'GBP')], over),
    ).to.deep.equal([limit(3, 5, 9), limit(3, 4, null, 'USD')]);
    expect(within([limit(1, 1, 1)], [])).to.deep.equal([]);
  });

  it('are valid only if they do not decrease from action to day to month and each currency is known and occurs once', () => {
    const codes = (...limits: Limit[]) =>
      limitFaults(limits, '').map(({ pointer, code }) => `${pointer} ${code}`);
    expect(codes(limit(3, 5, 9), limit(3, 3, 3, 'USD'), limit(3, null, null, 'JPY'))).to.deep.equal([]);
    expect(codes(limit(6, 5, 9))).to.deep.equal(['/0 limit_order']);
    expect(codes(limit(3, 9, 5))).to.deep.equal(['/0 limit_order']);
    expect(codes(limit(6, null, 5))).to.deep.equal(['/0 limit_order']);
    expect(codes(limit(3, null, 5))).to.deep.equal([]);
    expect(codes(limit(1, 1, 1), limit(1, 1, 1))).to.deep.equal(['/1/currency currency_repeated']);
    for (const bad of ['DEM', 'XYZ', 'eur']) {
      expect(codes(limit(1, 1, 1, bad))).to.deep.equal(['/0/currency invalid_currency']);
    }
  });
});
