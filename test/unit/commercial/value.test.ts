import { expect } from 'chai';
import { emptyFacts, valueOf, type ValueFacts } from '#lib/commercial/value.ts';

const to = new Date('2026-11-30T12:00:00Z');
const from = new Date('2026-10-31T12:00:00Z');
const facts = (change: Partial<ValueFacts> = {}): ValueFacts => ({
  ...emptyFacts(from, to, 'ab'.repeat(32)),
  workspaceBornAt: new Date('2026-01-01T00:00:00Z'),
  ...change,
});
const done = (op: string, count: number) => ({ op, status: 'done', code: null, count });
const events = { events: 1, first: 0, last: 0, root: 'ab'.repeat(32) };
const euros = {
  currency: 'EUR',
  closed: 100n,
  reconciled: 150n,
  acceptedDifference: -2n,
  openExceptions: 0n,
};

describe('the value report of financial actions', () => {
  it('has only zeros and nulls if nothing happened in the window', () => {
    const { coverage, actions, approvals, exceptions, reconciliation, monetary, fx } = valueOf(facts());
    expect(coverage).to.equal('empty');
    expect(new Set(Object.values(actions))).to.deep.equal(new Set([0]));
    expect(approvals).to.deep.include({ requested: 0, refused_by_code: {}, median_seconds: null });
    expect(exceptions.open + exceptions.opened).to.equal(0);
    expect(reconciliation.close_rate_bps).to.equal(null);
    expect([monetary, fx]).to.deep.equal([[], { applied: false }]);
  });

  it('is partial if the window begins before the workspace existed or an amount is unknown', () => {
    const coverage = (change: Partial<ValueFacts>) => valueOf(facts({ log: events, ...change })).coverage;
    expect(coverage({})).to.equal('complete');
    expect(coverage({ workspaceBornAt: new Date('2026-11-01T00:00:00Z') })).to.equal('partial');
    expect(coverage({ amounts: [euros] })).to.equal('complete');
    expect(coverage({ amounts: [{ ...euros, reconciled: 2n ** 53n }] })).to.equal('partial');
    expect(coverage({ log: { ...events, events: 0 }, amounts: [euros] })).to.equal('complete');
  });

  it('has amounts for each currency, and null for an amount that exceeds the range of JSON integers', () => {
    const dollars = { ...euros, currency: 'USD', closed: 7n, reconciled: 2n ** 53n };
    const { monetary } = valueOf(facts({ amounts: [euros, dollars] }));
    expect(monetary).to.deep.equal([
      {
        currency: 'EUR',
        amount_scale: 2,
        actions_closed_minor: 100,
        reconciled_minor: 150,
        accepted_difference_minor: -2,
        open_exception_minor: 0,
      },
      {
        currency: 'USD',
        amount_scale: 2,
        actions_closed_minor: 7,
        reconciled_minor: null,
        accepted_difference_minor: -2,
        open_exception_minor: 0,
      },
    ]);
  });

  it('counts proposed, approved and refused actions, and the refusals by their code', () => {
    const { actions, approvals } = valueOf(
      facts({
        entries: [
          done('delegation.drafted', 3),
          done('batch.imported', 2),
          done('delegation.activated', 1),
          { op: 'batch.approved', status: 'refused', code: 'same_person', count: 4 },
          { op: 'delegation.approval_refused', status: 'refused', code: 'sod_same_person', count: 2 },
          { op: 'delegation.authorized', status: 'refused', code: 'per_action_exceeded', count: 1 },
        ],
        approvalSeconds: [9, 1, 5, 7],
      }),
    );
    expect(actions).to.include({ proposed: 5, approved: 1 });
    expect(approvals).to.deep.equal({
      requested: 3,
      granted: 1,
      refused: 3,
      refused_by_code: { sod_same_person: 2, per_action_exceeded: 1 },
      median_seconds: 5,
    });
  });

  it('groups open exceptions by age in calendar days, and assigns each boundary to the younger group', () => {
    const days = [0, 1, 2, 3, 4, 7, 8, 30, 31];
    const openExceptions = days.map((day) => ({
      kind: day < 4 ? 'date_late' : 'quantity_short',
      openedAt: new Date(to.getTime() - day * 86_400_000),
    }));
    const { exceptions } = valueOf(facts({ openExceptions }));
    expect(exceptions.ageing).to.deep.equal({ '0-1': 2, '2-3': 2, '4-7': 2, '8-30': 2, '30+': 1 });
    expect(exceptions.by_kind).to.deep.equal({ date_late: 4, quantity_short: 5 });
  });

  it('reports in basis points, rounded down, which share of the released batches is closed', () => {
    const rate = (released: number, releasedAndClosed: number) =>
      valueOf(facts({ batches: { released, releasedAndClosed } })).reconciliation.close_rate_bps;
    expect([rate(3, 2), rate(3, 3), rate(1, 0)]).to.deep.equal([6_666, 10_000, 0]);
  });
});
