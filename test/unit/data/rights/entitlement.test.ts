import { expect } from 'chai';
import {
  decideEntitlementChange,
  entitlementEvents,
  entitlementStates,
  entitlementStatus,
  type EntitlementEvent,
  type EntitlementState,
} from '#lib/data/rights/entitlement.ts';
import { odrlOf } from '#lib/data/rights/odrl.ts';
import { hasValidPeriods } from '#lib/data/rights/terms.ts';

const table: Record<EntitlementState, Record<EntitlementEvent, string>> = {
  proposed: { approve: 'active', suspend: 'entitlement_not_active', end: 'ended' },
  active: { approve: 'entitlement_active', suspend: 'suspended', end: 'ended' },
  suspended: { approve: 'active', suspend: 'entitlement_not_active', end: 'ended' },
  ended: { approve: 'entitlement_ended', suspend: 'entitlement_ended', end: 'entitlement_ended' },
};

const decide = (state: EntitlementState, event: EntitlementEvent, person: string) => {
  const verdict = decideEntitlementChange(
    { state, proposedBy: 'per_1', suspendedBy: 'per_2' },
    event,
    person,
  );
  return verdict.ok ? verdict.next : verdict.code;
};

describe('a change of a data entitlement', () => {
  for (const state of entitlementStates) {
    for (const event of entitlementEvents) {
      it(`returns ${table[state][event]} for ${event} of an entitlement that is ${state}`, () => {
        expect(decide(state, event, 'per_3')).to.equal(table[state][event]);
      });
    }
  }

  it('is not approved by the person who proposed or suspended it', () => {
    expect(decide('proposed', 'approve', 'per_1')).to.equal('second_person_required');
    expect(decide('suspended', 'approve', 'per_2')).to.equal('second_person_required');
    expect(decide('suspended', 'approve', 'per_1')).to.equal('active');
  });
});

describe('a data entitlement', () => {
  it('has a status that follows from its state and its half-open period', () => {
    const [from, until] = [new Date('2026-02-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')];
    const status = (state: EntitlementState, at: string) =>
      entitlementStatus({ state, validFrom: from, validUntil: until }, new Date(at));
    expect(status('active', '2026-01-31T23:59:59Z')).to.equal('scheduled');
    expect(status('active', '2026-02-01T00:00:00Z')).to.equal('active');
    expect(status('active', '2026-03-01T00:00:00Z')).to.equal('expired');
    expect(status('suspended', '2026-02-02T00:00:00Z')).to.equal('suspended');
    expect(status('suspended', '2026-03-02T00:00:00Z')).to.equal('expired');
    expect(status('ended', '2026-02-02T00:00:00Z')).to.equal('expired');
  });

  it('refuses a period that ends when or before it begins', () => {
    const terms = { provider: 'P', permissions: [] };
    const [from, until] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'];
    expect(hasValidPeriods({ ...terms, valid_from: from, valid_until: until })).to.equal(false);
    const constraints = { valid_from: from, valid_until: '2026-01-02T00:00:00Z' };
    expect(hasValidPeriods({ ...terms, permissions: [{ action: 'read', constraints }] })).to.equal(true);
  });

  it('becomes an ODRL agreement in which prohibitions prevail', () => {
    const agreed = {
      uid: 'ent_1',
      dataset_uid: 'dst_1',
      provider: 'Example Data Ltd',
      assignee: 'wsp_1',
      permissions: [{ action: 'derive', constraints: { regions: ['eu'], delay_minutes: 15 } }],
      prohibitions: [{ action: 'train', constraints: {} }],
      duties: [{ action: 'attribute', before_use: true }],
      valid_from: null,
      valid_until: '2027-01-01T00:00:00.000Z',
    };
    const { '@graph': graph } = odrlOf([agreed]) as { '@graph': any[] };
    expect(graph).to.have.length(1);
    expect(graph[0]).to.include({ '@type': 'Agreement', uid: 'urn:svc:assay:ent_1', conflict: 'prohibit' });
    const [{ action, constraint, duty, target }] = graph[0].permission;
    expect([action, target, duty[0].action]).to.deep.equal(['derive', 'urn:svc:assay:dst_1', 'attribute']);
    expect(constraint.map((each: any) => each.leftOperand)).to.deep.equal([
      'dateTime',
      'spatial',
      'delayPeriod',
    ]);
    expect(graph[0].prohibition[0].action).to.equal('assay:train');
  });
});
