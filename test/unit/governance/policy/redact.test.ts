import { expect } from 'chai';
import { evaluatePolicies } from '../../../support/evaluate-policies.ts';
import { redactDecision } from '#lib/governance/policy/redact.ts';
import { anyScope, policyOf, ruleOf } from '../../../support/policy.ts';

describe('a redacted decision', () => {
  const when = {
    all: [
      { field: 'amount_minor', op: 'gt', value: 500 },
      { field: 'batch.order_count', op: 'gt', value: 10 },
    ],
  };
  const policies = [policyOf([ruleOf('a', 'deny', when)], { scope: { ...anyScope, currencies: ['EUR'] } })];
  const decision = evaluatePolicies(policies, {
    currency: 'EUR',
    amount_minor: 777,
    'batch.order_count': 33,
  });
  const reported = (...scopes: string[]) =>
    redactDecision(decision, scopes).failed.map(({ field, expected, actual, bound, bound_minor }) => [
      field,
      expected,
      actual,
      bound_minor ?? bound,
    ]);

  it('I-094 contains no value that the scopes of the caller do not cover', () => {
    expect(reported('actions:read', 'investment:read')).to.deep.equal([
      ['amount_minor', 500, 777, 500],
      ['batch.order_count', 10, 33, 10],
    ]);
    expect(reported('actions:read')[1]).to.deep.equal(['batch.order_count', 10, 'redacted', undefined]);
    expect(reported('investment:read')).to.deep.equal([
      ['amount_minor', 'redacted', 'redacted', undefined],
      ['batch.order_count', 'redacted', 33, undefined],
    ]);
    expect(JSON.stringify(redactDecision(decision, []))).to.not.match(/777|33|500/);
  });
});
