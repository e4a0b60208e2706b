import { expect } from 'chai';
import {
  assessIndependence,
  dependence,
  personsOf,
  type ApplicationPersons,
} from '#lib/actions/delegations/independence.ts';
import { independent } from '../../../support/delegation/properties-of-votes.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { repetitions } from '../../../support/repetitions.ts';

const application = (application: string, change: Partial<ApplicationPersons> = {}): ApplicationPersons => ({
  application,
  principals: [],
  bound: [],
  issuers: [],
  others: [],
  binders: [],
  ...change,
});

describe('the independence of the approver from the drafter', () => {
  const drafting = ['principals', 'bound', 'issuers', 'others', 'binders'] as const;
  const approving = ['principals', 'bound', 'issuers', 'others', 'binders'] as const;
  for (const role of drafting) {
    for (const other of approving) {
      const code =
        role === 'principals' && other === 'principals'
          ? 'sod_same_principal'
          : ['principals', 'bound', 'others'].includes(role) && ['principals', 'bound'].includes(other)
            ? 'sod_same_person'
            : 'sod_issuer_overlap';
      it(`I-050 I-051 I-052 fails with ${code} if one person is in ${role} of the drafter and in ${other} of the approver`, () => {
        const sides = [
          application('app_1', { [role]: ['ann'] }),
          application('app_2', { [other]: ['ben', 'ann'] }),
        ] as const;
        expect(dependence(...sides)).to.equal(code);
      });
    }
  }

  it('I-050 fails if drafter and approver are the same application, even without any persons', () => {
    expect(dependence(application('app_1'), application('app_1'))).to.equal('sod_same_application');
    expect(dependence(application('app_1'), application('app_2'))).to.equal(undefined);
  });

  it('I-068 is confirmed exactly when the stored sets of persons are disjoint', () => {
    independent(rules, { numRuns: repetitions.delegationRules });
  });

  it('I-068 is stored with sorted unique persons and the time of the check', () => {
    const creator = application('app_1', { principals: ['eve', 'ann'], issuers: ['eve'] });
    const approver = application('app_2', { bound: ['ben'], binders: ['ben'] });
    expect(personsOf(creator)).to.deep.equal(['ann', 'eve']);
    expect(assessIndependence(creator, approver, new Date('2026-11-21T12:00:00Z'))).to.deep.equal({
      rule_version: 1,
      checked_at: '2026-11-21T12:00:00.000Z',
      creator_applications: ['app_1'],
      creator_persons: ['ann', 'eve'],
      approver_applications: ['app_2'],
      approver_persons: ['ben'],
      intersections: [],
    });
  });
});
