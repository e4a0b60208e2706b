import { expect } from 'chai';
import {
  decideProductionAccess,
  productionAccessEvents,
  productionAccessStates,
  REQUEST_DAYS,
} from '#lib/access/production-access.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000);

describe('the decision about production access', () => {
  const expected: Record<string, Record<string, string>> = {
    none: {
      request: 'requested',
      approve: 'production_access_not_requested',
      revoke: 'production_access_not_requested',
    },
    requested: { request: 'production_access_requested', approve: 'approved', revoke: 'revoked' },
    approved: {
      request: 'production_access_approved',
      approve: 'production_access_approved',
      revoke: 'revoked',
    },
    revoked: {
      request: 'requested',
      approve: 'production_access_not_requested',
      revoke: 'production_access_not_requested',
    },
  };
  for (const state of ['none', ...productionAccessStates] as const) {
    for (const event of productionAccessEvents) {
      it(`returns ${expected[state]![event]} for ${event} by another person in the state ${state}`, () => {
        const facts = {
          state,
          requestedBy: state === 'none' ? undefined : 'per_1',
          requestedAt: state === 'none' ? undefined : daysAgo(1),
        };
        const verdict = decideProductionAccess(facts, event, 'per_2', NOW);
        expect(verdict.ok ? verdict.next : verdict.code).to.equal(expected[state]![event]);
      });
    }
  }

  it('is never an approval by the person who requested the access', () => {
    const facts = { state: 'requested' as const, requestedBy: 'per_1', requestedAt: daysAgo(1) };
    const verdict = decideProductionAccess(facts, 'approve', 'per_1', NOW);
    expect(verdict).to.deep.equal({ ok: false, code: 'second_person_required' });
  });

  it('allows a new request after the earlier request has expired', () => {
    const at = (days: number, event: 'approve' | 'request') =>
      decideProductionAccess(
        { state: 'requested', requestedBy: 'per_1', requestedAt: daysAgo(days) },
        event,
        'per_2',
        NOW,
      );
    expect(at(REQUEST_DAYS, 'approve')).to.deep.equal({ ok: true, next: 'approved' });
    expect(at(REQUEST_DAYS + 0.001, 'approve')).to.include({ code: 'production_access_request_lapsed' });
    expect(at(REQUEST_DAYS + 0.001, 'request')).to.deep.equal({ ok: true, next: 'requested' });
  });
});
