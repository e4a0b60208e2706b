import { expect } from 'chai';
import { evaluatePolicies } from '../../../support/evaluate-policies.ts';
import { checkPolicy } from '#lib/governance/policy/policy.ts';
import {
  benchAmounts,
  benchInput,
  benchPolicies,
  policyDecisionsPerSecond,
  unpreparedDecisionsPerSecond,
} from '../../../bench/actions/policy-decisions.ts';
import { referenceDecision } from '../../../support/policy-reference.ts';

describe('the benchmark of policy decisions', () => {
  it('evaluates 200 valid rules with the expected results', () => {
    const policies = benchPolicies();
    expect(policies.flatMap(({ rules }) => rules)).to.have.length(200);
    expect(policies.flatMap(checkPolicy)).to.deep.equal([]);
    for (const [what, amount] of Object.entries(benchAmounts)) {
      const input = benchInput(amount, 1);
      const { effect, default: isDefault } = evaluatePolicies(policies, input);
      expect(isDefault ? `${effect} by default` : effect).to.equal(what);
      expect(referenceDecision(policies, input)).to.include({ effect, isDefault });
    }
  });

  it('measures a rate above 0 decisions per second', () => {
    expect(policyDecisionsPerSecond('allow', 10)).to.be.greaterThan(0);
    expect(unpreparedDecisionsPerSecond('deny', 2)).to.be.greaterThan(0);
  });
});
