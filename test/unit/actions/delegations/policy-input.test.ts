import { expect } from 'chai';
import type { Delegation } from '#lib/actions/delegations/delegation.entity.ts';
import { delegationInput } from '#lib/actions/delegations/policy-input.ts';
import { plainTerms } from '../../../support/delegation/world.ts';

describe('the policy input of a delegation', () => {
  const delegation = { uid: 'dlg_1', terms: plainTerms } as unknown as Delegation;
  const now = new Date('2026-04-01T12:00:00Z');
  const daysOf = (activeAt: Date | null) =>
    delegationInput('authorize', delegation, { uid: 'idt_1', activeAt }, 'sandbox', now)['identity.age_days'];

  it('counts the age of a machine identity in whole days from its activation by a person', () => {
    expect(daysOf(new Date('2026-03-30T12:00:00Z'))).to.equal(2);
    expect(daysOf(new Date('2026-03-30T12:00:00.001Z'))).to.equal(1);
    expect(daysOf(null)).to.equal(0);
  });
});
